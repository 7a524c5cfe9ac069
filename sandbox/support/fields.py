"""Settings and manifests, checked key by key: the one validator (adr/0030).

Each field of a dataclass names a reader in an ``Annotated``; ``Fields.read`` makes the dataclass from keys and values.
An error names the file, the key from the top (``schedules[0].cron``), the allowed values and the given one. A text is
repeated only if it is a plain word, because it may be a secret that was pasted into the wrong place.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from sandbox.support.errors import DocumentedError

T = TypeVar("T")

_KINDS: Mapping[type, str] = {str: "a text", bool: "true or false", list: "a list", dict: "keys and values"}
_LARGEST = 1e9  # so that clocks and timers can use it
_LONGEST_WORD = 16  # characters of a text that an error may repeat


def unknown(key: object, known: Collection[str]) -> str:
    """The problem of an unknown key: with the most similar known key, or else with all."""
    from difflib import get_close_matches

    near = get_close_matches(str(key), known, 1)
    return f"is unknown; near to it is `{near[0]}`" if near else f"is unknown; known are: {', '.join(known) or 'none'}"


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys and values of a file, or of a part of it. ``error`` is raised with ``file``, ``key`` and ``problem``."""

    file: str | Path
    values: Mapping[str, Any]
    error: type[DocumentedError]
    within: str = ""  # prefix of the keys in an error: `schedules[0].`

    def read(self, kind: type[T], **more: Any) -> T:
        """A dataclass whose fields name readers in an ``Annotated``; one that is not given needs a default."""
        found = {**more, **self.take(readers_of(kind))}
        for key, each in signature(kind).parameters.items():
            if each.default is each.empty and found.get(key) is None:
                raise self.refused(key, "is missing")
        return kind(**found)

    def take(self, readers: Mapping[str, "Reader"]) -> dict[str, Any]:
        """The results of the readers for the keys that are present; null counts as absent."""
        self.only(readers)
        return {key: readers[key](self, key) for key, value in self.values.items() if value is not None}

    def only(self, known: Collection[str]) -> None:
        """Raise the error for any other key."""
        for key in self.values:
            if key not in known:
                raise self.refused(key, unknown(key, known))

    def retired(self, gone: Mapping[str, str]) -> list[str]:
        """A sentence about each obsolete key; ``gone`` says what happened to them."""
        found = [key for key in self.values if key in gone]
        return [f"{self.file}: `{self.within}{key}` is no setting any more: {gone[key]}." for key in found]

    def refused(self, key: str, problem: str) -> DocumentedError:
        """The error about a key."""
        return self.error(file=self.file, key=f"{self.within}{key}", problem=problem)

    def text(self, key: str) -> str:
        """A text that is not blank."""
        value = self._of(str, key)
        if not value.strip():
            raise self.refused(key, "must not be empty")
        return str.__str__(value)  # a subclass may change what str() gives

    def flag(self, key: str) -> bool:
        """True or false."""
        return self._of(bool, key)

    def positive(self, key: str) -> float:
        """A number above 0."""
        return self.number(key, "a number above 0", lambda value: value > 0)

    def amount(self, key: str) -> float:
        """A number, 0 or more."""
        return self.number(key, "a number, 0 or more", lambda value: value >= 0)

    def count(self, key: str) -> int:
        """A whole number above 0."""
        return int(self.number(key, "a whole number above 0", lambda value: value >= 1 and value % 1 == 0))

    def whole(self, key: str) -> int:
        """A whole number, 0 or more."""
        return int(self.number(key, "a whole number, 0 or more", lambda value: value >= 0 and value % 1 == 0))

    def number(self, key: str, what: str, fits: Callable[[float], bool]) -> float:
        """A number that fits."""
        value = self.values[key]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number and abs(value) < _LARGEST and fits(value)):
            raise self.refused(key, f"must be {what}{_given(value)}")
        return float(value)

    def mapping(self, key: str) -> dict[str, Any]:
        """Keys and values, unchanged; the keys are texts."""
        values = self._of(dict, key)
        for name in values:
            if not isinstance(name, str):
                raise self.refused(f"{key}.{name}", "is no text; put it in quotes")
        return values

    def part(self, key: str) -> "Fields":
        """The keys below a key."""
        return Fields(self.file, self.mapping(key), self.error, f"{self.within}{key}.")

    def members(self, key: str) -> "Fields":
        """The members of a list, each with its place."""
        members = {f"{key}[{index}]": member for index, member in enumerate(self._of(list, key))}
        return replace(self, values=members)

    def _of(self, kind: type[T], key: str) -> T:
        value = self.values[key]
        if not isinstance(value, kind):
            raise self.refused(key, f"must be {_KINDS[kind]}{_given(value, is_word=kind is str)}")
        return value


Reader = Callable[[Fields, str], Any]
"""Converts the value of a key, or raises the error of ``Fields.refused``."""


def readers_of(kind: type) -> dict[str, Reader]:
    """The readers that the fields of a dataclass name in an ``Annotated``."""
    hints = get_type_hints(kind, include_extras=True).items()
    return {key: hint.__metadata__[0] for key, hint in hints if hasattr(hint, "__metadata__")}


def accepted(by: Callable[[str], object], problem: str) -> Reader:
    """A reader of texts for which ``by`` returns something; ``{error}`` in ``problem`` is an error that it raises."""

    def read(fields: Fields, key: str) -> str:
        text, error = fields.text(key), ""
        try:
            if by(text):
                return text
        except (ValueError, LookupError, OSError) as refusal:
            error = str(refusal)
        raise fields.refused(key, problem.format(error=error))

    return read


def one_of(known: Collection[str]) -> Reader:
    """A reader of texts that are among the known ones."""

    def read(fields: Fields, key: str) -> str:
        value = fields.values[key]
        if not isinstance(value, str) or value not in known:
            raise fields.refused(key, f"must be one of {', '.join(known)}{_given(value, is_word=True)}")
        return value

    return read


def table(read: Reader) -> Reader:
    """A reader of names, each with a value for ``read``."""

    def read_all(fields: Fields, key: str) -> dict[str, Any]:
        rows = fields.part(key)
        return {name: read(rows, name) for name in rows.values}

    return read_all


def each(read: Reader, least: int = 0) -> Reader:
    """A reader of lists with at least ``least`` different members."""

    def read_all(fields: Fields, key: str) -> tuple[Any, ...]:
        members = fields.members(key)
        found: list[Any] = []
        for place in members.values:
            found.append(read(members, place))
            if found[-1] in found[:-1]:
                raise members.refused(place, "stands there twice")
        if len(found) < least:
            raise fields.refused(key, f"must have {least} or more members")
        return tuple(found)

    return read_all


def record(kind: type) -> Reader:
    """A reader of the parts of a dataclass."""
    return lambda fields, key: fields.part(key).read(kind)


def _given(value: object, *, is_word: bool = False) -> str:
    """The given value, for the end of a sentence; ``is_word`` if a word was expected. A value of a subclass is not
    shown, because it may fail to print itself.
    """
    if type(value) not in (bool, str, int, float):
        return ""
    match value:
        case bool() if is_word:
            return f", not {value}; YAML reads on, off, yes and no as true and false: put such a word in quotes"
        case str() if len(value) <= _LONGEST_WORD and value.isalpha():
            return f", not {value!r}"
        case int() | float() if abs(value) < _LARGEST:
            return f", not {value}"
        case _:
            return ""
