"""JSON servers on loopback."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a server; names of headers are in lower case. The properties are for chats."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation, without the system prompt."""
        return [message for message in self.body["messages"] if message["role"] != "system"]

    @property
    def system(self) -> str:
        """The system prompt."""
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == "system")

    @property
    def tools(self) -> list[str]:
        """The names of the tools that were offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]


class LoopbackServer(ABC):
    """Takes JSON by POST on loopback; ``respond`` answers. ``requests`` are the ones it got, in order."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.closing = Event()  # ends answers that are delayed
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address for settings."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening; delayed answers end at once."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @abstractmethod
    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        """Send the answer."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that left, perhaps in the middle of a request; report every other error."""
        if not isinstance(sys.exception(), ConnectionError | json.JSONDecodeError):
            super().handle_error(request, client_address)


def _handler(server: LoopbackServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # otherwise every body waits 40 ms for the acknowledgement of its headers

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            server.requests.append(request)
            with suppress(ConnectionError):  # the client may have left
                server.respond(request, self)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    return Handler


def send_head(to: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str]) -> None:
    """Send the status and the headers of an answer."""
    to.send_response(status)
    for name, value in headers.items():
        to.send_header(name, value)
    to.end_headers()
