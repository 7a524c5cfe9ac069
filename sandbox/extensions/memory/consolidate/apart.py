"""Rules in a process of their own, so that reading much does not hold up who talks meanwhile.

One busy thread takes a write from 0.08 to 51 ms, for want of the interpreter's lock. What the child runs is
``child.py``.
"""

import asyncio
from collections.abc import Sequence

from sandbox.extensions.memory.apart import Child
from sandbox.extensions.memory.consolidate.proposal import Extraction, Turn

_CHILD = f"{__package__}.child"
_WORTHWHILE = 10  # sessions in a row; starting a child takes as long as reading so many
_REST = 60.0  # seconds without a session, after which a child ends


class RulesApart:
    """Reads by rules: in a thread of this process as long as there is little to read, or no child can be started."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._expected = 0  # sessions since there was a rest
        self._leaving: asyncio.Task[None] | None = None
        self._ended: list[Child] = []  # whose pipes are still to be closed
        self._closed = False

    async def expect(self, sessions: int) -> None:
        """So many are about to be read: a child is started where that is worthwhile."""
        if self._leaving is not None:
            self._leaving.cancel()
        self._expected += sessions
        if self._child is None and self._expected > _WORTHWHILE and not self._closed:
            self._child = await Child.start(_CHILD)

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
                await self._child.send((tuple(turns), max_per_turn, max_characters))
                answer: Extraction | Exception = await self._child.receive()
            except (OSError, EOFError):
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
            await self._ended.pop().close()


def _read(turns: Sequence[Turn], max_per_turn: int, max_characters: int) -> Extraction:
    from sandbox.extensions.memory.consolidate.rules import read  # which takes 0.2 s, in the thread that needs them

    return read(turns, max_per_turn=max_per_turn, max_characters=max_characters)
