"""How soon `memory mcp` tells its tools, and what a recall over MCP costs beside ``Memory.search``: anybody can run it,
with ``python -m benchmarks --only mcp --data . --nodes 10000``.

The start is a process each, as a client starts one, to the answer to the first `tools/list`. A recall goes to a server
over HTTP in the process that holds the memory, from a client in a thread of it.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.measure import spread
from benchmarks.report import Figure
from benchmarks.served import LIMIT, Asked, over_search
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.interfaces.access import LOOPBACK
from sandbox.extensions.memory_mcp.http import McpApp
from sandbox.extensions.memory_web.server import address, listening, serve

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


def measure(bench: Bench) -> list[Figure]:
    """The start, and recalls at each size."""
    return [_start(bench), *over_search(bench, "mcp recall over search p50", _served)]


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


@asynccontextmanager
async def _served(memory: Memory) -> AsyncIterator[Asked]:
    stop, made = asyncio.Event(), McpApp(memory, memory.config)
    with listening(LOOPBACK, 0) as listener:
        async with made.running():
            serving = asyncio.create_task(serve(made, listener, stop))
            url = f"{address(LOOPBACK, listener)}/mcp"
            with httpx.Client(base_url=url, trust_env=False, timeout=60, headers=HEADERS) as client:
                await asyncio.to_thread(begin, client)
                yield partial(_asked, client)
            stop.set()
            await serving


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
