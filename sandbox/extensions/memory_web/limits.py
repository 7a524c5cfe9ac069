"""Limits for the number of one client's requests, and for the size of each."""

import time
from collections import OrderedDict

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.extensions.memory_web.problems import problem

MAX_BODY = 8 * 2**20  # bytes

_CLIENTS = 10_000  # clients whose buckets are kept; the bucket of a client that asked longest ago is full again


class RateLimit:
    """ASGI middleware: ``per_second`` requests of each client address, and twice as many at once, in a token bucket."""

    def __init__(self, app: ASGIApp, per_second: float) -> None:
        self._app, self._rate, self._size = app, per_second, 2 * per_second
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> tokens left, at a time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer when to try again."""
        wait = self._wait(scope["client"][0] if scope.get("client") else "") if scope["type"] == "http" else 0.0
        if wait <= 0:
            await self._app(scope, receive, send)
            return
        seconds = str(int(wait) + 1)
        refused = problem(
            429, "TooManyRequests", f"Come again in {seconds} s: this client asked too often.", {"Retry-After": seconds}
        )
        await refused(scope, receive, send)

    def _wait(self, client: str) -> float:
        """Seconds until a client may ask; 0 counts as a request."""
        now = time.monotonic()
        left, since = self._buckets.pop(client, (self._size, now))
        left = min(self._size, left + (now - since) * self._rate)
        may = left >= 1
        self._buckets[client] = (left - may, now)
        if len(self._buckets) > _CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if may else (1 - left) / self._rate


def body_limited(app: ASGIApp) -> ASGIApp:
    """ASGI middleware: a request with a body that is too large gets the status 413."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def read() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > MAX_BODY:
                raise HTTPException(413, f"The body is larger than the {MAX_BODY:,} bytes that are read.")
            return message

        await app(scope, read, send)

    return limited
