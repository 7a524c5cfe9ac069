"""A search in this process and the same one through an interface, by turns."""

import asyncio
import time
from collections.abc import Callable, Sequence

from sandbox.extensions.memory import Memory

LIMIT = 10
"""Hits of each search."""


async def by_turns(
    memory: Memory, questions: Sequence[str], asked: Callable[[str], tuple[float, list[str]]], over: str
) -> tuple[list[float], list[float]]:
    """Seconds of each question, asked of the memory and ``over`` an interface. ``asked`` blocks; it gives its seconds
    and the ids that were found. Raises ``RuntimeError`` where the two answer differently.
    """
    direct, served = [], []
    for index, question in enumerate(questions):
        started = time.perf_counter()
        hits = await memory.search(question, limit=LIMIT, reinforce=False)
        direct.append(time.perf_counter() - started)
        seconds, found = await asyncio.to_thread(asked, question)
        served.append(seconds)
        if [hit.id for hit in hits] != found:
            raise RuntimeError(f"question {index} is answered otherwise over {over}")
    return direct, served
