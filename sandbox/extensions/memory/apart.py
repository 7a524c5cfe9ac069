"""Processes beside this one, for what would hold the interpreter's lock against who talks.

Values go both ways as frames: eight bytes of length, then a pickled value. A child keeps nothing, and ends with whoever
started it. Not ``multiprocessing``, whose children run the main module again.
"""

import asyncio
import gc
import os
import pickle
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")
_LEAVE = 1.0  # seconds a child has to end in when it has nothing more to say
_AHEAD = 1 << 20  # bytes a child may be ahead by, twice; its pipe holds a little more
_NICE = 10  # who talks goes first
_GARBAGE = 100_000  # objects between two looks for cycles, of which a child makes few: a twentieth of its time


class Child:
    """A process that runs a module of this package, seen from the one that started it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str) -> "Child | None":
        """Start one; None where that is not possible. It imports what this process would, not what is in the folder it
        is in, is not told of Ctrl-C, and what it has to complain of, which may be content, is not shown.
        """
        if not sys.executable:
            return None
        # too many processes, no such program; an event loop that starts none: whoever asked works without
        with suppress(OSError, NotImplementedError):
            path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
            return cls(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", module),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": path},
                    start_new_session=True,
                    limit=_AHEAD,
                )
            )
        return None

    async def send(self, value: object) -> None:
        """Hand over a value. Raises ``OSError`` where the child has ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(_frame(value))
        await self._process.stdin.drain()

    async def receive(self) -> Any:
        """The next value it sends. Raises ``EOFError`` or ``OSError`` where it has ended."""
        assert self._process.stdout is not None
        (length,) = _LENGTH.unpack(await self._process.stdout.readexactly(_LENGTH.size))
        return await asyncio.to_thread(pickle.loads, await self._process.stdout.readexactly(length))

    def kill(self) -> None:
        """End it, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def left(self) -> None:
        """Returns once it has ended by itself, which it is about to do; not for ever. Who kills it then may take its
        exit code from under asyncio, which complains.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVE):
                await self._process.wait()

    async def close(self) -> None:
        """End it, and return once it has ended."""
        if self._process.stdout is not None and self._process.stdout.at_eof():
            await self.left()
        self.kill()
        with suppress(RuntimeError):  # somebody reads there, to the same end
            await self._process.communicate()
        await self._process.wait()


class Parent:
    """Whoever started this process, seen from it."""

    def __init__(self, values: BinaryIO, answers: BinaryIO) -> None:
        self._values = values
        self._answers = answers

    def receive(self) -> Any:
        """The next value it sends. Raises ``EOFError`` where it sends no more."""
        header = self._values.read(_LENGTH.size)
        if not header:
            raise EOFError
        return pickle.loads(self._values.read(*_LENGTH.unpack(header)))

    def send(self, value: object) -> None:
        """Hand over a value; waits while much is not taken yet. Raises ``BrokenPipeError`` where nobody takes it."""
        self._answers.write(_frame(value))
        self._answers.flush()


def serve(work: Callable[[Parent], None]) -> None:
    """What the module of a child does: its work, as long as somebody wants it, after everybody else's."""
    with suppress(OSError, AttributeError):  # Windows has no such thing
        os.nice(_NICE)
    gc.set_threshold(_GARBAGE)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what somebody's code prints is no answer
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        work(Parent(sys.stdin.buffer, answers))


def _frame(value: object) -> bytes:
    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(pickled)) + pickled
