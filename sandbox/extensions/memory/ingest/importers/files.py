"""Files of JSON: one document, or a value on every line. Their encoding is read from their first bytes (RFC 4627 and
byte order marks), or named by the caller; a byte that does not fit it is an error, since a guess would change words.
"""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.ingest.importers.values import Entry

_BLOCK = 4096  # characters
_CHECKED = 256_000  # bytes decoded at once
_DECODER = json.JSONDecoder(strict=False)


class NotJson(Exception):
    """A file is no JSON document; the message says why and where."""


class NotText(Exception):
    """A file is not in its encoding; the message says where."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file and the encoding all of it is in."""

    path: Path
    encoding: str

    @classmethod
    def of(cls, path: Path, encoding: str | None) -> "TextFile":
        """The file in the named encoding, or in what its first bytes say. Raises :class:`NotText`, and
        ``InvalidArgument`` where there is no such encoding.
        """
        with path.open("rb") as file:
            name = _known(encoding) if encoding is not None else json.detect_encoding(file.read(4))
            file.seek(0)
            decoder, read, line = getincrementaldecoder(name)(), 0, 1
            while True:
                block = file.read(_CHECKED)
                read += len(block)
                try:
                    line += decoder.decode(block, final=not block).count("\n")
                except UnicodeDecodeError as error:
                    line += error.object[: error.start].count(b"\n")
                    place = read - len(error.object) + error.start + 1
                    raise NotText(f"line {line} is not {name.upper()}, at byte {place:,} of the file") from None
                except UnicodeError:  # some codecs do not say where
                    raise NotText(f"it is not {name.upper()}") from None
                if not block:
                    return cls(path, name)

    def open(self) -> TextIO:
        """The text of the file."""
        return self.path.open(encoding=self.encoding)


def first_character(text: TextFile) -> str:
    """The first character that is not white space; empty where there is none."""
    with text.open() as file:
        while block := file.read(_BLOCK):
            if start := block.lstrip():
                return start[0]
    return ""


def lines(text: TextFile) -> Iterator[Entry]:
    """Every line that is not blank, read as it is asked for; blank lines count in the numbers of the others."""
    with text.open() as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _line(number, line)


def document(text: TextFile) -> object:
    """The whole file as one JSON value; raises :class:`NotJson`."""
    with text.open() as file:
        try:
            return json.load(file, strict=False)
        except json.JSONDecodeError as error:
            raise NotJson(f"{error.msg}: line {error.lineno}, column {error.colno}") from None
        except (ValueError, RecursionError) as error:
            raise NotJson(_problem(error)) from None


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
