"""Ask a language model for one JSON value that follows a schema, and accept nothing else.

A prompt is a Jinja2 template ``prompts/{name}.jinja2`` with the blocks ``system`` and ``user``, beside the pydantic
model of its answer. A template is read once and a schema made once; nobody may change one.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from pydantic import BaseModel, ValidationError

from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.extensions.memory.ports import Answer, EstimatedTokens, LanguageModel, Question
from sandbox.extensions.memory.reports import Spent
from sandbox.extensions.memory.text.fence import escaping

FENCE = "material"
"""Templates put data between `<material>` and `</material>`."""

escape = escaping(FENCE)

_SAID = ("default", "title", "description")  # of a schema; the prompt explains the answer
A = TypeVar("A", bound=BaseModel)
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_STRAY = re.compile(  # commas and comments; an unfinished comment continues to the end of the text
    r'("(?:[^"\\]|\\.)*"?)|,(?=\s*+[\]}])|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL
)
_TRIED = 50  # opening brackets of a text that are tried
_DECODER = json.JSONDecoder(strict=False)  # takes line breaks inside strings
_ATTEMPTS = 2
_SHOWN = 8000  # characters of a refused answer that go back to the model
_SHOWN_OF_TRUNCATED = 200
_IN_FULL = "Answer the same question again, in full."


def prompt_tokens(question: Question) -> int:
    """An estimate of the prompt's tokens, with those of the schema."""
    earlier = [part for pair in question.earlier for part in pair]
    return sum(EstimatedTokens().count_tokens([question.system, question.user, str(question.schema), *earlier]))


@cache
def schema(answer: type[BaseModel], *, strict: bool = True) -> dict[str, Any]:
    """The JSON schema of an answer in the form that servers use to restrict answers: no references, no explanations. If
    it is ``strict``, every key is required and no other is allowed; otherwise an optional key is left out rather than
    null.
    """
    whole = answer.model_json_schema()
    found: dict[str, Any] = _bare(whole, strict, whole.pop("$defs", {}))
    return found


def _bare(part: Any, strict: bool, parts: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_bare(each, strict, parts) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _bare(parts[part["$ref"].rpartition("/")[2]], strict, parts)
    if not strict and part.get("anyOf", [])[1:] == [{"type": "null"}]:
        return _bare(part["anyOf"][0], strict, parts)
    kept = {
        key: _bare(value, strict, parts) for key, value in part.items() if key not in _SAID or isinstance(value, dict)
    }
    if strict and "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


@cache
def template(name: str, package: str) -> Template:
    """The template ``prompts/{name}.jinja2`` in ``package``. Material that it prints stays on its own lines and inside
    the fence, but not a block of its own that it marks as ``safe``; a missing name raises ``jinja2.UndefinedError``.
    """
    environment = Environment(
        loader=PackageLoader(package, "prompts"),
        autoescape=False,  # the text is no HTML; `finalize` guards the fence
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) or not isinstance(value, str) else escape(value),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(f"{name}.jinja2")


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


Kind = Literal["refused", "empty", "truncated", "no_json", "wrong_shape"]

_PROBLEMS: Mapping[Kind, str] = {
    "refused": "it refused",
    "empty": "it said nothing",
    "truncated": "it was cut off at the limit of its length",
    "no_json": "it was no JSON",
    "wrong_shape": "it did not follow the schema",
}
_REASONS: Mapping[Kind, str] = {
    "refused": "This was no answer. Nothing is asked but to restate the material as data; leave out what cannot be.",
    "empty": "The answer was empty.",
    "truncated": "The answer was too long and was cut off. Give the most important items only, briefly.",
    "no_json": "The answer was not JSON.",
}


@dataclass(frozen=True, slots=True)
class Prompt(Generic[A]):
    """A question: its template, with the package of the template, and the schema of its answer. Lists in the answer
    have no default, because a fragment must not pass for an empty answer. A ``compact`` answer may leave out keys that
    have a default.
    """

    name: str
    package: str
    answer: type[A]
    max_tokens: int = 2000
    compact: bool = False

    def question(self, **material: Any) -> Question:
        """The question to a model with this material; also used to estimate its cost."""
        said_by = template(self.name, self.package)
        context = said_by.new_context(material)
        said = {name: "".join(block(context)).strip() for name, block in said_by.blocks.items()}
        shape, strict = schema(self.answer, strict=not self.compact), not self.compact
        return Question(self.name, said["system"], said["user"], shape, self.max_tokens, strict=strict)


@dataclass(frozen=True, slots=True)
class Asked(Generic[A]):
    """An answer in its shape, its cost, and the number of answers that were refused before it, by ``Kind``."""

    answer: A
    spent: Spent
    refused: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Try(Generic[A]):
    """One answer: its value, or why it could not be read."""

    given: Answer
    answer: A | None = None
    kind: Kind | None = None
    reason: str = ""

    @property
    def spent(self) -> Spent:
        return Spent(1, self.given.prompt_tokens, self.given.completion_tokens)

    @property
    def earlier(self) -> tuple[str, str]:
        """The part of it that the model needs to see again, and the reason."""
        shown = _SHOWN_OF_TRUNCATED if self.kind == "truncated" else _SHOWN
        return self.given.text[:shown], f"{self.reason} {_IN_FULL}"


async def ask(model: LanguageModel, prompt: Prompt[A], **material: Any) -> Asked[A]:
    """The model's answer to a prompt with ``material``. An answer that cannot be read goes back once with the reason.
    What its content is worth is for the caller to judge.

    Raises ``ModelUnavailable`` and ``BadAnswer``. Their ``details["spent"]`` is the cost, ``details["refused"]`` the
    refused answers; ``details["kind"]`` of ``BadAnswer`` is a ``Kind``.
    """
    question, tries = prompt.question(**material), list[_Try[A]]()

    def cost() -> tuple[Spent, Counter[str]]:
        return sum((each.spent for each in tries), Spent()), Counter(str(each.kind) for each in tries if each.kind)

    while len(tries) < _ATTEMPTS:
        try:
            given = await model.ask(replace(question, earlier=tuple(each.earlier for each in tries)))
        except ModelUnavailable as error:
            error.details["spent"], error.details["refused"] = cost()
            raise
        tries.append(_read(given, prompt))
        if (answer := tries[-1].answer) is not None:
            return Asked(answer, *cost())
    kind, (spent, refused) = tries[-1].kind or "empty", cost()
    raise BadAnswer(model=model.model_id, problem=_PROBLEMS[kind], kind=kind, spent=spent, refused=refused)


def _read(given: Answer, prompt: Prompt[A]) -> _Try[A]:
    if kind := _not_said(given):
        return _Try(given, None, kind, _REASONS[kind])
    try:
        return _Try(given, read(given.text, prompt.answer))
    except ValidationError as error:
        return _Try(given, None, "wrong_shape", f"The answer does not follow the schema: {_places(error)}.")
    except ValueError:
        return _Try(given, None, "no_json", _REASONS["no_json"])


def _not_said(given: Answer) -> Kind | None:
    if given.finish in ("refusal", "content_filter"):
        return "refused"
    if given.finish == "length":
        return "truncated"
    return None if given.text.strip() else "empty"


def _places(error: ValidationError) -> str:
    """The first few places where an answer does not follow its schema."""
    found = error.errors(include_input=False, include_url=False)[:5]
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the top'}: {each['msg']}" for each in found)
