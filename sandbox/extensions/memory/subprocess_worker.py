"""Child processes for work that would hold the interpreter's lock and delay conversations.

Values go both ways as frames: eight bytes of length, then a pickled value. A child keeps nothing, and ends with its
parent. ``multiprocessing`` is not used, because its children run the main module again.
"""

import asyncio
import gc
import os
import pickle
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

_LENGTH = struct.Struct("<Q")
_CLOSING = 5.0  # seconds
_AHEAD = 1 << 20  # bytes a child may be ahead by, twice; its pipe holds a little more
_NICE = 10  # who talks goes first
_GARBAGE = 100_000  # objects between two looks for cycles, of which a child makes few: a twentieth of its time


class Child:
    """A process that runs a module of this package, seen from the one that started it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._handle = _handle_of(process.pid)

    @classmethod
    async def start(cls, module: str) -> "Child | None":
        """Start one; None where that is not possible."""
        if not sys.executable:
            return None
        # too many processes, no such program; an event loop that starts none: whoever asked works without
        with suppress(OSError, NotImplementedError):
            return cls(await asyncio.create_subprocess_exec(*_command(module), **_surroundings(), limit=_AHEAD))
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
            if self._handle is None:
                self._process.kill()
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    async def close(self) -> None:
        """End it, and return once it has ended."""
        self.kill()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        with suppress(RuntimeError):  # somebody reads there, to the same end
            await self._process.communicate()
        await self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        with suppress(OSError, TimeoutError):  # of what was sent and not taken, which Python 3.11.2 logs if nobody asks
            await asyncio.wait_for(self._process.stdin.wait_closed(), _CLOSING)


class Worker:
    """A process that answers one question after the other, whichever thread asks. Unlike ``Child`` it belongs to no
    event loop, so that many may share it.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @classmethod
    def start(cls, module: str) -> "Worker | None":
        """Start one; None where that is not possible."""
        with suppress(OSError):
            return cls(subprocess.Popen(_command(module), **_surroundings())) if sys.executable else None
        return None

    def ask(self, value: object) -> Any:
        """The answer to a value. Raises ``EOFError`` or ``OSError`` where the process has ended."""
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None
        assert answers is not None
        questions.write(_frame(value))
        questions.flush()
        return _receive(answers)

    def end(self) -> None:
        """End it, whatever it is doing, and return once it has ended."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # of what was written to it and not taken
                assert pipe is not None
                pipe.close()


class Parent:
    """Whoever started this process, seen from it."""

    def __init__(self, values: IO[bytes], answers: IO[bytes]) -> None:
        self._values = values
        self._answers = answers

    def receive(self) -> Any:
        """The next value it sends. Raises ``EOFError`` where it sends no more."""
        return _receive(self._values)

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


def _command(module: str) -> list[str]:
    return [sys.executable, "-P", "-m", module]


def _surroundings() -> dict[str, Any]:
    """It imports what this process would, not what is in the folder it is in, is not told of Ctrl-C, and what it has to
    complain of, which may be content, is not shown.
    """
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    return {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
        "env": {**os.environ, "PYTHONPATH": path},
        "start_new_session": True,
    }


def _handle_of(pid: int) -> int | None:
    """What a process can be killed by, whoever has its number by then; None where the system is no Linux that has it.
    Killing one that ends, asyncio may take its exit code from under itself and complain
    (https://github.com/python/cpython/issues/87744), or kill another (https://github.com/python/cpython/issues/127049).
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _frame(value: object) -> bytes:
    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(pickled)) + pickled


def _receive(frames: IO[bytes]) -> Any:
    """The next value. Raises ``EOFError`` where there is none, or only a part of it."""
    header = frames.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(header)
    if len(pickled := frames.read(length)) < length:
        raise EOFError
    return pickle.loads(pickled)
