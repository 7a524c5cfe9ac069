"""A person's input: messages, one at a time."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sandbox.errors import InvalidMessage
from sandbox.extensions.cli_channel.screen import is_dumb


class Reader(Protocol):
    """A source of messages. At a keyboard, Ctrl-C need not end the program."""

    is_person: bool

    async def read(self) -> str | None:
        """The next message; None after the last. Raises ``InvalidMessage`` for input that is not text."""

    async def interrupt(self, show: Callable[[], None]) -> None:
        """Show something while the person types; the typed text stays."""

    def keep(self, line: str) -> None:
        """Store the last message for the arrow keys, if there are any, in this form without secrets."""


def decoded(line: bytes) -> str:
    """The text of a line. Raises ``InvalidMessage``."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InvalidMessage(problem="is not UTF-8") from None


class Lines:
    """Lines of a pipe, or of a simple terminal. A backslash at the end joins a line with the next."""

    def __init__(self, descriptor: int, *, is_person: bool = False) -> None:
        self.is_person = is_person
        self._descriptor = descriptor
        self._buffer = b""

    async def read(self) -> str | None:
        """The next line or joined lines; None after the last."""
        lines: list[str] = []
        if self.is_person:
            print("> ", end="", flush=True)
        while (line := await self._line()) is not None:
            lines.append(line.removesuffix("\\"))
            if not line.endswith("\\"):
                break
        return "\n".join(lines) if lines else None

    async def interrupt(self, show: Callable[[], None]) -> None:
        """Show it; the terminal keeps the typed text."""
        show()

    def keep(self, line: str) -> None:
        """Do nothing: there are no arrow keys."""

    async def _line(self) -> str | None:
        while b"\n" not in self._buffer:
            more = await _read(self._descriptor)
            if not more:
                last, self._buffer = self._buffer, b""
                return decoded(last) if last else None
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        return decoded(line).removesuffix("\r")


async def _read(descriptor: int) -> bytes:
    """Some bytes, or none at the end. A thread that waits for them does not prevent the end of the process."""
    loop = asyncio.get_running_loop()
    coming: asyncio.Future[bytes] = loop.create_future()

    def give(data: bytes) -> None:
        if not coming.done():
            coming.set_result(data)

    def wait() -> None:
        data = b""
        with suppress(OSError):  # the terminal is gone
            data = os.read(descriptor, 65_536)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(give, data)

    threading.Thread(target=wait, name="stdin", daemon=True).start()
    return await coming


def reader_of_process(history: Path | None, names: Sequence[str], hint: Callable[[], None]) -> Reader:
    """The reader of a line editor, or of a pipe. Tab completes ``names``; ``hint`` says how to leave."""
    if sys.stdin is None:  # it was closed
        return Lines(os.open(os.devnull, os.O_RDONLY))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Lines(sys.stdin.fileno())
    if is_dumb():
        return Lines(sys.stdin.fileno(), is_person=True)
    from sandbox.extensions.cli_channel.keyboard import Keyboard

    return Keyboard(history, names, hint)
