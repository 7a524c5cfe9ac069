"""Serve an application on a port until it is asked to stop."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.extensions.memory.errors import MemoryExtensionError

_WAITING = 2048  # connections that are not accepted yet
_LAST = 5  # seconds for running requests when it stops


class CannotListen(MemoryExtensionError):
    """Cannot listen at {host}, port {port}: {problem}. Name an address of this machine with `--host`, or another port
    with `--port`; 0 takes a free one.
    """


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections one by one. asyncio tries again for each waiting one while the process may open no more
        files, with a traceback in the log for each try.
        """
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(_WAITING)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ignore signals, which the caller handles: uvicorn would end the process before the memory is closed."""
        yield


async def serve(app: ASGIApp, listener: socket.socket, stop: asyncio.Event) -> None:
    """Serve a listener until ``stop`` is set."""

    async def cut_off(scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(asyncio.CancelledError):  # uvicorn counts these in a line, and would log a traceback for each
            await app(scope, receive, send)

    server = _Server(
        uvicorn.Config(
            cut_off,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,  # it would log questions
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_LAST,
            backlog=1,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await stopping
    await serving


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that already accepts connections, so that its address can be used at once. Raises ``CannotListen``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With protocol 0 asyncio leaves Nagle's algorithm on, and each answer would wait 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host.strip("[]"), port))
            listener.listen(_WAITING)
        except (OSError, OverflowError) as error:
            problem = (getattr(error, "strerror", None) or str(error)).lower()
            raise CannotListen(host=host, port=port, problem=problem) from error
        yield listener


def address(host: str, listener: socket.socket) -> str:
    """The address of a listener."""
    name = f"[{host.strip('[]')}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"
