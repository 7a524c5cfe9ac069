"""Run the rules in a child process that can be killed, because anybody may have written the text that they read.

All memories of a process share the child, one after the other; if it is busy, another is started. A child also keeps
reading from delaying conversations: one busy thread takes a write from 0.08 to 51 ms, because it holds the
interpreter's lock. The child runs ``child.py``.
"""

import asyncio
import atexit
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sandbox.extensions.memory.consolidate.child import Worker, answered
from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn

SECONDS = 60.0
"""The limit for a chunk of a session, which takes a few hundredths of a second."""

_REST = 60.0  # seconds without work, after which a process ends


class _Idle:
    """The idle processes, the one used last first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[Worker, float]] = []  # with the time since when it is idle
        self._process_id = os.getpid()
        self._is_watched = False

    def take(self) -> Worker | None:
        """An idle process; None if there is none."""
        with self._lock:
            if self._process_id != os.getpid():  # after a fork the processes belong to the parent
                self._waiting, self._process_id, self._is_watched = [], os.getpid(), False
            return self._waiting.pop()[0] if self._waiting else None

    def give_back(self, worker: Worker) -> None:
        """Keep a process for the next reading."""
        with self._lock:
            self._waiting.append((worker, time.monotonic()))
            if not self._is_watched:
                self._is_watched = True
                threading.Thread(target=self._watch, name="memory-rules", daemon=True).start()

    def end(self, since: float = float("inf")) -> bool:
        """End the processes that were idle before ``since``; return whether others are left."""
        with self._lock:
            ended = [worker for worker, at in self._waiting if at <= since]
            self._waiting = [(worker, at) for worker, at in self._waiting if at > since]
            self._is_watched = bool(self._waiting)
        if self._process_id == os.getpid():
            for worker in ended:
                worker.end()
        return self._is_watched

    def _watch(self) -> None:
        time.sleep(_REST)
        while self.end(time.monotonic() - _REST):
            time.sleep(_REST / 4)


_idle = _Idle()
atexit.register(_idle.end)


async def read_session(
    turns: Sequence[Turn],
    before: Sequence[Turn],
    chunk: int,
    known: Mapping[str, str] | None = None,
    *,
    seconds: float | None = None,
) -> tuple[list[Turn], list[Extraction]]:
    """The turns of a session with their speakers' own words, and what rules find in each ``chunk`` of them; ``before``
    are the turns right before them, ``known`` the names of people told of in earlier conversations, with their
    relations.

    Raises ``TimeoutError`` if it takes too long, ``EOFError`` or ``OSError`` if the process has ended, and the errors
    of the rules. If no process can be started, a thread reads.
    """
    asked = _Asked((tuple(turns), tuple(before), chunk, dict(known or {})))
    try:
        async with asyncio.timeout(seconds or SECONDS * (1 + len(turns) // chunk)):
            answer: tuple[list[Turn], list[Extraction]] | Exception = await asyncio.to_thread(asked.answer)
    except BaseException:  # late or cancelled: its answer must not reach the next caller
        asked.give_up()
        raise
    if isinstance(answer, Exception):
        raise answer
    return answer


class _Asked:
    """A question, and the process that answers it; one thread asks, and another may give up."""

    def __init__(self, question: tuple[Any, ...]) -> None:
        self._question = question
        self._worker: Worker | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def answer(self) -> Any:
        while waited := self._begin(_idle.take):
            with suppress(OSError, EOFError):  # it may have been killed while it was idle
                return self._ask(waited)
        started = self._begin(Worker.start)
        return self._ask(started) if started else answered(*self._question)

    def give_up(self) -> None:
        with self._lock:
            self._is_over = True
            if self._worker is not None:
                self._worker.end()

    def _begin(self, find: Callable[[], Worker | None]) -> Worker | None:
        with self._lock:
            if self._is_over:
                raise EOFError
            self._worker = find()
            return self._worker

    def _ask(self, worker: Worker) -> Any:
        try:
            answer = worker.ask(self._question)
        except BaseException:
            worker.end()
            raise
        with self._lock:
            if not self._is_over:
                _idle.give_back(worker)
                self._worker = None
        return answer
