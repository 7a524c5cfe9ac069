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
from sandbox.extensions.memory.consolidate.rules import read

LENGTH = struct.Struct("<Q")
_CHILD = f"{__package__}.child"


class RulesApart:
    """Reads by rules in a child process; in a thread of this one where no child can be started."""

    def __init__(self, *, starts: bool) -> None:
        """With ``starts`` off no child is started: for little to read."""
        self._starts = starts
        self._child: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> "RulesApart":
        if RulesApart.HOT is not None:
            self._child = RulesApart.HOT
            return self
        with suppress(OSError, NotImplementedError):  # the latter from event loops that cannot start processes
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", _CHILD), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        RulesApart.HOT=self._child
        return self

    HOT=None
    async def __aexit__(self, *_: object) -> None:
        return
        if self._child is None:
            return
        with suppress(ProcessLookupError):
            self._child.kill()  # it keeps nothing
        await self._child.wait()

    async def read(self, turns: Sequence[Turn], max_per_turn: int, max_characters: int) -> Extraction:
        """What rules find in some turns. A child that dies is replaced by a thread from then on."""
        if self._child is not None:
            try:
                return await self._ask((tuple(turns), max_per_turn, max_characters))
            except (OSError, EOFError, asyncio.IncompleteReadError):
                self._child = None
        return await asyncio.to_thread(read, turns, max_per_turn=max_per_turn, max_characters=max_characters)

    async def _ask(self, question: Any) -> Extraction:
        assert self._child is not None
        to, back = self._child.stdin, self._child.stdout
        assert to is not None
        assert back is not None
        to.write(frame(question))
        await to.drain()
        (length,) = LENGTH.unpack(await back.readexactly(LENGTH.size))
        answer = pickle.loads(await back.readexactly(length))
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Extraction)
        return answer


def frame(value: Any) -> bytes:
    """A value as it goes over a pipe."""
    pickled = pickle.dumps(value)
    return LENGTH.pack(len(pickled)) + pickled
