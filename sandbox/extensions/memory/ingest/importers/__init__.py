"""Read files of conversations and memories from other programs as values. Nothing here stores anything.

A format is a pair of functions over records: ``recognises`` one, ``read`` them all. This module finds the records:
lines, the items of one JSON list, a whole file, or the rows of a table. The content of a JSON file decides its format,
never its name; Markdown and tables are recognised by their endings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path, PurePath

from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import containers, files
from sandbox.extensions.memory.ingest.importers.files import File, TextFile
from sandbox.extensions.memory.ingest.importers.formats import (
    BESIDE,
    FORMATS,
    TEXTS,
    UPLOADED,
    Format,
    known,
    unwrapped,
)
from sandbox.extensions.memory.ingest.importers.records import Empty, Entry, Item, JsonRecord, Unknown
from sandbox.extensions.memory.reports import BrokenRecord

__all__ = ["Item", "RecognisedFile", "Source", "read"]

_OTHERWISE = "say which encoding it is in, for example `--encoding cp1252`, or convert it to UTF-8 first"
_SAMPLE = 20  # records that are examined to recognise a format; the first lines can be broken or bookkeeping
_GEMINI_ROOT = ".project_root"
_HEAD = 1_000  # lines among which the folder of a coding agent is searched
_ENDINGS = (".json", ".jsonl", ".ndjson", *TEXTS)  # the endings of files that are read in a folder or an archive


@dataclass(frozen=True, slots=True)
class RecognisedFile:
    """One recognised file. Each iteration gives its messages, statements and broken records in order, from the start;
    lines and lists are read lazily. ``total`` is their number, if it is known without reading all. ``folder`` is where
    a coding agent worked, if the file names it.
    """

    name: str
    format: str
    total: int | None
    items: Callable[[], Iterator[Item]] = field(repr=False)
    folder: str | None = None

    @property
    def title(self) -> str:
        """The name of the file without its ending."""
        return PurePath(self.name).stem

    def __iter__(self) -> Iterator[Item]:
        return self.items()


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or the files of a folder or an archive. ``left_out`` are the names of files whose format is unknown,
    but for those of known exports that hold no conversation.
    """

    parts: tuple[RecognisedFile, ...]
    left_out: tuple[str, ...] = ()

    @property
    def format(self) -> str:
        """The formats of the files, the most frequent first."""
        counted = Counter(part.format for part in self.parts).most_common()
        if len(self.parts) == 1:
            return counted[0][0]
        return ", ".join(f"{name} ({count:,} {'file' if count == 1 else 'files'})" for name, count in counted)

    @property
    def total(self) -> int | None:
        """The number of items, if it is known."""
        totals = [part.total for part in self.parts]
        return None if None in totals else sum(total or 0 for total in totals)

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(self.parts)


class _Unreadable(Exception):
    """A file cannot be read; the message says why."""


def read(path: Path, encoding: str | None = None) -> Source:
    """The file, the folder or the ZIP archive as a source of records. Raises :class:`UnreadableImport` if it does not
    exist or cannot be opened, is empty, has another encoding, is not valid JSON, or has no file of a known format.
    """
    try:
        if path.is_dir():
            return _contained(containers.in_folder(path), encoding)
        if not path.is_file():
            is_stream = path.exists() or path == Path("-")
            nothing = "it is not a file; save in one what comes from it" if is_stream else "there is no such file"
            raise _Unreadable(nothing)
        if containers.is_archive(path):
            return _contained(containers.in_archive(path), encoding)
        return Source((_part(File.at(path), encoding),))
    except (Unknown, _Unreadable, containers.ContainerRefused) as error:
        raise UnreadableImport(path=path, problem=str(error)) from None
    except OSError as error:
        raise UnreadableImport(path=path, problem=error.strerror or "it cannot be opened") from error


def _contained(found: Iterator[File], encoding: str | None) -> Source:
    """The recognised files of a folder or an archive; a file that cannot be read becomes a broken record."""
    parts, left_out = list[RecognisedFile](), list[str]()
    for file in found:
        try:
            if file.suffix not in _ENDINGS or UPLOADED.match(PurePath(file.name).name):
                raise Unknown
            part = _part(file, encoding)
        except Empty:
            pass
        except Unknown:
            left_out += [file.name] if PurePath(file.name).name not in BESIDE else []
        except _Unreadable as error:
            parts.append(_broken(file.name, str(error)))
        except (OSError, *containers.DAMAGED):
            parts.append(_broken(file.name, "cannot be read; it is damaged"))
        else:
            parts.append(replace(part, items=_guarded(part)))
    if not parts:
        raise Unknown(f"nothing in it is of a known format; {known()}")
    return Source(tuple(parts), tuple(left_out))


def _broken(name: str, problem: str) -> RecognisedFile:
    return RecognisedFile(name, "unreadable", 1, lambda: iter([BrokenRecord(name, problem)]))


def _guarded(part: RecognisedFile) -> Callable[[], Iterator[Item]]:
    """The items of one file of several, which a place names. An error in it does not end the others."""

    def items() -> Iterator[Item]:
        try:
            for item in part.items():
                yield replace(item, place=f"{part.name}, {item.place}") if isinstance(item, BrokenRecord) else item
        except (OSError, UnicodeError, files.NotJson, *containers.DAMAGED):
            yield BrokenRecord(part.name, "is damaged, or was changed while it was read")

    return items


def _part(file: File, encoding: str | None) -> RecognisedFile:
    if file.name.lower().endswith(files.COMPRESSED):
        raise _Unreadable("it is compressed with Zstandard; unpack it first, with `zstd -d`")
    try:
        text = TextFile.of(file, encoding)
    except files.Binary:
        raise Unknown(f"it is not text; {known()}") from None
    except files.NotText as error:
        raise _Unreadable(f"{error}; {_OTHERWISE}") from None
    first = files.first_character(text)
    if not first:
        raise Empty("it is empty")
    if (read_text := TEXTS.get(file.suffix)) is not None:
        name, items = read_text(text)
        return RecognisedFile(file.name, name, sum(1 for _ in items()), items)
    if first == "[":
        return _values(text, lambda: files.elements(text))
    sample = list(islice(files.lines(text), _SAMPLE))
    if len(sample) == 1 and unwrapped(sample[0].value) is not None:
        sample = []  # the document is on one line
    if 0 < len(sample) <= 2 * sum(isinstance(entry.value, dict) for entry in sample):  # of a document few lines are
        return _lines(text, sample)
    if first != "{":
        raise Unknown(f"it is not JSON; {known()}")
    return _values(text, lambda: _document(text))


def _lines(text: TextFile, sample: list[Entry]) -> RecognisedFile:
    format_ = _recognised(entry.value for entry in sample)
    return RecognisedFile(text.file.name, format_.name, None, lambda: format_.read(files.lines(text)), _folder(text))


def _folder(text: TextFile) -> str | None:
    """The folder in which a coding agent began, on this system: it stands in a line, in what the line wraps, or in the
    context of that; or Gemini CLI wrote it into a file beside its chats.
    """
    records = (JsonRecord(line.value) for line in islice(files.lines(text), _HEAD) if isinstance(line.value, dict))
    places = ((each, each.inner("payload"), each.inner("data").inner("context")) for each in records)
    found = next((folder for place in chain.from_iterable(places) if (folder := place.get("cwd"))), None)
    if found is None and text.file.path is not None:
        with suppress(OSError, UnicodeError):
            found = (text.file.path.parent.parent / _GEMINI_ROOT).read_text(encoding="utf-8").strip()
    return found if isinstance(found, str) and Path(found).is_absolute() else None


def _document(text: TextFile) -> Iterator[object]:
    value = files.document(text)
    inner = unwrapped(value)
    return iter([value] if inner is None else inner)


def _values(text: TextFile, load: Callable[[], Iterator[object]]) -> RecognisedFile:
    """The records of a list or a document. All are examined before the first one is used, and read again then."""

    def items() -> Iterator[Item]:
        return format_.read(Entry(f"{format_.noun} {number}", value) for number, value in enumerate(load(), 1))

    try:
        format_ = _recognised(islice(load(), _SAMPLE))
        return RecognisedFile(text.file.name, format_.name, sum(1 for _ in items()), items)
    except files.NotJson as error:
        raise _Unreadable(f"it is not JSON ({error}); {known()}") from None


def _recognised(values: Iterable[object]) -> Format:
    """The format of most of the values."""
    if not (sample := list(values)):
        raise Empty(f"it has no record; {known()}")
    records = [JsonRecord(value) for value in sample if isinstance(value, dict)]
    best = max(FORMATS, key=lambda format_: sum(map(format_.recognises, records)))
    if not any(map(best.recognises, records)):
        raise Unknown(f"it is of no known format; {known()}")
    return best
