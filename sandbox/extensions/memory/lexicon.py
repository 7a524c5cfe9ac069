"""The words of all languages for one concern: ``languages/<code>/<concern>.yaml`` of every folder that has it, as one
lookup.

A file is read when its concern is first used. English has every key of a concern, another language those for which it
has words. The values of a key are joined: patterns to one regular expression, words to one set. ``{name}`` in a pattern
is the text under ``parts`` in its file.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("languages")
_PART = re.compile(r"\{([a-z_]+)\}")
_SLOT = re.compile(r"\{([a-z_]+)\.([a-z_]+)( words)?\}")

LANGUAGES: tuple[str, ...] = tuple(
    sorted(
        (each.name for each in FOLDER.iterdir() if (each / "words.yaml").is_file()),
        key=lambda code: (code != "en", code),
    )
)
"""The codes of the languages that the memory reads. English comes first: it is read if the language of a text is
unknown. Other folders have only some concerns.
"""


@cache
def having(concern: str) -> tuple[str, ...]:
    """The codes of the languages that have a file for a concern; ``LANGUAGES`` come first."""
    found = {each.parent.name for each in FOLDER.glob(f"*/{concern}.yaml")}
    return (*(code for code in LANGUAGES if code in found), *sorted(found - set(LANGUAGES)))


def read_data(code: str, name: str) -> Any:
    """The content of a file of a language."""
    from sandbox.support.yaml_files import read_packaged  # slow to import, and seldom needed

    return read_packaged(FOLDER / code / f"{name}.yaml")


@cache
def learnt_weights(name: str) -> Mapping[str, float]:
    """The weights of features that were learnt for all languages: ``languages/<name>.json``."""
    found: Mapping[str, float] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


@cache
def words(concern: str, name: str) -> frozenset[str]:
    """The words of all languages under a key; in the file, spaces separate them."""
    return frozenset(word for listed in _listed(concern, name) for word in listed.split())


@cache
def texts(concern: str, name: str) -> tuple[str, ...]:
    """The texts of all languages under a key."""
    return tuple(_listed(concern, name))


@cache
def either(concern: str, *names: str) -> str:
    """A regular expression, in a group, for all texts under a key, or under a key within it, in any language."""
    return f"(?:{'|'.join(_listed(concern, *names))})"


@cache
def pattern(concern: str, name: str, flags: int = 0) -> re.Pattern[str]:
    """The same, compiled."""
    return re.compile(either(concern, name), flags)


@cache
def form(template: str) -> re.Pattern[str]:
    """A regular expression, compiled when it is first used: ``{concern.key}`` in it stands for the texts under a key in
    any language, and ``{concern.key words}`` for its words.
    """

    def listed(slot: re.Match[str]) -> str:
        return f"(?:{'|'.join(sorted(words(slot[1], slot[2])))})" if slot[3] else either(slot[1], slot[2])

    return re.compile(_SLOT.sub(listed, template))


def by_language(concern: str, *names: str) -> Mapping[str, Any]:
    """The value of a key, or of one within it, in each language that has it. Raises ``KeyError`` if none has."""
    every = ((code, _data(concern, code)) for code in having(concern))
    return {code: reduce(getitem, names, data) for code, data in every if code == "en" or names[0] in data}


def _listed(concern: str, *names: str) -> Iterator[str]:
    for code, found in by_language(concern, *names).items():
        parts = _data(concern, code).get("parts") or {}
        for each in (found,) if isinstance(found, str) else found:
            if not isinstance(each, str):
                raise TypeError(
                    f"{code}/{concern}.yaml, {'.'.join(names)}: {each!r} is no text; write it between quotes"
                )
            yield _put(each, parts)


def _put(text: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda part: _put(parts[part[1]], parts), text)


@cache
def _data(concern: str, code: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = read_data(code, concern)
    return found
