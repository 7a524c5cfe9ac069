"""How soon `memory mcp` tells its tools, and what a recall over MCP costs beside ``Memory.search``: anybody can run it,
with ``python -m benchmarks.mcp --data . --nodes 10000``.

The start is a process each, as a client starts one, to the answer to the first `tools/list`. A recall goes to a server
over HTTP in the process that holds the memory, from a client in a thread of it.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import httpx

from benchmarks import command
from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.measure import percentile, spread
from benchmarks.report import Figure
from benchmarks.served import LIMIT, by_turns
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.interfaces.access import LOOPBACK
from sandbox.extensions.memory_mcp.http import app
from sandbox.extensions.memory_web.server import address, listening, serve

_NAMES = "Ann Ben Cleo Dan Eve Finn Gus Hanna Ida Jon".split()
_THINGS = "chair boat lamp garden bicycle kettle piano window basket telescope ladder carpet".split()
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


def measure(bench: Bench) -> list[Figure]:
    """The start, and recalls at each size."""
    return [_start(bench), *(asyncio.run(_recalls(bench, nodes)) for nodes in bench.options.nodes)]


def _start(bench: Bench) -> Figure:
    home = bench.fresh()
    seconds = [_first_list(home) for _ in range(bench.options.repeats + 1)][1:]  # the first reads files that are cold
    name, note = "mcp: start to first tools/list", f"median of {len(seconds)}, at most {max(seconds):.2f} s"
    return Figure(name, median(seconds), "s", floor(name), note=note, detail=spread(seconds))


def _first_list(home: Path) -> float:
    started, pipe = time.perf_counter(), subprocess.PIPE
    arguments = [sys.executable, "-m", "sandbox.cli", "--home", str(home), "mcp"]
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe, env=os.environ) as process:
        assert process.stdin
        assert process.stdout
        for id, method, params in (
            (1, "initialize", HELLO),
            (None, "notifications/initialized", {}),
            (2, "tools/list", {}),
        ):
            message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": id} if id else {})}
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            if id and json.loads(process.stdout.readline())["id"] != id:
                raise RuntimeError(f"{method} was not answered")
        return time.perf_counter() - started


async def _recalls(bench: Bench, nodes: int) -> Figure:
    random = Random(bench.options.seed)
    async with Memory.open(bench.fresh()) as memory:
        await memory.observe_many(Message("user", _sentence(random), f"s {n // 20}", key=str(n)) for n in range(nodes))
        await memory.wait_until_embedded()
        questions = [_sentence(random) for _ in range(bench.options.questions)]
        direct, served = await _both(memory, questions)
    added = (percentile(served, 50) - percentile(direct, 50)) * 1000
    note = f"p50 of {len(questions)} searches: {percentile(direct, 50) * 1000:.2f} ms, over MCP"
    note = f"{note} {percentile(served, 50) * 1000:.2f} ms (p99 {percentile(served, 99) * 1000:.2f} ms)"
    name = "mcp recall over search p50"
    return Figure(name, added, "ms", floor(name), nodes, note, {"search": spread(direct), "mcp": spread(served)})


async def _both(memory: Memory, questions: list[str]) -> tuple[list[float], list[float]]:
    stop, made = asyncio.Event(), app(memory, memory.config)
    with listening(LOOPBACK, 0) as listener:
        async with made.running():
            serving = asyncio.create_task(serve(made, listener, stop))
            url = f"{address(LOOPBACK, listener)}/mcp"
            with httpx.Client(base_url=url, trust_env=False, timeout=60, headers=HEADERS) as client:
                await asyncio.to_thread(begin, client)
                times = await by_turns(memory, questions, partial(_asked, client), "MCP")
            stop.set()
            await serving
    return times


def begin(client: httpx.Client) -> None:
    """Open a session over HTTP; the client is at the address of MCP."""
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    client.headers["mcp-session-id"] = client.post("", json=hello).raise_for_status().headers["mcp-session-id"]
    client.post("", json={"jsonrpc": "2.0", "method": "notifications/initialized"}).raise_for_status()


def _asked(client: httpx.Client, question: str) -> tuple[float, list[str]]:
    params = {"name": "recall_memories", "arguments": {"query": question, "limit": LIMIT}}
    started = time.perf_counter()
    answer = client.post("", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    message: dict[str, Any] = json.loads(answer.raise_for_status().text.partition("data: ")[2].splitlines()[0])
    found = message["result"]["structuredContent"]["memories"]
    return time.perf_counter() - started, [each["id"] for each in found]


def _sentence(random: Random) -> str:
    return f"{random.choice(_NAMES)} put the {random.choice(_THINGS)} number {random.randrange(1000)} into the shed"


if __name__ == "__main__":
    sys.exit(command.run({"mcp": measure}))
