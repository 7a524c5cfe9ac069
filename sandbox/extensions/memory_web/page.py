"""The inspector: a page that shows a memory to people. It is built from `ui/` (`make ui`) and talks REST alone."""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

PATH = "/ui"

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
_POLICY = {  # the page loads from and sends to this server only, and text never becomes markup or code
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "worker",
}
_HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in _POLICY.items()),
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    headers: dict[str, str]


class Page:
    """ASGI application: the files of the page at `/ui/`, and redirects to them."""

    def __init__(self) -> None:
        folder = Path(__file__).with_name("static")
        self._files = {f"{PATH}/{each.name}": _read(each) for each in folder.iterdir()} if folder.is_dir() else {}
        if index := self._files.pop(f"{PATH}/index.html", None):
            self._files[f"{PATH}/"] = index

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the page, which contain no secrets."""
        return ("/", PATH, *self._files)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"Allow": "GET, HEAD"})
        if request.url.path in ("/", PATH):
            return RedirectResponse(f"{PATH}/", 307, {"Cache-Control": "no-cache"})
        found = self._files.get(request.url.path)
        if found is None:
            return Response("There is no such file; the page is at /ui/.\n", 404, _HEADERS, "text/plain")
        if request.headers.get("if-none-match") == found.headers["ETag"]:
            return Response(status_code=304, headers=found.headers)
        return Response(b"" if request.method == "HEAD" else found.content, headers=found.headers)


def _read(file: Path) -> _File:
    content = file.read_bytes()
    tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    kind = _TYPES.get(file.name.rpartition(".")[2], "text/plain; charset=utf-8")
    return _File(content, {**_HEADERS, "Content-Type": kind, "ETag": tag})
