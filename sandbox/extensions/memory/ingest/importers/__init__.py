"""Files of conversations and memories from elsewhere, read as values. Nothing here stores anything.

A format is a pair of functions over JSON records: ``recognises`` one, ``read`` them all. Whether the records stand on
lines of their own, in one JSON array, or alone in a file is decided once, here, by content and never by name.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from zipfile import is_zipfile

from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import chatgpt, chatlines, claude_code, codex, files, locomo, memories
from sandbox.extensions.memory.ingest.importers.values import Entry, Item, Record

__all__ = ["Item", "Source", "read"]

_OTHERWISE = "say which encoding it is in, for example `--encoding cp1252`, or convert it to UTF-8 first"
_SAMPLE = 20  # records looked at to recognise a format; the first lines of a file can be broken or bookkeeping


@dataclass(frozen=True, slots=True)
class Source:
    """A recognised file. Iterating gives its messages, statements and broken records in order, every time from the
    start, and of JSON Lines lazily; ``total`` is how many there will be, where that is known without reading all.
    """

    format: str
    total: int | None
    items: Callable[[], Iterator[Item]] = field(repr=False)

    def __iter__(self) -> Iterator[Item]:
        return self.items()


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    noun: str  # what a record is called in the place of a broken one
    recognises: Callable[[Record], bool]
    read: Callable[[Iterable[Entry]], Iterator[Item]]


_FORMATS = (
    _Format("LoCoMo conversations", "conversation", locomo.recognises, locomo.read),
    _Format("ChatGPT export", "conversation", chatgpt.recognises, chatgpt.read),
    _Format("Claude Code transcript", "line", claude_code.recognises, claude_code.read),
    _Format("memories.jsonl", "memory", memories.recognises, memories.read),
    _Format("chat messages", "message", chatlines.recognises, chatlines.read),
    _Format("Codex rollout", "line", codex.recognises, codex.read),  # bare lines of it are chat messages as well
)


def read(path: Path, encoding: str | None = None) -> Source:
    """The file as a source of records. Raises :class:`UnreadableImport` where there is no such file, or it cannot be
    opened, is empty, is not in its encoding, is not JSON, or is of no known format. JSON Lines are streamed, a JSON
    document is loaded whole.
    """
    try:
        return _read(path, encoding)
    except OSError as error:
        raise UnreadableImport(path=path, problem=error.strerror or "it cannot be opened") from error


def _read(path: Path, encoding: str | None) -> Source:
    if not path.is_file():
        raise UnreadableImport(path=path, problem=_absence(path))
    if is_zipfile(path):
        raise UnreadableImport(path=path, problem="it is a ZIP archive; unpack it and name the JSON in it")
    try:
        text = files.TextFile.of(path, encoding)
    except files.NotText as error:
        raise UnreadableImport(path=path, problem=f"{error}; {_OTHERWISE}") from None
    first = files.first_character(text)
    if not first:
        raise UnreadableImport(path=path, problem="it is empty")
    sample = [] if first == "[" else list(islice(files.lines(text), _SAMPLE))
    return _lines(text, sample) if _are_records(sample) else _document(text, first)


def _absence(path: Path) -> str:
    if path.is_dir():
        return "it is a folder; name the files in it"
    is_stream = path.exists() or path == Path("-")
    return "it is not a file; save in one what comes from it" if is_stream else "there is no such file"


def _are_records(sample: list[Entry]) -> bool:
    """Whether the lines stand for themselves: of a document that is spread over lines few do."""
    objects = sum(isinstance(entry.value, dict) for entry in sample)
    return 0 < len(sample) <= 2 * objects


def _lines(text: files.TextFile, sample: list[Entry]) -> Source:
    format_ = _recognised(text.path, [entry.value for entry in sample])
    return Source(format_.name, None, lambda: format_.read(files.lines(text)))


def _document(text: files.TextFile, first: str) -> Source:
    if first not in "[{":
        raise UnreadableImport(path=text.path, problem=f"it is not JSON; {_known()}")
    try:
        document = files.document(text)
    except files.NotJson as error:
        raise UnreadableImport(path=text.path, problem=f"it is not JSON ({error}); {_known()}") from None
    values = document if isinstance(document, list) else [document]
    format_ = _recognised(text.path, values[:_SAMPLE])
    entries = [Entry(f"{format_.noun} {number}", value) for number, value in enumerate(values, 1)]
    items = list(format_.read(entries))
    return Source(format_.name, len(items), lambda: iter(items))


def _recognised(path: Path, values: list[object]) -> _Format:
    """The format of most of the values."""
    records = [value for value in values if isinstance(value, dict)]
    best = max(_FORMATS, key=lambda format_: sum(map(format_.recognises, records)))
    if not any(map(best.recognises, records)):
        raise UnreadableImport(path=path, problem=f"it is of no known format; {_known()}")
    return best


def _known() -> str:
    *names, last = (format_.name for format_ in _FORMATS)
    return f"known are {', '.join(names)} and {last}"
