"""One client, the parent process: stdin and stdout carry messages and nothing else."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.tooling import InputTrust
from sandbox.extensions.memory_mcp.connection import LazyMemory, Open
from sandbox.extensions.memory_mcp.profiles import profile as named
from sandbox.extensions.memory_mcp.server import MemoryServer, Who

logger = logging.getLogger(__name__)

_LAST = 10.0  # seconds for the last answers after stdin has ended
_SOON = 0.05  # seconds in which a client may ask more after the list of tools


async def serve(open: Open, profile: str, config: Config, who: Who) -> None:
    """Serve until stdin ends, or SIGTERM or SIGINT arrives; then close the memory after all its writes. Raises
    ``InvalidArgument`` for an unknown profile.
    """
    opened, connection_trust = LazyMemory(open), InputTrust(who.trust)
    server = MemoryServer(opened, named(profile, config), lambda _: who, lambda _: connection_trust).server()

    async def warm_up(ctx: Any, call_next: Callable[[Any], Any]) -> Any:
        """Open the memory after the list of tools was sent, because the first call will need it."""
        answer = await call_next(ctx)
        if ctx.method == "tools/list":
            asyncio.get_running_loop().call_later(_SOON, opened.begin)
        return answer

    server.middleware.append(warm_up)
    stop = _asked_to_stop()
    asked = _Asked()
    serving = asyncio.create_task(_serve(server, asked), name="serving")
    stopping = asyncio.create_task(stop.wait(), name="stopping")
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    await asked.answered()
    await opened.close()
    if not serving.done():
        sys.stderr.flush()
        os._exit(0)  # a thread waits for a line on stdin, and nothing can interrupt it
    stopping.cancel()
    serving.result()


class _Asked:
    """Requests without an answer."""

    def __init__(self) -> None:
        self._open: set[object] = set()
        self._none = asyncio.Event()
        self._none.set()

    def begin(self, message: object) -> None:
        """Note an incoming message."""
        if isinstance(message, JSONRPCRequest):
            self._open.add(message.id)
            self._none.clear()

    def end(self, message: object) -> None:
        """Note an outgoing message."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._open.discard(message.id)
            if not self._open:
                self._none.set()

    async def answered(self) -> None:
        """Return when every request has its answer, or after a limit."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._none.wait(), _LAST)


async def _serve(server: Any, asked: _Asked) -> None:
    """Serve until stdin ends and every request has its answer; the SDK alone would cancel open requests."""
    read, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, written = anyio.create_memory_object_stream[SessionMessage]()

    async def listen(stdin: Any) -> None:
        async with read:
            async for each in stdin:
                if isinstance(each, SessionMessage):
                    asked.begin(each.message)
                await read.send(each)
            await asked.answered()

    async def tell(stdout: Any) -> None:
        async with written:
            async for each in written:
                await stdout.send(each)
                asked.end(each.message)

    async with stdio_server() as (stdin, stdout), anyio.create_task_group() as tasks:
        tasks.start_soon(listen, stdin)
        tasks.start_soon(tell, stdout)
        await server.run(incoming, outgoing, server.create_initialization_options())
        await stdout.aclose()


def _asked_to_stop() -> asyncio.Event:
    asked, loop = asyncio.Event(), asyncio.get_running_loop()

    def ask(*_: object) -> None:
        with suppress(RuntimeError):  # the loop is closed, and the process ends anyway
            loop.call_soon_threadsafe(asked.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    return asked
