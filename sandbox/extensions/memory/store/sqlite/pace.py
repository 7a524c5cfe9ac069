"""Decide which work is quick enough for the event loop: short texts, and reading step by step (adr/0038)."""

import asyncio
import time
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

T = TypeVar("T")

Steps = Callable[[Snapshot], Generator[None, None, T]]
"""Reads a snapshot, and yields at points where other tasks may run."""

_QUICK = 0.005  # seconds of a step; a thread that computes would delay the loop as long
_FRESH = 30.0  # seconds, after which cached data may have been dropped from memory


_LONG = 10_000  # characters; analysing them takes some milliseconds


async def off_loop(characters: int, work: Callable[[], T]) -> T:
    """The result of ``work`` on a text of so many characters; for a long text in a thread."""
    return work() if characters <= _LONG else await asyncio.to_thread(work)


def result_of(reading: Generator[None, None, T]) -> T:
    """The result of a reading."""
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
        """Whether the last reading was recent and had no long step."""
        return self._longest <= _QUICK and time.monotonic() - self._ended < _FRESH

    def run(self, reading: Generator[None, None, T]) -> T:
        """Run all steps at once, in a thread."""
        *_, (result,) = self._timed(reading)
        return result

    async def walk(self, reading: Generator[None, None, T]) -> T:
        """Run step by step, with other tasks between the steps."""
        ended: tuple[T, ...] = ()
        for ended in self._timed(reading):
            if not ended:
                await asyncio.sleep(0)
        (result,) = ended
        return result

    def _timed(self, reading: Generator[None, None, T]) -> Iterator[tuple[T, ...]]:
        """The same steps, with their times measured."""
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
