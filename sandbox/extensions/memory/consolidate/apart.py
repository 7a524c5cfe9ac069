"""Rules in a process of their own, so that reading much does not hold up who talks meanwhile.

One busy thread takes a write from 0.08 to 51 ms, for want of the interpreter's lock. Frames go both ways: eight bytes
of length, then a pickled value. What the child runs is ``child.py``.
"""

import asyncio
import pickle
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sandbox.extensions.memory.consolidate.proposal import Extraction, Turn

LENGTH = struct.Struct("<Q")
_CHILD = f"{__package__}.child"
_WORTHWHILE = 10  # sessions in a row; starting a child takes as long as reading so many
_REST = 60.0  # seconds without a session, after which a child ends


class RulesApart:
    """Reads by rules: in a thread of this process as long as there is little to read, or no child can be started."""

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
        self._expected = 0  # sessions since there was a rest
        self._leaving: asyncio.Task[None] | None = None
        self._ended: list[asyncio.subprocess.Process] = []  # whose pipes are still to be closed
        self._closed = False

    async def expect(self, sessions: int) -> None:
        """So many are about to be read: a child is started where that is worthwhile."""
        if self._leaving is not None:
            self._leaving.cancel()
        self._expected += sessions
        if self._child is None and self._expected > _WORTHWHILE and not self._closed:
            with suppress(OSError, NotImplementedError):  # the latter from event loops that cannot start processes
                self._child = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", _CHILD), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
                )

    def rest(self) -> None:
        """They are read; where nothing follows, the child ends."""
        if not self._closed:
            self._leaving = asyncio.create_task(self._leave())

    async def close(self) -> None:
        """End the child, which keeps nothing; no other is started."""
        self._closed = True
        if self._leaving is not None:
            self._leaving.cancel()
        await self._end()

    async def read(self, turns: Sequence[Turn], max_per_turn: int, max_characters: int) -> Extraction:
        """What rules find in some turns. Where a child dies, a thread reads until the next is started."""
        if self._child is not None:
            try:
                answer = await self._ask((tuple(turns), max_per_turn, max_characters))
            except (OSError, EOFError, asyncio.IncompleteReadError):
                self._let_go()
            except BaseException:  # the answer is still to come, and whoever asks next would take it for theirs
                self._let_go()
                raise
            else:
                if isinstance(answer, Exception):
                    raise answer
                return answer
        return await asyncio.to_thread(_read, turns, max_per_turn, max_characters)

    def _let_go(self) -> None:
        """The child, where there is one, is at an end."""
        if self._child is not None:
            with suppress(ProcessLookupError):
                self._child.kill()
            self._ended.append(self._child)
        self._child = None

    async def _leave(self) -> None:
        await asyncio.sleep(_REST)
        self._leaving = None  # not to be cancelled by what it does
        await self._end()

    async def _end(self) -> None:
        self._expected = 0
        self._let_go()
        while self._ended:
            child = self._ended.pop()
            with suppress(RuntimeError):  # somebody reads there, to the same end
                await child.communicate()
            await child.wait()

    async def _ask(self, question: Any) -> Extraction | Exception:
        assert self._child is not None
        to, back = self._child.stdin, self._child.stdout
        assert to is not None
        assert back is not None
        to.write(frame(question))
        await to.drain()
        (length,) = LENGTH.unpack(await back.readexactly(LENGTH.size))
        answer = pickle.loads(await back.readexactly(length))
        assert isinstance(answer, Extraction | Exception)
        return answer


def _read(turns: Sequence[Turn], max_per_turn: int, max_characters: int) -> Extraction:
    from sandbox.extensions.memory.consolidate.rules import read  # which takes 0.2 s, in the thread that needs them

    return read(turns, max_per_turn=max_per_turn, max_characters=max_characters)


def frame(value: Any) -> bytes:
    """A value as it goes over a pipe."""
    pickled = pickle.dumps(value)
    return LENGTH.pack(len(pickled)) + pickled
