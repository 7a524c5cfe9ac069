"""The limit for the size of a request."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 8 * 2**20  # bytes


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
