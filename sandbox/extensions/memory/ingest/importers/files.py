"""Files of text: JSON as one document, or a value on every line.

Their first bytes give the encoding (RFC 4627 and byte order marks), or the caller names it. A byte that does not fit it
is an error, because a guess would change words.
"""

import json
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.ingest.importers.records import Entry
from sandbox.support.characters import composed

COMPRESSED = ".zst"
"""The ending of a file that is compressed by itself, as Codex keeps rollouts that are a week old. The rest of its name
is the name of its content.
"""

LARGEST = 512 * 1024 * 1024  # bytes of a JSON document that is not a list; it is read as a whole

_BLOCK = 4096  # characters
_CHECKED = 256_000  # bytes decoded at once
_LONGEST = 64 * 1024 * 1024  # characters of a line, or of a value in a list; each is in memory as a whole
_DECODER = json.JSONDecoder(strict=False)
_SPACE = " \t\n\r"


class NotJson(Exception):
    """A file is not valid JSON; the message says why and where."""


class NotText(Exception):
    """A file is not in its encoding; the message says where."""


class Binary(Exception):
    """A file is not text in any encoding."""


@dataclass(frozen=True, slots=True)
class File:
    """A file on the disk or in an archive, with its name and, if known, the time when it was ``modified``. The letters
    of the name are whole, as people type them; macOS may keep them in two parts. In an archive it has no ``path``.
    """

    name: str
    size: int
    modified: datetime | None
    opened: Callable[[], BinaryIO] = field(repr=False)
    path: Path | None = None

    @classmethod
    def at(cls, path: Path, name: str | None = None) -> "File":
        """The file at a path. Raises ``OSError``."""
        status = path.stat()
        modified = datetime.fromtimestamp(status.st_mtime, UTC)
        return cls(composed(name or path.name), status.st_size, modified, lambda: path.open("rb"), path)

    @property
    def suffix(self) -> str:
        """The ending in lower case, for example ``.json``; for a compressed file, that of its content."""
        return Path(self.name.lower().removesuffix(COMPRESSED)).suffix


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file and the encoding of its text."""

    file: File
    encoding: str

    @classmethod
    def of(cls, file: File, encoding: str | None) -> "TextFile":
        """The file in the named encoding, or in the one that its first bytes say. Raises :class:`NotText` or
        :class:`Binary`, and ``InvalidArgument`` if the encoding is unknown.
        """
        with file.opened() as raw:
            first = raw.read(4)
            name = _known(encoding) if encoding is not None else json.detect_encoding(first)
            decoder, read, line, block = getincrementaldecoder(name)(), 0, 1, first + raw.read(_CHECKED)
            while True:
                read += len(block)
                try:
                    line += decoder.decode(block, final=not block).count("\n")
                except UnicodeDecodeError as error:
                    if encoding is None and b"\x00" in block:
                        raise Binary from None
                    line += error.object[: error.start].count(b"\n")
                    place = read - len(error.object) + error.start + 1
                    raise NotText(f"line {line} is not {name.upper()}, at byte {place:,} of the file") from None
                except UnicodeError:  # some codecs do not give the position
                    raise NotText(f"it is not {name.upper()}") from None
                if not block:
                    return cls(file, name)
                block = raw.read(_CHECKED)

    def open(self) -> TextIO:
        """The text of the file."""
        return TextIOWrapper(self.file.opened(), encoding=self.encoding)


def first_character(text: TextFile) -> str:
    """The first character that is not white space; empty if there is none."""
    with text.open() as file:
        while block := file.read(_BLOCK):
            if start := block.lstrip():
                return start[0]
    return ""


def lines(text: TextFile) -> Iterator[Entry]:
    """Every line that is not blank, read lazily. Line numbers count blank lines."""
    with text.open() as file:
        number = 0
        while line := file.readline(_LONGEST):
            number += 1
            if len(line) == _LONGEST and not line.endswith("\n"):
                while (rest := file.readline(_LONGEST)) and not rest.endswith("\n"):
                    pass
                yield Entry(f"line {number}", problem=f"is longer than {_LONGEST:,} characters")
            elif line.strip():
                yield _line(number, line)


def document(text: TextFile) -> object:
    """The whole file as one JSON value; raises :class:`NotJson`."""
    if text.file.size > LARGEST:
        raise NotJson(f"one value of {text.file.size:,} bytes, more than the {LARGEST:,} that are read at once")
    with text.open() as file:
        try:
            return json.load(file, strict=False)
        except json.JSONDecodeError as error:
            raise NotJson(f"{error.msg}: line {error.lineno}, column {error.colno}") from None
        except (ValueError, RecursionError) as error:
            raise NotJson(_problem(error)) from None


def elements(text: TextFile) -> Iterator[object]:
    """The values of a file that is one JSON list, read lazily; raises :class:`NotJson`."""
    with text.open() as file:
        listing = _List(file)
        listing.expect("[")
        if listing.peek() == "]":
            listing.expect("]")
        else:
            yield listing.value()
            while listing.peek() != "]":
                listing.expect(",")
                yield listing.value()
            listing.expect("]")
        if listing.peek():
            raise listing.error("Extra data")


class _List:
    """A JSON list of which a window is in memory. If a value does not end in the window, more is read."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._window, self._at = "", 0
        self._line, self._column = 1, 1  # of the beginning of the window

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            while self._at < len(self._window):
                if self._window[self._at] not in _SPACE:
                    return self._window[self._at]
                self._at += 1
            if not self._read():
                return ""

    def expect(self, sign: str) -> None:
        """Read the given sign. Raises :class:`NotJson` if it is not next."""
        if self.peek() != sign:
            raise self.error(f"Expecting '{sign}' delimiter")
        self._at += 1

    def value(self) -> object:
        """Read the next value."""
        self.peek()
        self._drop()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                if not self._read():
                    self._at = error.pos
                    raise self.error(error.msg) from None
            except (ValueError, RecursionError) as error:
                raise NotJson(_problem(error)) from None
            else:
                if end < len(self._window) or not self._read():  # a number may continue
                    self._at = end
                    return value

    def error(self, problem: str) -> NotJson:
        """An error with the problem and the current place."""
        line, column = self._place(self._at)
        return NotJson(f"{problem}: line {line}, column {column}")

    def _read(self) -> bool:
        """Double the window, so that a long value is not parsed too often; False at the end."""
        if len(self._window) - self._at > _LONGEST:
            raise self.error(f"a value is longer than {_LONGEST:,} characters")
        block = self._file.read(max(_CHECKED, len(self._window)))
        self._window += block
        return bool(block)

    def _drop(self) -> None:
        self._line, self._column = self._place(self._at)
        self._window, self._at = self._window[self._at :], 0

    def _place(self, at: int) -> tuple[int, int]:
        breaks = self._window.count("\n", 0, at)
        column = at - self._window.rfind("\n", 0, at) if breaks else self._column + at
        return self._line + breaks, column


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
        getincrementaldecoder(encoding)
    except (LookupError, ValueError):
        expected = "name one that Python knows, like cp1252, latin-1 or utf-16"
        raise InvalidArgument(argument="encoding", value=encoding, expected=expected) from None
    return encoding


def _line(number: int, line: str) -> Entry:
    place = f"line {number}"
    try:
        return Entry(place, _DECODER.decode(line))
    except json.JSONDecodeError as error:
        return Entry(place, problem=f"is not JSON ({error.msg}: column {error.colno})")
    except (ValueError, RecursionError) as error:
        return Entry(place, problem=_problem(error))


def _problem(error: Exception) -> str:
    return "is nested too deeply" if isinstance(error, RecursionError) else "holds a number that is too long"
