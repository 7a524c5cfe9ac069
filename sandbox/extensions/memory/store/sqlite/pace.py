"""Decide which work is quick enough for the event loop: short texts, and reading step by step (adr/0038)."""

import asyncio
import time
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

T = TypeVar("T")

Steps = Callable[[Snapshot], Generator[None, None, T]]
"""Reads a snapshot; yields wherever others may be served."""

_QUICK = 0.005  # seconds of a step: for as long a thread that computes keeps the loop waiting as well
_FRESH = 30.0  # seconds, after which what was in memory may have had to go


_LONG = 10_000  # characters that are analysed in some milliseconds


async def off_loop(characters: int, work: Callable[[], T]) -> T:
    """What ``work`` makes of a text of so many characters: of a long one in a thread."""
    return work() if characters <= _LONG else await asyncio.to_thread(work)


def result_of(reading: Generator[None, None, T]) -> T:
    """What a reading gives in the end."""
    while True:
        try:
            next(reading)
        except StopIteration as end:
            result: T = end.value
            return result


class Pace:
    """How long the steps of the last reading took."""

    def __init__(self) -> None:
        self._longest = float("inf")  # seconds
        self._ended = 0.0

    def is_quick(self) -> bool:
        """Whether no step of the last reading was long, and that is not long ago."""
        return self._longest <= _QUICK and time.monotonic() - self._ended < _FRESH

    def run(self, reading: Generator[None, None, T]) -> T:
        """All steps at once, in a thread."""
        *_, (result,) = self._timed(reading)
        return result

    async def walk(self, reading: Generator[None, None, T]) -> T:
        """Step by step, others served after each."""
        ended: tuple[T, ...] = ()
        for ended in self._timed(reading):
            if not ended:
                await asyncio.sleep(0)
        (result,) = ended
        return result

    def _timed(self, reading: Generator[None, None, T]) -> Iterator[tuple[T, ...]]:
        """What each step ends with: nothing, and the last with the result."""
        longest, ended = 0.0, tuple[T, ...]()
        while not ended:
            started = time.perf_counter()
            try:
                next(reading)
            except StopIteration as end:
                ended = (end.value,)
            finally:
                longest = max(longest, time.perf_counter() - started)
                self._longest, self._ended = longest, time.monotonic()
            yield ended
