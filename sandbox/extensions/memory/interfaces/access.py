"""Access over HTTP: a token in a file, and the names of this machine; both are checked before a request is read.

A page in a browser can send requests to this machine. It cannot set `Host` or `Origin` freely, and it does not know the
token, so these three are checked. Requests from other machines always need the token, also through a proxy that runs
here and names them.
"""

import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sandbox.extensions.memory.errors import DatabaseReadOnly, InvalidArgument
from sandbox.support import private

TOKEN_FILE = "token"
LOOPBACK = "127.0.0.1"

_BYTES = 32  # random bytes in a token
_SHORTEST = 16  # characters of a token that a person wrote into the file
_EVERY_ADDRESS = ("", "0.0.0.0", "::")
_BY_PROXY = (b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip")  # headers of requests that a proxy passes on

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


def token_of(home: Path) -> str:
    """The token of a home, which only its owner can read; if there is none, a new one. Processes that create it at the
    same time get the same token. Raises ``InvalidArgument`` if the file holds something else, and ``DatabaseReadOnly``
    if it cannot be made or read.
    """
    path = home / TOKEN_FILE
    try:
        if not path.exists():
            _make_token(path)
        private.narrow(path)
        token = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise DatabaseReadOnly(path=path, problem=error.strerror or type(error).__name__) from error
    except UnicodeDecodeError:
        token = ""
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        expected = f"it holds no token of {_SHORTEST} or more letters and digits; remove it, and a start makes one"
        raise InvalidArgument(argument="token", value=path, expected=expected)
    return token


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to a host."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() in ("localhost", "localhost.")


@dataclass(frozen=True, slots=True)
class Access:
    """ASGI middleware around ``app``, which listens at ``host``. Beyond loopback, through a proxy, by another name than
    that of loopback, or with ``always``, a request needs the ``token``; a wrong token is always refused. ``names`` are
    allowed names of this machine beside its own and ``host``; without any, a request with the token may use every name.
    ``open_paths`` need no token.
    """

    app: App
    token: str
    host: str = LOOPBACK
    names: Collection[str] = ()
    always: bool = False
    open_paths: Collection[str] = ()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass on allowed requests; answer the others."""
        refused = None if scope["type"] == "lifespan" else self._refused(scope)
        if refused is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(send, *refused)

    def _refused(self, scope: MutableMapping[str, Any]) -> tuple[int, str] | None:
        """The status and the advice for a refused request; None for an allowed one."""
        hosts, origins, shown = (_values(scope, name) for name in (b"host", b"origin", b"authorization"))
        if len(hosts) > 1 or len(origins) > 1 or len(shown) > 1:
            return 400, "Send `Host`, `Origin` and `Authorization` at most once."
        if not hosts and scope["path"] in self.open_paths:
            return None  # a monitor that speaks HTTP/1.0, such as HAProxy's; every browser names the host
        host = _name_of(f"//{hosts[0]}") if hosts else None
        if not self._is_ours(host):
            return 421, "This server is not called as `Host` says. Name it when the server starts, or use its address."
        origin = _name_of(origins[0]) if origins else host
        if origin is None or not (origin == host or is_loopback(origin) or origin in map(_bare, self.names)):
            return 403, "Pages of another origin may not ask this server."
        if shown and not self._is_right(shown[0]):
            return 401, f"The token is wrong. It is in the file `{TOKEN_FILE}` in the home of the memory."
        is_local = host is not None and is_loopback(host) and not any(_values(scope, name) for name in _BY_PROXY)
        asks = self._asks_for_token or not is_local
        if asks and not shown and scope["path"] not in self.open_paths:
            return 401, f"Send `Authorization: Bearer TOKEN`, with the token from the file `{TOKEN_FILE}` in the home."
        return None

    @property
    def _asks_for_token(self) -> bool:
        return self.always or not is_loopback(self.host)

    def _is_ours(self, host: str | None) -> bool:
        if host is None:
            return False
        if is_loopback(host) or host in (_bare(self.host), *map(_bare, self.names)):
            return True
        return self._asks_for_token and self.host in _EVERY_ADDRESS and not self.names

    def _is_right(self, shown: str) -> bool:
        scheme, _, token = shown.partition(" ")
        known, given = self.token.encode(), token.strip().encode()
        return hmac.compare_digest(known, given) and scheme.lower() == "bearer"


def _make_token(path: Path) -> None:
    """Create the token file as a whole, so that nobody reads half a token; the first process wins."""
    private.make_folder(path.parent)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private.FILE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{secrets.token_urlsafe(_BYTES)}\n")
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a file system like exFAT, where a file has one name; then the last process wins
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _values(scope: MutableMapping[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _name_of(address: str) -> str | None:
    """The host in an address, without its port; None if there is none, as in the origin ``null``."""
    try:
        parts = urlsplit(address)
        return parts.hostname if parts.port is None or parts.port >= 0 else None  # reading an invalid port raises
    except ValueError:
        return None


def _bare(name: str) -> str:
    return name.strip("[]").lower()


async def answer(send: Send, status: int, detail: str) -> None:
    """Answer with a problem in the format of RFC 9457."""
    title = HTTPStatus(status).phrase
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    body = json.dumps({**problem, "error": title.replace(" ", "")}).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="assistant-memory"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
