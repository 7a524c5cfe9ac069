"""Extract the value from a model's text, also from prose or slightly broken JSON. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

A = TypeVar("A", bound=BaseModel)

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_STRAY = re.compile(  # commas and comments; an unfinished comment continues to the end of the text
    r'("(?:[^"\\]|\\.)*"?)|,(?=\s*+[\]}])|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL
)
_TRIED = 50  # opening brackets of a text that are tried
_DECODER = json.JSONDecoder(strict=False)  # takes line breaks inside strings


def read(text: str, shape: type[A]) -> A:
    """The answer in a text. Raises ``ValueError`` if it contains no JSON, ``ValidationError`` if the JSON has another
    shape.
    """
    first: ValidationError | None = None
    for candidate in _meant(parse(text), shape):
        try:
            return shape.model_validate(candidate)
        except ValidationError as error:
            first = first or error
    assert first is not None  # the value itself was tried
    raise first


def parse(text: str) -> Any:
    """The longest object or list in a text: alone, in a code fence or in prose. Trailing commas, comments and line
    breaks inside strings are accepted. Raises ``ValueError`` if there is none; its message quotes nothing of the text.
    """
    bare = _THOUGHT.sub("", text).strip()
    found = [(length, value) for length, value in _values(bare) if _is_answer(value) or length == len(bare)]
    if not found:
        raise ValueError("there is no JSON object in it")
    return max(found, key=lambda pair: pair[0])[1]


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """Objects and lists in a text, each with about its length, none inside another."""
    end = 0
    for opening in list(_OPENING.finditer(text))[:_TRIED]:
        if opening.start() >= end and (found := _value(text[opening.start() :])):
            end = opening.start() + found[0]
            yield found


def _is_answer(value: Any) -> bool:
    """Whether it can be an answer: prose and fragments also contain empty lists and lists of numbers."""
    return isinstance(value, dict) or (bool(value) and all(isinstance(each, dict) for each in value))


def _value(text: str) -> tuple[int, Any] | None:
    """The value at the beginning of a text, repaired if necessary, and its length."""
    for each in (text, _STRAY.sub(lambda match: match[1] or "", text)):
        try:
            value, length = _DECODER.raw_decode(each)
        except (ValueError, RecursionError):
            continue
        return length, value
    return None


def _meant(value: Any, shape: type[BaseModel]) -> Iterator[Any]:
    """The value, then other readings of it: a bare list as the list of the shape, an object without its outer
    wrapper.
    """
    yield value
    if isinstance(value, list):
        yield from value[:1] if len(value) == 1 else ()
        yield from ({name: value} for name in shape.model_fields)
    elif len(value) == 1:
        yield from value.values()
