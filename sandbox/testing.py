"""Fakes for tests, here and in other extensions: a clock that can be set, and a server that answers from a script."""

import json
import re
import sys
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

from sandbox.protocols import Delta, Part, Reply, Turn

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)  # a Monday


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        """The moment it stands at."""
        return self.moment

    def advance(self, **by: float) -> datetime:
        """Let time pass, given as for ``timedelta``; the new moment."""
        self.moment += timedelta(**by)
        return self.moment


# --- something that answers -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ScriptedResponder:
    """Answers messages without a model: with the next of ``replies``, which may be None for silence, an error to raise,
    or a function of the turn and its context. Keeps what it was asked.
    """

    replies: Iterable[str | Exception | Callable[[Turn, str], Awaitable[str | None]] | None]
    name: str = "orchestrator"
    model_name: str = "a script"
    asked: list[tuple[Turn, str]] = field(default_factory=list)
    _next: Iterator[Any] | None = None

    async def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """The next reply, in two pieces and whole."""
        self.asked.append((turn, context))
        self._next = self._next or iter(self.replies)
        reply = next(self._next)
        if isinstance(reply, Exception):
            raise reply
        text = await reply(turn, context) if callable(reply) else reply
        if text is None:
            yield Reply(None)
            return
        half = len(text) // 2
        yield Delta(text[:half])
        yield Delta(text[half:])
        yield Reply(text)

    async def close(self) -> None:
        """Nothing is held."""


# --- a model that follows a script ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool; ``arguments`` is sent as it stands, JSON or not."""

    name: str
    arguments: str


def call(name: str, **arguments: Any) -> "Answer":
    """An answer that calls one tool."""
    return Answer(calls=[Call(name, json.dumps(arguments))])


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model: by default a correct one. Each field from ``status`` on spoils it in a way.

    ``finish`` None: `tool_calls` where there are some, else `stop`. ``status`` and ``headers`` are those of HTTP,
    ``body`` is sent in place of all. ``delay`` seconds pass before the first byte, ``stall`` seconds in the middle of a
    stream. ``cut`` ends the connection there; ``unfinished`` leaves out how the answer ended, and ends in good order.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    refusal: str | None = None
    finish: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    delay: float = 0.0
    stall: float = 0.0
    cut: bool = False
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One request the model got; names of headers are in lower case."""

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


Line = str | Answer
"""What the model says: a text, or an answer in detail."""


class ScriptedModel:
    """A server on loopback that speaks `/v1/chat/completions`, as a stream and whole, and says what a script says.

    ``script`` is used up in order, then ``otherwise`` answers, and status 400 where there is none. A function in it is
    given the request. ``requests`` are those that came, in order.

        with ScriptedModel(call("search_memory", query="Rex"), "Rex is your dog.") as model:
            settings = {"default": {"model": "scripted", "base_url": model.base_url}}
    """

    def __init__(
        self, *script: Line | Callable[[Request], Line], otherwise: Line | Callable[[Request], Line] | None = None
    ) -> None:
        self.script = deque(script)
        self.otherwise = otherwise
        self.requests: list[Request] = []
        self.closing = Event()
        self._ids = count(1)
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address to configure."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening; answers that are still delayed end at once."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: Request) -> Answer:
        """The next answer of the script."""
        try:
            line = self.script.popleft()
        except IndexError:
            line = Answer(status=400, body="the script is over") if self.otherwise is None else self.otherwise
        said = line(request) if callable(line) else line
        return Answer(said) if isinstance(said, str) else said

    def message(self, answer: Answer) -> dict[str, Any]:
        """The answer as the message of a model; every call has an id of its own."""
        calls = [
            {"id": f"call_{next(self._ids)}", "type": "function", "function": asdict(each)} for each in answer.calls
        ]
        parts = {"content": answer.text, "refusal": answer.refusal, "tool_calls": calls}
        return {key: value for key, value in parts.items() if value}


def _pieces(request: Request, answer: Answer, message: Mapping[str, Any]) -> Iterator[bytes]:
    """The body of the answer, in the pieces in which it is sent."""
    finish = answer.finish or ("tool_calls" if answer.calls else "stop")
    if answer.body is not None:
        yield answer.body.encode()
    elif answer.status != 200:
        yield b'{"error": {"message": "scripted"}}'
    elif request.body.get("stream"):
        yield from _events(message, None if answer.unfinished else finish)
    else:
        choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = json.dumps({**_FRAME, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
        yield from (whole[: len(whole) // 2], whole[len(whole) // 2 :])


def _events(message: Mapping[str, Any], finish: str | None) -> Iterator[bytes]:
    yield _event({"role": "assistant", "content": ""})
    for delta in _deltas(message):
        yield _event(delta)
    if finish is not None:
        yield _event({}, finish)
        yield b"data: [DONE]\n\n"


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Texts word by word, of each call first the name and then its arguments in two halves."""
    for key in ("content", "refusal"):
        for word in re.findall(r"\s*\S+|\s+$", message.get(key, "")):
            yield {key: word}
    for index, call in enumerate(message.get("tool_calls", ())):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        yield {"tool_calls": [{**call, "index": index, "function": {"name": name, "arguments": ""}}]}
        middle = len(arguments) // 2
        for half in (arguments[:middle], arguments[middle:]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": half}}]}


def _event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: %s\n\n" % json.dumps({**_FRAME, "object": "chat.completion.chunk", "choices": [choice]}).encode()


_FRAME = {"id": "chatcmpl-1", "created": 1, "model": "scripted"}


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went, perhaps with half a request sent; everything else is a mistake."""
        if not isinstance(sys.exception(), ConnectionError | json.JSONDecodeError):
            super().handle_error(request, client_address)


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or every body waits 40 ms for its headers to be acknowledged

        def do_POST(self) -> None:
            request = self._read()
            model.requests.append(request)
            answer = model.answer(request)
            model.closing.wait(answer.delay)
            with suppress(ConnectionError):  # who asked may have gone
                self._send(request, answer)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

        def _read(self) -> Request:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            return Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)

        def _send(self, request: Request, answer: Answer) -> None:
            kind = "text/event-stream" if request.body.get("stream") else "application/json"
            self.send_response(answer.status)
            for name, value in {"Content-Type": kind, "Transfer-Encoding": "chunked", **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            pieces = list(_pieces(request, answer, model.message(answer)))
            self._write(pieces[: len(pieces) // 2])
            model.closing.wait(answer.stall)
            if answer.cut:
                self.close_connection = True
                return
            self._write(pieces[len(pieces) // 2 :])
            self.wfile.write(b"0\r\n\r\n")

        def _write(self, pieces: Sequence[bytes]) -> None:
            for piece in filter(None, pieces):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    return Handler
