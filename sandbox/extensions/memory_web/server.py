"""An application on a port, until it is asked to stop."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp

from sandbox.extensions.memory_web.errors import CannotListen

_WAITING = 2048  # connections that were not taken yet
_LAST = 5  # seconds for requests that are being answered when it stops


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are whoever's who runs this: uvicorn would end the process before the memory is closed."""
        yield


async def serve(app: ASGIApp, host: str, port: int, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
    """Serve until ``stop`` is set; ``ready`` is told the address once requests are taken. Raises ``CannotListen``."""
    with _listening(host, port) as listener:
        server = _Server(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,  # it would log what is asked for
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=_LAST,
            )
        )
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        stopping = asyncio.create_task(stop.wait())
        ready(_address(host, listener))
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        stopping.cancel()
        with suppress(asyncio.CancelledError):
            await stopping
        await serving


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that already takes connections: who is told the address may use it at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Where the protocol is not said asyncio leaves Nagle's algorithm on, and each answer waits 40 ms for more.
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


def _address(host: str, listener: socket.socket) -> str:
    name = f"[{host.strip('[]')}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"
