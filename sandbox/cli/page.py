"""Printing for people: calm, complete, wrapped to the terminal, plain in a pipe.

Content is data: it contains no markup, and cannot control a terminal.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from sandbox.support.characters import printable
from sandbox.support.times import in_zone

if TYPE_CHECKING:
    from sandbox.extensions.memory.model import Hit, Record

ID, FAINT, HEADING, GOOD, BAD = "cyan", "dim", "bold", "green", "bold red"

Part = str | tuple[str, str]
"""A text, or a text and its style."""

_NARROWEST = 20  # columns of a text at least
_NAMED = 5  # names in a sentence


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """End the program: a reader that has left (``| head``) is no error."""
        raise SystemExit(0)


class Page:
    """A console, and the time zone of its dates; None is this machine's."""

    def __init__(self, console: Console | None = None, zone: tzinfo | None = None) -> None:
        self.console = console or _Output(highlight=False, markup=False, emoji=False)
        self._zone = zone

    def day(self, moment: datetime) -> str:
        """``2026-03-02``."""
        return in_zone(moment, self._zone).strftime("%Y-%m-%d")

    def when(self, memory: "Hit | Record") -> str:
        """The told time of a memory, or else its day."""
        return memory.told or self.day(memory.event_time)

    def minute(self, moment: datetime) -> str:
        """``2026-03-02 07:12``."""
        return in_zone(moment, self._zone).strftime("%Y-%m-%d %H:%M")

    def line(self, *parts: Part, indent: int = 0) -> None:
        """Parts side by side, without blank ones."""
        self._print(_joined(parts), Text(" " * indent))

    def text(self, content: str, *, indent: int = 2) -> None:
        """A text of any length."""
        self._print(Text(printable(content)), Text(" " * indent))

    def verbatim(self, content: str) -> None:
        """A text for programs: wrapped on a terminal, line for line in a pipe."""
        if self.console.is_terminal:
            self.text(content, indent=0)
        else:
            self.console.print(Text(printable(content)), soft_wrap=True)

    def quote(self, content: str) -> None:
        """A text of any length, marked by a bar."""
        for line in self._lines(Text(printable(content)), 4):
            self.console.print(Text.assemble(("  |", FAINT), " " if line else "", line), soft_wrap=True)

    def brief(self, *parts: Part) -> None:
        """Parts side by side on one line, cut at its end, for content that is shown in full elsewhere."""
        text = _joined(parts)
        text.truncate(max(_NARROWEST, self.console.width), overflow="ellipsis")
        self.console.print(text, soft_wrap=True)

    def blank(self) -> None:
        """An empty line."""
        self.console.print()

    def heading(self, title: str) -> None:
        """The heading of what follows."""
        self.blank()
        self.line((title, HEADING))

    def rows(self, rows: Iterable[tuple[Sequence[Part], Part]]) -> None:
        """A table without lines: each row has some cells, then a text that wraps within its column."""
        table = [([_text(cell) for cell in cells], _text(last)) for cells, last in rows]
        widths = [max(cell.cell_len for cell in column) for column in zip(*(cells for cells, _ in table), strict=True)]
        for cells, last in table:
            for cell, width in zip(cells, widths, strict=True):
                cell.pad_right(width + 2 - cell.cell_len)
            self._print(last, Text().join(cells))

    def _print(self, text: Text, lead: Text) -> None:
        """Print a wrapped text; the first line after ``lead``, the others below it."""
        for number, line in enumerate(self._lines(text, lead.cell_len)):
            printed = lead + line if number == 0 else Text(" " * lead.cell_len) + line
            printed.rstrip()  # an empty line has only its indent
            self.console.print(printed, soft_wrap=True)

    def _lines(self, text: Text, taken: int) -> Iterator[Text]:
        """The text in lines that leave ``taken`` columns."""
        for line in text.wrap(self.console, max(_NARROWEST, self.console.width - taken), overflow="fold"):
            line.rstrip()
            yield line


def named(names: Sequence[str]) -> str:
    """The first names, and how many more there are; there may be thousands."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(printable, names[:_NAMED])) + more


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _text(part: Part) -> Text:
    return Text(printable(part)) if isinstance(part, str) else Text(printable(part[0]), part[1])


def _joined(parts: Sequence[Part]) -> Text:
    return Text("  ").join(text for part in parts if (text := _text(part)))
