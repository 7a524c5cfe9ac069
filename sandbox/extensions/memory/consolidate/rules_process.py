"""Run the rules in a child process that can be killed, because anybody may have written the text that they read.

All memories of a process share the child, one after the other; if it is busy, another is started. A child also keeps
reading from delaying conversations: one busy thread takes a write from 0.08 to 51 ms, because it holds the
interpreter's lock. The child runs ``child.py``.
"""

import asyncio
import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.consolidate import child
from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn

SECONDS = 60.0
"""The limit for a chunk of a session, which takes a few hundredths of a second."""

_REST = 60.0  # seconds without work, after which a process ends

_ENDED = (OSError, EOFError, pickle.UnpicklingError)  # errors of asking a process that has ended

_Worker = subprocess.Popen[bytes]
_idle: dict[_Worker, threading.Timer] = {}  # each with what will end it
_lock = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # they belong to the parent


def _started() -> _Worker | None:
    """A new process; None if that is not possible. It imports what this process would import, but nothing from the
    current folder; it ignores Ctrl-C; and its error output, which may contain content, is not shown.
    """
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    with suppress(OSError):
        return subprocess.Popen(
            [sys.executable or "", "-P", "-m", child.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
    return None


def _taken() -> _Worker | None:
    """The idle process that was used last; None if there is none."""
    with _lock:
        worker, ending = _idle.popitem() if _idle else (None, None)
    if ending is not None:
        ending.cancel()
    return worker


def _give_back(worker: _Worker) -> None:
    """Keep a process for the next reading."""
    ending = threading.Timer(_REST, _end_idle, [worker])
    ending.daemon = True
    with _lock:
        _idle[worker] = ending
    ending.start()


@atexit.register
def _end_idle(worker: _Worker | None = None) -> None:
    """End a process that is still idle, or all of them."""
    with _lock:
        ended = [each for each in _idle if worker in (each, None)]
        for each in ended:
            del _idle[each]
    for each in ended:
        _end(each)


def _end(worker: _Worker) -> None:
    """End a process at once, and return when it has ended."""
    worker.kill()
    worker.wait()
    for pipe in filter(None, (worker.stdin, worker.stdout)):
        with suppress(OSError):  # values that the process did not read
            pipe.close()


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

    Raises ``TimeoutError`` if it takes too long, ``EOFError``, ``OSError`` or ``UnpicklingError`` if the process has
    ended, and the errors of the rules. If no process can be started, a thread reads.
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
        self._worker: _Worker | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def answer(self) -> Any:
        while True:
            with self._lock:
                if self._is_over:
                    raise EOFError
                waited = _taken()
                worker = self._worker = waited or _started()
            if worker is None:
                return child.answered(*self._question)
            try:
                assert worker.stdin is not None
                assert worker.stdout is not None
                pickle.dump(self._question, worker.stdin, pickle.HIGHEST_PROTOCOL)
                worker.stdin.flush()
                answer = pickle.load(worker.stdout)
            except BaseException as error:
                _end(worker)
                if waited and isinstance(error, _ENDED):  # it may have been killed while it was idle
                    continue
                raise
            with self._lock:
                if not self._is_over:
                    _give_back(worker)
                    self._worker = None
            return answer

    def give_up(self) -> None:
        with self._lock:
            self._is_over = True
            if self._worker is not None:
                _end(self._worker)
