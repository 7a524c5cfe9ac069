"""A person's screen: replies as they are written, and dim notes beside them."""

import os
import shutil
import sys
from typing import TextIO

from sandbox.extensions.cli_channel.flow import UNBROKEN, Flow, broken

_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def is_dumb() -> bool:
    """Whether the terminal of this process has no control sequences."""
    if os.name == "nt":
        return "WT_SESSION" not in os.environ
    return os.environ.get("TERM", "") in ("", "dumb", "unknown")


class Screen:
    """Two streams. On a terminal everything goes to the first, and notes are dim. In a pipe notes go to the second, so
    that the output holds only replies.
    """

    def __init__(self, out: TextIO, err: TextIO, *, is_terminal: bool, is_plain: bool = False) -> None:
        self.is_terminal = is_terminal
        self.is_gone = False  # the output is closed
        self._out = out
        self._notes = out if is_terminal else err
        self._has_styles = is_terminal and not is_plain
        self._flow: Flow | None = None

    @classmethod
    def of_process(cls) -> "Screen":
        """The screen of this process; ``NO_COLOR`` and ``TERM=dumb`` make it plain."""
        is_plain = bool(os.environ.get("NO_COLOR")) or is_dumb()
        return cls(sys.stdout, sys.stderr, is_terminal=sys.stdout.isatty(), is_plain=is_plain)

    def stream(self, text: str) -> None:
        """Show a piece of a reply. A reply that begins, or continues after a note, begins with a word."""
        if self._flow is None:
            text = text.lstrip()
            if not text:
                return
            self._flow = Flow(self._width())
        self._write(self._out, self._flow.feed(text))

    def end(self) -> None:
        """End the reply, or interrupt it for a note."""
        if self._flow is not None:
            self._write(self._out, f"{self._flow.rest()}\n")
            self._flow = None

    def cut(self) -> None:
        """Stop the reply, without the part of a word that was held back."""
        if self._flow is not None:
            self._write(self._out, "\n")
            self._flow = None

    def show(self, text: str) -> None:
        """Show a complete text."""
        self.end()
        self._lines(self._out, text, "", is_dim=False)

    def note(self, text: str) -> None:
        """Show a note."""
        self.end()
        self._lines(self._notes, text, "", is_dim=True)

    def quote(self, text: str) -> None:
        """Show a text that is not for the person: set apart on a terminal, unchanged in a pipe."""
        self.end()
        self._lines(self._out, text, "  " if self.is_terminal else "", is_dim=True)

    def gap(self) -> None:
        """An empty line, for people."""
        self.end()
        if self.is_terminal:
            self._write(self._out, "\n")

    def _lines(self, stream: TextIO, text: str, indent: str, *, is_dim: bool) -> None:
        before, after = (_DIM, _PLAIN) if is_dim and self._has_styles else ("", "")
        lines = broken(text.rstrip(), self._width() - len(indent))
        self._write(stream, "".join(f"{before}{indent}{line}".rstrip() + f"{after}\n" for line in lines))

    def _width(self) -> int:
        return shutil.get_terminal_size().columns if self.is_terminal else UNBROKEN

    def _write(self, stream: TextIO, text: str) -> None:
        if self.is_gone:
            return
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            self.is_gone = True
