"""What a search costs a program over HTTP, beside ``Memory.search`` in the same process: anybody can run it.

The process that is measured holds the memory, the server and, in a thread, the client; each question is asked both
ways, one after the other, over a connection that stays: ``python -m benchmarks.rest --data . --nodes 10000``.
"""

import asyncio
import sys
import time
from functools import partial
from random import Random

import httpx

from benchmarks import command
from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.measure import percentile, spread
from benchmarks.report import Figure
from benchmarks.served import LIMIT, by_turns
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.interfaces.access import LOOPBACK
from sandbox.extensions.memory_web.app import Door, create_app
from sandbox.extensions.memory_web.server import address, listening, serve

_NAMES = "Ann Ben Cleo Dan Eve Finn Gus Hanna Ida Jon".split()
_VERBS = "bought sold found lost painted repaired borrowed cleaned moved hid".split()
_THINGS = "chair boat lamp garden bicycle kettle piano window basket telescope ladder carpet".split()
_PLACES = "Berlin Leipzig Bremen Potsdam Hamburg Dresden Rostock Kassel Mainz Erfurt".split()


def measure(bench: Bench) -> list[Figure]:
    """At each size, how many milliseconds HTTP adds to the middle search."""
    return [figure for nodes in bench.options.nodes for figure in asyncio.run(_at(bench, nodes))]


async def _at(bench: Bench, nodes: int) -> list[Figure]:
    random = Random(bench.options.seed)
    async with Memory.open(bench.fresh()) as memory:
        await memory.observe_many(Message("user", _sentence(random), f"s {n // 20}", key=str(n)) for n in range(nodes))
        await memory.wait_until_embedded()
        questions = [_sentence(random) for _ in range(bench.options.questions)]
        direct, served = await _both(memory, questions)
    added = (percentile(served, 50) - percentile(direct, 50)) * 1000
    detail = {"search": spread(direct), "rest": spread(served)}
    note = f"p50 of {len(questions)} searches: {percentile(direct, 50) * 1000:.2f} ms, over REST"
    note = f"{note} {percentile(served, 50) * 1000:.2f} ms (p99 {percentile(served, 99) * 1000:.2f} ms)"
    name = "rest over search p50"
    return [Figure(name, added, "ms", floor(name, nodes), nodes, note, detail)]


async def _both(memory: Memory, questions: list[str]) -> tuple[list[float], list[float]]:
    stop = asyncio.Event()
    app = create_app(memory, "of nobody, for this asks for none", Door(requests_per_second=1e6))
    with listening(LOOPBACK, 0) as listener:
        serving = asyncio.create_task(serve(app, listener, stop))
        with httpx.Client(base_url=address(LOOPBACK, listener), trust_env=False, timeout=60) as client:
            times = await by_turns(memory, questions, partial(_asked, client), "HTTP")
        stop.set()
        await serving
    return times


def _asked(client: httpx.Client, question: str) -> tuple[float, list[str]]:
    started = time.perf_counter()
    answer = client.post("/api/search", json={"query": question, "limit": LIMIT, "reinforce": False})
    results = answer.raise_for_status().json()["results"]
    return time.perf_counter() - started, [each["id"] for each in results]


def _sentence(random: Random) -> str:
    who, did, what, where = (random.choice(words) for words in (_NAMES, _VERBS, _THINGS, _PLACES))
    return f"{who} {did} the {what} number {random.randrange(1000)} in {where}"


if __name__ == "__main__":
    sys.exit(command.run({"rest": measure}))
