"""Break text that comes in pieces into lines between words; the terminal breaks longer ones."""

import re
import sys

from rich.cells import cell_len

from sandbox.support.characters import printable

UNBROKEN = sys.maxsize  # the width of a pipe

_PIECES = re.compile(r"[\n ]|[^\n ]+")


class Flow:
    """Takes text as it comes and returns what can be shown: no control sequences, and only complete words.

    ``width`` is in columns.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._column = 0
        self._held = ""  # the beginning of a word, or half a line break

    def feed(self, text: str) -> str:
        """The text that can be shown now."""
        raw = self._held + text
        end = max(raw.rfind(" "), raw.rfind("\n")) + 1
        self._held = raw[end:]
        return self._broken(raw[:end])

    def rest(self) -> str:
        """The text that was held back, at the end."""
        return self._broken(self._held)

    def _broken(self, text: str) -> str:
        return "".join(map(self._placed, _PIECES.findall(printable(text))))

    def _placed(self, piece: str) -> str:
        """The piece, after a line break if it does not fit."""
        if piece == "\n":
            self._column = 0
            return piece
        before, cells = "", cell_len(piece)
        if self._column and self._column + cells > self._width:
            if piece == " ":  # the next word begins a line
                self._column = self._width
                return ""
            before, self._column = "\n", 0
        self._column += cells
        return before + piece


def broken(text: str, width: int) -> list[str]:
    """The lines of a complete text."""
    flow = Flow(width)
    return (flow.feed(text) + flow.rest()).split("\n")
