"""Break text that comes in pieces into lines between words; the terminal breaks longer ones."""

import re
import sys

from rich.cells import cell_len

from sandbox.support.characters import printable

UNBROKEN = sys.maxsize  # the width of a pipe

_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003fffd"
_PIECES = re.compile(
    rf"\n| |[{_WIDE}]|[^\n {_WIDE}]+"
)  # a line may end after any space, and before any character of these scripts
_WORD = re.compile(rf"[^\n {_WIDE}]")
_LEADS = re.compile(r"^ *(?:- )?|(?<=[^ .:;,!?])  +")  # two spaces after a sentence separate no columns
_LONGEST_HELD = 200  # characters of a word that is held back until it is complete


class Flow:
    """Takes text as it comes and returns what can be shown: no control sequences, and only complete words.

    ``width`` is in columns.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._column = 0
        self._held = ""  # the beginning of a word, or half a line break
        self._is_within_word = False  # of a word that was too long to hold back

    def feed(self, text: str) -> str:
        """The text that can be shown now."""
        raw = self._held + text
        self._held = "\r" if raw.endswith("\r") else ""
        pieces = _PIECES.findall(printable(raw.removesuffix("\r")))
        last = pieces.pop() if pieces and _WORD.match(pieces[-1]) else ""
        shown = "".join(map(self._placed, pieces))
        if self._is_within_word or len(last) > _LONGEST_HELD or cell_len(last) > self._width:
            shown += self._placed(last)
            self._is_within_word = True
        else:
            self._held = last + self._held
        return shown

    def rest(self) -> str:
        """The text that was held back, at the end."""
        held, self._held = self._held, ""
        return "".join(map(self._placed, _PIECES.findall(printable(held))))

    def _placed(self, piece: str) -> str:
        """The piece, after a line break if it does not fit."""
        goes_on = self._is_within_word and _WORD.match(piece) is not None
        self._is_within_word = False
        if piece == "\n":
            self._column = 0
            return piece
        cells = cell_len(piece)
        if goes_on or self._column == 0 or self._column + cells <= self._width:
            self._advance(cells)
            return piece
        if piece.isspace():  # the next word begins a line
            self._column = self._width
            return ""
        self._column = 0
        self._advance(cells)
        return f"\n{piece}"

    def _advance(self, cells: int) -> None:
        """The terminal breaks a longer piece itself; after a full line the cursor waits at its end."""
        column = self._column + cells
        self._column = column if column <= self._width else (column - 1) % self._width + 1


def broken(text: str, width: int) -> list[str]:
    """The lines of a complete text."""
    flow = Flow(width)
    return (flow.feed(text) + flow.rest()).split("\n")


def hung(text: str, width: int) -> list[str]:
    """The same with hanging indents: under the text of a list item, or under the last column of a table, which two
    spaces separate.
    """
    return [part for line in printable(text).split("\n") for part in _hung(line, width)]


def _hung(line: str, width: int) -> list[str]:
    lead = line[: max(found.end() for found in _LEADS.finditer(line[: width // 2]))]
    first, *others = broken(line[len(lead) :], width - cell_len(lead))
    return [lead + first, *(" " * cell_len(lead) + other for other in others)]
