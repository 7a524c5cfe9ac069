"""A search in this process and the same one through an interface, by turns, over a memory of made-up sentences."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from random import Random

from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.measure import percentile, spread
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory, Message

LIMIT = 10
"""Hits of each search."""

Asked = Callable[[str], tuple[float, list[str]]]
"""Asks a question over an interface, and blocks meanwhile; gives its seconds and the ids that were found."""

_NAMES = "Ann Ben Cleo Dan Eve Finn Gus Hanna Ida Jon".split()
_THINGS = "chair boat lamp garden bicycle kettle piano window basket telescope ladder carpet".split()


def over_search(
    bench: Bench, name: str, served: Callable[[Memory], AbstractAsyncContextManager[Asked]]
) -> list[Figure]:
    """At each size, how many milliseconds an interface adds to the middle search."""
    return [asyncio.run(_at(bench, name, served, nodes)) for nodes in bench.options.nodes]


async def _at(
    bench: Bench, name: str, served: Callable[[Memory], AbstractAsyncContextManager[Asked]], nodes: int
) -> Figure:
    random = Random(bench.options.seed)
    async with Memory.open(bench.fresh()) as memory:
        await memory.observe_many(Message("user", _sentence(random), f"s {n // 20}", key=str(n)) for n in range(nodes))
        await memory.wait_until_embedded()
        async with served(memory) as asked:
            direct, over = await _by_turns(memory, [_sentence(random) for _ in range(bench.options.questions)], asked)
    here, there, most = percentile(direct, 50) * 1000, percentile(over, 50) * 1000, percentile(over, 99) * 1000
    note = f"p50 of {len(over)} searches: {here:.2f} ms, over the interface {there:.2f} ms (p99 {most:.2f} ms)"
    detail = {"search": spread(direct), "interface": spread(over)}
    return Figure(name, there - here, "ms", floor(name), nodes, note, detail)


async def _by_turns(memory: Memory, questions: Sequence[str], asked: Asked) -> tuple[list[float], list[float]]:
    """Seconds of each question, asked of the memory and over the interface. Raises ``RuntimeError`` where the two
    answer differently.
    """
    direct, over = [], []
    for index, question in enumerate(questions):
        started = time.perf_counter()
        hits = await memory.search(question, limit=LIMIT, reinforce=False)
        direct.append(time.perf_counter() - started)
        seconds, found = await asyncio.to_thread(asked, question)
        over.append(seconds)
        if [hit.id for hit in hits] != found:
            raise RuntimeError(f"question {index} is answered otherwise over the interface")
    return direct, over


def _sentence(random: Random) -> str:
    return f"{random.choice(_NAMES)} put the {random.choice(_THINGS)} number {random.randrange(1000)} into the shed"
