"""What a search costs a program over HTTP, beside ``Memory.search`` in the same process: anybody can run it.

The process that is measured holds the memory, the server and, in a thread, the client; each question is asked both
ways, one after the other, over a connection that stays: ``python -m benchmarks --only rest --data . --nodes 10000``.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import httpx

from benchmarks.bench import Bench
from benchmarks.report import Figure
from benchmarks.served import LIMIT, Asked, over_search
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.interfaces.access import LOOPBACK
from sandbox.extensions.memory_web.app import create_app
from sandbox.extensions.memory_web.server import address, listening, serve


def measure(bench: Bench) -> list[Figure]:
    """At each size, how many milliseconds HTTP adds to the middle search."""
    return over_search(bench, "rest over search p50", _served)


@asynccontextmanager
async def _served(memory: Memory) -> AsyncIterator[Asked]:
    stop = asyncio.Event()
    app = create_app(memory, "of nobody, for this asks for none")
    with listening(LOOPBACK, 0) as listener:
        serving = asyncio.create_task(serve(app, listener, stop))
        with httpx.Client(base_url=address(LOOPBACK, listener), trust_env=False, timeout=60) as client:
            yield partial(_asked, client)
        stop.set()
        await serving


def _asked(client: httpx.Client, question: str) -> tuple[float, list[str]]:
    started = time.perf_counter()
    answer = client.post("/api/search", json={"query": question, "limit": LIMIT, "reinforce": False})
    results = answer.raise_for_status().json()["results"]
    return time.perf_counter() - started, [each["id"] for each in results]
