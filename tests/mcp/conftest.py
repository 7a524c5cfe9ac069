"""The SDK's own client, over each transport: in the process, over stdio, over HTTP on this machine."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.tooling import InputTrust
from sandbox.extensions.memory_mcp.connection import LazyMemory
from sandbox.extensions.memory_mcp.http import McpApp
from sandbox.extensions.memory_mcp.profiles import profile as named
from sandbox.extensions.memory_mcp.server import MemoryServer, Who
from sandbox.testing import FakeClock

Answers = dict[str, Any]
Connect = Callable[..., AbstractAsyncContextManager["Talking"]]


class Talking:
    """A client that is connected."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool_name: str, /, **arguments: Any) -> Answers:
        """The answer of a tool that must succeed; the typed answer and the text must be equal."""
        result = await self.client.call_tool(tool_name, arguments)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    async def refused(self, tool_name: str, /, **arguments: Any) -> str:
        """The text for a model when a tool must fail."""
        result = await self.client.call_tool(tool_name, arguments)
        assert result.is_error, result.content
        return str(getattr(result.content[0], "text", ""))


@asynccontextmanager
async def connected(
    memory: Memory,
    clock: FakeClock,
    profile: str = "agent",
    *,
    who: Who | None = None,
    mode: Any = "auto",
    **client: Any,
) -> AsyncIterator[Talking]:
    """A client of a server in this process, over a memory."""
    whose = who or Who()
    opened, connection_trust = LazyMemory(lambda: nullcontext(memory)), InputTrust(whose.trust)
    config = Config.load()
    served = MemoryServer(opened, named(profile, config), lambda _: whose, lambda _: connection_trust, clock)
    try:
        async with Client(served.server(), mode=mode, **client) as talking:
            yield Talking(talking)
    finally:
        await opened.close()


@pytest.fixture
def connect(memory: Memory, clock: FakeClock) -> Connect:
    """Connects to a server in this process, over a memory that searches by words."""
    return partial(connected, memory, clock)


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server over HTTP, with a memory of its own and the embedder that ships with it."""
    async with Memory.open(tmp_path / "served") as memory:
        app = McpApp(memory, Config.load())
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        listening = socket.create_server(("127.0.0.1", 0))

        async def serve() -> None:
            async with app.running():
                await server.serve([listening])

        serving = asyncio.create_task(serve())
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            await serving


def started(home: Path, *options: str) -> StdioServerParameters:
    """A server, started as a client starts it."""
    arguments = ["-m", "sandbox.cli", "--home", str(home), "mcp", *options]
    return StdioServerParameters(command=sys.executable, args=arguments, cwd=Path(__file__).parents[2])
