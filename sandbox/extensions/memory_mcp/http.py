"""Streamable HTTP: an ASGI application over an open memory; the server around it checks access.

The address of a client names its user, `?user=ann&project=website&profile=graph`; no argument of a tool does. Each
request sees the memory of its own address, in any session.
"""

from collections.abc import AsyncIterator, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument, MemoryExtensionError
from sandbox.extensions.memory.interfaces.access import Receive, Send, answer
from sandbox.extensions.memory.interfaces.tooling import InputTrust
from sandbox.extensions.memory_mcp.connection import LazyMemory
from sandbox.extensions.memory_mcp.profiles import NAMES, check, profile as named
from sandbox.extensions.memory_mcp.server import MemoryServer, Who

if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory

_PARAMETERS = ("profile", "user", "project")
_CONNECTIONS = 10_000  # connections whose trust is remembered; there are as many sessions
_SESSION = "mcp-session-id"


class McpApp:
    """An ASGI application over an open memory: run it inside ``async with app.running()``. ``profile`` and ``who`` are
    the defaults for an address without them. It checks neither token nor origin; ``interfaces.access`` does. Raises
    ``InvalidArgument``.
    """

    def __init__(self, memory: "Memory", config: Config, *, profile: str = "agent", who: Who | None = None) -> None:
        check(profile)
        self._opened = LazyMemory(lambda: nullcontext(memory))
        self._profile, self._who = profile, who or Who()
        self._connections: dict[str, InputTrust] = {}
        self._servers = {
            name: MemoryServer(self._opened, named(name, config), self._whose, self._connection_trust) for name in NAMES
        }
        self._managers: dict[str, StreamableHTTPSessionManager] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The context in which clients are served."""
        async with AsyncExitStack() as stack:
            for name, each in self._servers.items():
                self._managers[name] = StreamableHTTPSessionManager(each.server())
                await stack.enter_async_context(self._managers[name].run())
            try:
                yield
            finally:
                await self._opened.close()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request to the server of its profile."""
        try:
            name = _asked(scope).get("profile", self._profile)
            check(name)
        except MemoryExtensionError as error:
            await answer(send, 400, str(error))
            return
        await self._managers[name].handle_request(scope, receive, send)

    def _whose(self, ctx: Any) -> Who:
        asked = _asked(ctx.request.scope)
        return replace(
            self._who, user=asked.get("user", self._who.user), project=asked.get("project", self._who.project)
        )

    def _connection_trust(self, ctx: Any) -> InputTrust:
        """The trust of the session; requests without a session share it by address."""
        key = ctx.request.headers.get(_SESSION) or ctx.request.scope["query_string"].decode("latin-1")
        while len(self._connections) > _CONNECTIONS:
            self._connections.pop(next(iter(self._connections)))
        return self._connections.setdefault(key, InputTrust(self._who.trust))


def _asked(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """The options in an address. Raises ``InvalidArgument`` for unknown ones, because a typing error must not show
    another memory.
    """
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    for name, value in pairs:
        if name not in _PARAMETERS or not value.strip() or [each for each, _ in pairs].count(name) > 1:
            expected = f"the address takes {', '.join(_PARAMETERS)}, each once and with a value"
            raise InvalidArgument(argument=name[:40], value=None, expected=expected)
    return dict(pairs)
