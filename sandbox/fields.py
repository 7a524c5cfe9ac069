"""YAML files of keys and values, read and checked key by key. An error names the file and the key, from the top:
``schedules[0].cron``; it never shows a value, which may be a secret.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from sandbox.errors import SandboxError

T = TypeVar("T")

_KINDS: Mapping[type, str] = {str: "a text", bool: "true or false", list: "a list", dict: "keys and values"}


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys and values of a file, or of a part of it. ``error`` is raised with ``file``, ``key`` and ``problem``."""

    file: Path
    values: Mapping[str, Any]
    error: type[SandboxError]
    within: str = ""  # what stands before the keys in an error: `schedules[0].`

    def take(self, readers: Mapping[str, "Reader"], needed: Sequence[str] = ()) -> dict[str, Any]:
        """What the readers make of the keys that are there; null counts as absent."""
        self.only(readers)
        for key in needed:
            if self.values.get(key) is None:
                raise self.refused(key, "is missing")
        return {key: readers[key](self, key) for key, value in self.values.items() if value is not None}

    def only(self, known: Iterable[str]) -> None:
        """Refuse every other key."""
        names = list(known)
        for key in self.values:
            if key not in names:
                raise self.refused(key, f"is unknown; known are: {', '.join(names) or 'none'}")

    def refused(self, key: str, problem: str) -> SandboxError:
        """The error to raise about a key."""
        return self.error(file=self.file, key=f"{self.within}{key}", problem=problem)

    def text(self, key: str) -> str:
        """A text with something in it."""
        value = self._of(str, key)
        if not value.strip():
            raise self.refused(key, "must not be empty")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        return self._of(bool, key)

    def positive(self, key: str) -> float:
        """A finite number above 0."""
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
            raise self.refused(key, "must be a number above 0")
        return float(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Texts, each once."""
        values = self._of(list, key)
        for index, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                raise self.refused(f"{key}[{index}]", "must be a text")
            if value in values[:index]:
                raise self.refused(f"{key}[{index}]", "stands there twice")
        return tuple(values)

    def mapping(self, key: str) -> dict[str, Any]:
        """Keys and values as they stand; the keys are texts."""
        values = self._of(dict, key)
        for name in values:
            if not isinstance(name, str):
                raise self.refused(f"{key}.{name}", "is no text; put it in quotes")
        return values

    def part(self, key: str) -> "Fields":
        """The keys below a key."""
        return Fields(self.file, self.mapping(key), self.error, f"{self.within}{key}.")

    def parts(self, key: str) -> list["Fields"]:
        """Those of each member of a list."""
        members = {f"{key}[{index}]": member for index, member in enumerate(self._of(list, key))}
        below = Fields(self.file, members, self.error, self.within)
        return [below.part(name) for name in members]

    def _of(self, kind: type[T], key: str) -> T:
        value = self.values[key]
        if not isinstance(value, kind):
            raise self.refused(key, f"must be {_KINDS[kind]}")
        return value


Reader = Callable[[Fields, str], Any]
"""Makes something of the value of a key, or raises what ``Fields.refused`` gives."""


def read_yaml(file: Path) -> dict[str, Any]:
    """The keys and values in the file; an empty one has none. Raises ``OSError``, and ``ValueError`` that says what is
    wrong with it.
    """
    try:
        text = file.read_text(encoding="utf-8")
        found = yaml.load(text, _Loader)
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error
    except yaml.YAMLError as error:
        raise ValueError(f"it is not YAML ({_where(error, text)})") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if found is not None and not isinstance(found, dict):
        raise ValueError(f"it holds {type(found).__name__}, not keys and values")
    return found or {}


def why(error: OSError | ValueError) -> str:
    """What ``read_yaml`` could not do, in words for a message."""
    return getattr(error, "strerror", None) or str(error)


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would drop the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"`{key.value}` stands there twice", key.start_mark)
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else None)
        return super().construct_mapping(node, deep)


def _where(error: yaml.YAMLError, text: str) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    if mark := getattr(error, "problem_mark", None):
        return f"line {mark.line + 1}: {problem}"
    return f"line {text.count(chr(10), 0, getattr(error, 'position', 0)) + 1}: {problem}"
