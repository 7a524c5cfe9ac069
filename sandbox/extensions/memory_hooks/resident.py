"""The process that keeps a memory open, so that a prompt need not wait for a start.

There is one for each home: it holds a lock that ends with it. It ends after some time without questions, or when its
home, its settings or its code change.
"""

import asyncio
import json
import logging
import os
import pickle
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import MemoryExtensionError, StoreError
from sandbox.extensions.memory_hooks import client
from sandbox.extensions.memory_hooks.answers import HookAnswers
from sandbox.extensions.memory_hooks.log import PROBLEMS, note
from sandbox.support import private

logger = logging.getLogger(__name__)

IDLE = 1800.0  # seconds
_LOOK = 1.0  # seconds between checks whether it is still needed
_PATIENCE = 5.0  # seconds for another resident to end
_LAST = 2.0  # seconds for background work when it is asked to end
_LARGEST = 64_000_000  # bytes of a question
_CALLS = ("search", "context", "explain_context", "sessions")  # what `Invocation.ask_quickly` asks

Opener = Callable[[Path], AbstractAsyncContextManager[Memory]]


class Resident:
    """One open memory behind a socket."""

    def __init__(self, home: Path, memory: Memory, lock: FileLock) -> None:
        self._home = home
        self._lock = lock
        self._memory = memory
        self._answers = HookAnswers(home, memory)
        self._stamp = client.stamp(home)
        self._since = time.time()
        self._asked = time.monotonic()
        self._answered = 0
        self._done = asyncio.Event()

    async def serve(self, listening: socket.socket, idle: float, first: dict[str, Any] | None) -> None:
        """Answer until nobody has asked for ``idle`` seconds, and finish background work. ``first`` is the question
        that started this process; somebody else has answered it, and its transcript is read. A signal ends it soon.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stop)
        place = _socket_inode()
        server = await asyncio.start_unix_server(self._connected, sock=listening, limit=_LARGEST)
        async with server:
            if first is not None:
                await self._answer(json.dumps({"stamp": self._stamp, **first}).encode())
            while not self._done.is_set() and place == _socket_inode():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._done.wait(), min(_LOOK, idle))
                if not self._answers.is_at_work and time.monotonic() - self._asked > idle:
                    break
        if place == _socket_inode():
            _unlink()
        await self._answers.settled()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(await self._answer(await reader.read(_LARGEST)))
            await writer.drain()
        except (ConnectionError, ValueError) as error:
            logger.warning("a hook's question could not be read, or its answer not sent (%s)", type(error).__name__)
        finally:
            writer.close()

    async def _answer(self, question: bytes) -> bytes:
        """``+`` and the answer, or ``-`` and the reason why there is none."""
        line, _, call = question.partition(b"\n")
        asked = json.loads(line)
        if asked["stamp"] != self._stamp or client.stamp(self._home) != self._stamp:
            self._step_down()
            return b"-" + client.CHANGED.encode()
        if asked["do"] != "ping":
            self._asked = time.monotonic()
        try:
            answer = await self._answers_of(asked, call)
        except MemoryExtensionError as error:
            if isinstance(error, StoreError):
                self._step_down()
            return b"-" + type(error).__name__.encode()
        except Exception as error:  # the caller gets the reason
            logger.warning("a hook's question could not be answered (%s)", type(error).__name__)
            return b"-" + type(error).__name__.encode()
        self._answered += asked["do"] != "ping"
        return b"+" + answer

    async def _answers_of(self, asked: dict[str, Any], call: bytes) -> bytes:
        if asked["do"] == "hook":
            return (await self._answers.answer(asked)).encode()
        if asked["do"] == "call":
            if asked["method"] not in _CALLS:
                raise client.NoResident
            positional, named = pickle.loads(call)
            return pickle.dumps(await getattr(self._memory, asked["method"])(*positional, **named))
        return json.dumps(
            {"pid": os.getpid(), "since": self._since, "answered": self._answered, "learning": self._answers.is_at_work}
        ).encode()

    def _stop(self) -> None:
        self._done.set()
        asyncio.get_running_loop().call_later(_LAST, self._answers.leave)

    def _step_down(self) -> None:
        """Let another resident start from here on."""
        _unlink()
        self._lock.release()
        self._done.set()


async def run(home: Path, opened: Opener, idle: float = IDLE, first: dict[str, Any] | None = None) -> int:
    """Be the resident of a home; if there is one, pass the ``first`` question to it. The exit code."""
    os.chdir(home)  # the address of a socket is short; no other folder is kept in use
    lock = FileLock(client.LOCK, mode=private.FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return 0 if first is None or _pass_on(home, first) else 1
    try:
        async with opened(home) as memory:
            resident, listening = Resident(home, memory, lock), _bound_socket()
            _mark(failed=False)
            await resident.serve(listening, idle, first)
    except Exception as error:
        _mark(failed=True)
        note(home, "start", PROBLEMS["not_open"].format(error=type(error).__name__))
        return 1
    finally:
        lock.release()
    return 0


@contextmanager
def without_resident(home: Path) -> Iterator[None]:
    """Kill the resident of a home, which a kill does not harm; none starts in the context while its lock is there."""
    if not client.can_start(home):
        yield
        return
    lock = FileLock(home / client.LOCK, mode=private.FILE)
    until = time.monotonic() + _PATIENCE
    while not lock.is_locked and time.monotonic() < until:
        with suppress(client.NoResident, ProcessLookupError):
            os.kill(json.loads(client.ask(home, {"do": "ping"}))["pid"], signal.SIGKILL)
        with suppress(Timeout):
            lock.acquire(timeout=0.1)
    try:
        yield
    finally:
        lock.release()


def _pass_on(home: Path, question: dict[str, Any]) -> bool:
    with suppress(client.NoResident):
        return client.wait_until_answering(home) and bool(client.ask(home, question))
    return False


def _mark(*, failed: bool) -> None:
    """Tell hooks whether a resident can run; if not, each hook opens the memory itself."""
    with suppress(OSError):
        private.make_file(Path(client.FAILED)) if failed else Path(client.FAILED).unlink(missing_ok=True)


def _bound_socket() -> socket.socket:
    """The socket; it replaces one of a resident that was killed."""
    _unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(client.SOCKET)
    Path(client.SOCKET).chmod(private.FILE)
    listening.listen(64)
    return listening


def _unlink() -> None:
    with suppress(OSError):
        Path(client.SOCKET).unlink()


def _socket_inode() -> int:
    """Identifies the socket file: it changes if another resident makes its own; 0 without a file."""
    try:
        return Path(client.SOCKET).stat().st_ino
    except OSError:
        return 0
