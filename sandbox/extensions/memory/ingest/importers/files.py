"""Files of JSON: one document, or a value on every line. Read as UTF-8 (UTF-16 with its mark); what cannot be decoded
becomes U+FFFD.
"""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from sandbox.extensions.memory.ingest.importers.values import Entry

_BLOCK = 4096  # characters
_DECODER = json.JSONDecoder(strict=False)


class NotJson(Exception):
    """A file is no JSON document; the message says why and where."""


def first_character(path: Path) -> str:
    """The first character that is not white space; empty where there is none."""
    with _open(path) as file:
        while block := file.read(_BLOCK):
            if start := block.lstrip():
                return start[0]
    return ""


def lines(path: Path) -> Iterator[Entry]:
    """Every line that is not blank, read as it is asked for; blank lines count in the numbers of the others."""
    with _open(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _line(number, line)


def document(path: Path) -> object:
    """The whole file as one JSON value; raises :class:`NotJson`."""
    with _open(path) as file:
        try:
            return json.load(file, strict=False)
        except json.JSONDecodeError as error:
            raise NotJson(f"{error.msg}: line {error.lineno}, column {error.colno}") from None
        except (ValueError, RecursionError) as error:
            raise NotJson(_problem(error)) from None


def _open(path: Path) -> TextIO:
    with path.open("rb") as file:
        mark = file.read(2)
    encoding = "utf-16" if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    return path.open(encoding=encoding, errors="replace")


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
