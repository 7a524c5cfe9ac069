"""The process that keeps a memory open, so that a prompt waits for a question and not for a start. One a home: it holds
a lock that dies with it. It goes when nobody has asked for a while, or when its home, its settings or its code change.
"""

import asyncio
import json
import logging
import os
import pickle
import signal
import socket
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import MemoryExtensionError, StoreError
from sandbox.extensions.memory_hooks.answers import Answers
from sandbox.extensions.memory_hooks.client import LOCK, SOCKET, stamp
from sandbox.extensions.memory_hooks.given import Given
from sandbox.extensions.memory_hooks.log import note
from sandbox.support import private

logger = logging.getLogger(__name__)

IDLE = 1800.0  # seconds
_LOOK = 1.0  # seconds between looks at whether it is still wanted
_LARGEST = 64_000_000  # bytes of a question
_CALLS = ("search", "context")

Opener = Callable[[Path], AbstractAsyncContextManager[Memory]]


class Resident:
    """One open memory behind a socket."""

    def __init__(self, home: Path, memory: Memory, lock: FileLock) -> None:
        self._home = home
        self._lock = lock
        self._memory = memory
        self._answers = Answers(home, memory)
        self._stamp = stamp(home)
        self._since = time.time()
        self._asked = time.monotonic()
        self._answered = 0
        self._done = asyncio.Event()

    async def serve(self, listening: socket.socket, idle: float) -> None:
        """Answer until nobody has asked for ``idle`` seconds. What is at work then is finished first."""
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._done.set)
        place = _place()
        server = await asyncio.start_unix_server(self._connected, sock=listening, limit=_LARGEST)
        async with server:
            while not self._done.is_set() and place == _place():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._done.wait(), min(_LOOK, idle))
                if not self._answers.is_at_work and time.monotonic() - self._asked > idle:
                    break
        if place == _place():
            _unlink()
        await self._answers.settled()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(await self._answer(await reader.read(_LARGEST)))
            await writer.drain()
        except (ConnectionError, ValueError) as error:
            logger.warning("a question was not understood: %s", type(error).__name__)
        finally:
            writer.close()

    async def _answer(self, question: bytes) -> bytes:
        """``+`` and the answer, or ``-`` and why there is none."""
        line, _, call = question.partition(b"\n")
        asked = json.loads(line)
        if asked["stamp"] != self._stamp or stamp(self._home) != self._stamp:
            self._go()
            return b"-it was started before something changed"
        if asked["do"] != "ping":
            self._asked = time.monotonic()
        try:
            answer = await self._answers_of(asked, call)
        except MemoryExtensionError as error:
            if isinstance(error, StoreError):
                self._go()
            return b"-" + type(error).__name__.encode()
        except Exception as error:  # whoever asked does without, and learns why
            logger.warning("a question could not be answered: %s", type(error).__name__)
            return b"-" + type(error).__name__.encode()
        self._answered += asked["do"] != "ping"
        return b"+" + answer

    async def _answers_of(self, asked: dict[str, Any], call: bytes) -> bytes:
        if asked["do"] == "hook":
            given = Given.read(asked["event"], asked["input"], asked.get("started_in"))
            answer = await self._answers.answer(
                given, user=asked.get("user") or "default", project=asked.get("project")
            )
            return answer.encode()
        if asked["do"] == "call" and asked["method"] in _CALLS:
            positional, named = pickle.loads(call)
            return pickle.dumps(await getattr(self._memory, asked["method"])(*positional, **named))
        return json.dumps(
            {"pid": os.getpid(), "since": self._since, "answered": self._answered, "learning": self._answers.is_at_work}
        ).encode()

    def _go(self) -> None:
        """Another may start from here on: who asks next finds nobody."""
        _unlink()
        self._lock.release()
        self._done.set()


async def run(home: Path, opened: Opener, idle: float = IDLE) -> int:
    """Be the resident of a home, unless there is one; the exit code."""
    os.chdir(home)  # the address of a socket is short; nothing else is kept in use
    lock = FileLock(LOCK, mode=private.FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return 0
    try:
        async with opened(home) as memory:
            await Resident(home, memory, lock).serve(_listening(), idle)
    except Exception as error:
        note(home, "start", f"the memory could not be kept open: {type(error).__name__}")
        return 1
    finally:
        lock.release()
    return 0


def _listening() -> socket.socket:
    """The socket, in place of one that a resident left behind which was killed."""
    _unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(SOCKET)
    Path(SOCKET).chmod(private.FILE)
    listening.listen(64)
    return listening


def _unlink() -> None:
    with suppress(OSError):
        Path(SOCKET).unlink()


def _place() -> int:
    """Which file the socket is: another one where another resident made its own, 0 where there is none."""
    try:
        return Path(SOCKET).stat().st_ino
    except OSError:
        return 0
