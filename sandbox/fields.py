"""YAML files of keys and values, read and checked key by key. An error names the file and the key, from the top:
``schedules[0].cron``; it never shows a value, which may be a secret.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import yaml

from sandbox.errors import SandboxError

T = TypeVar("T")

_KINDS: Mapping[type, str] = {str: "a text", bool: "true or false", list: "a list", dict: "keys and values"}
_LARGEST = 1e9  # so that clocks and timers can count with it


def unknown(key: object, known: Collection[str]) -> str:
    """What is wrong with a key that is none of the known: the nearest of them, else all, are told."""
    from difflib import get_close_matches

    near = get_close_matches(str(key), known, 1)
    return f"is unknown; near to it is `{near[0]}`" if near else f"is unknown; known are: {', '.join(known) or 'none'}"


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys and values of a file, or of a part of it. ``error`` is raised with ``file``, ``key`` and ``problem``."""

    file: Path
    values: Mapping[str, Any]
    error: type[SandboxError]
    within: str = ""  # what stands before the keys in an error: `schedules[0].`

    def read(self, kind: type[T], **more: Any) -> T:
        """A dataclass whose fields name their readers in an ``Annotated``. What is neither there nor in ``more`` must
        have a default.
        """
        found = {**more, **self.take(readers_of(kind))}
        for key, each in signature(kind).parameters.items():
            if each.default is each.empty and found.get(key) is None:
                raise self.refused(key, "is missing")
        return kind(**found)

    def take(self, readers: Mapping[str, "Reader"]) -> dict[str, Any]:
        """What the readers make of the keys that are there; null counts as absent."""
        self.only(readers)
        return {key: readers[key](self, key) for key, value in self.values.items() if value is not None}

    def only(self, known: Collection[str]) -> None:
        """Refuse every other key."""
        for key in self.values:
            if key not in known:
                raise self.refused(key, unknown(key, known))

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
        """A number above 0."""
        return self.number(key, "a number above 0", lambda value: value > 0)

    def number(self, key: str, what: str, fits: Callable[[float], bool]) -> float:
        """A number that fits."""
        value = self.values[key]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number and abs(value) < _LARGEST and fits(value)):
            raise self.refused(key, f"must be {what}")
        return float(value)

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

    def members(self, key: str) -> "Fields":
        """Those of a list, each at its place."""
        members = {f"{key}[{index}]": member for index, member in enumerate(self._of(list, key))}
        return replace(self, values=members)

    def _of(self, kind: type[T], key: str) -> T:
        value = self.values[key]
        if not isinstance(value, kind):
            raise self.refused(key, f"must be {_KINDS[kind]}")
        return value


Reader = Callable[[Fields, str], Any]
"""Makes something of the value of a key, or raises what ``Fields.refused`` gives."""


def readers_of(kind: type) -> dict[str, Reader]:
    """Those that the fields of a dataclass name in an ``Annotated``."""
    hints = get_type_hints(kind, include_extras=True).items()
    return {key: hint.__metadata__[0] for key, hint in hints if hasattr(hint, "__metadata__")}


def accepted(by: Callable[[str], object], problem: str) -> Reader:
    """A reader of texts that ``by`` neither raises at nor answers with nothing; ``{error}`` in the problem is what it
    raised.
    """

    def read(fields: Fields, key: str) -> str:
        text, error = fields.text(key), ""
        try:
            if by(text):
                return text
        except (ValueError, LookupError, OSError) as refusal:
            error = str(refusal)
        raise fields.refused(key, problem.format(error=error))

    return read


def each(read: Reader) -> Reader:
    """A reader of lists, each of whose members differs from the others."""

    def read_all(fields: Fields, key: str) -> tuple[Any, ...]:
        members = fields.members(key)
        found: list[Any] = []
        for place in members.values:
            found.append(read(members, place))
            if found[-1] in found[:-1]:
                raise members.refused(place, "stands there twice")
        return tuple(found)

    return read_all


def record(kind: type) -> Reader:
    """A reader of what a dataclass is made of."""
    return lambda fields, key: fields.part(key).read(kind)


def read_yaml(file: Path, error: type[SandboxError]) -> dict[str, Any]:
    """The keys and values in the file; an empty one has none, nor has one that is not there. Raises ``error`` with
    ``file`` and ``problem``.
    """
    try:
        text = file.read_text(encoding="utf-8")
        found = yaml.load(text, _Loader)
    except (FileNotFoundError, NotADirectoryError):  # where the home is a file, opening it says more
        return {}
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    except yaml.YAMLError as wrong:
        problem = f"it is not YAML ({_where(wrong, text)})"
    except RecursionError:
        problem = "it is nested too deeply"
    except (OSError, ValueError) as wrong:
        problem = getattr(wrong, "strerror", None) or str(wrong)
    else:
        if found is None or isinstance(found, dict):
            return found or {}
        problem = f"it holds {type(found).__name__}, not keys and values"
    raise error(file=file, problem=problem)


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
