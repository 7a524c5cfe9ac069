"""A model that follows a script, behind a server on loopback."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any

from sandbox.testing.loopback import LoopbackServer, Request, send_head


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool; ``arguments`` is sent unchanged, JSON or not."""

    name: str
    arguments: str


def call(name: str, **arguments: Any) -> "Answer":
    """An answer that calls one tool."""
    return Answer(calls=[Call(name, json.dumps(arguments))])


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model: by default a correct one. Each field from ``status`` on spoils it.

    ``finish`` None means `tool_calls` if there are any, else `stop`. ``status`` and ``headers`` are those of HTTP;
    ``body`` replaces the whole answer. ``delay`` is a pause in seconds before the first byte, ``stall`` one in the
    middle of a stream. ``cut`` ends the connection there; ``unfinished`` leaves out how the answer ended, and ends the
    stream properly.
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


Line = str | Answer
"""One answer of the model: a text, or an ``Answer``."""


class ScriptedModel(LoopbackServer):
    """A server on loopback that speaks `/v1/chat/completions`, as a stream and whole, and says what a script says.

    ``script`` is used up in order, then ``otherwise`` answers, and status 400 where there is none. A function in it is
    given the request.

        with ScriptedModel(call("search_memory", query="Rex"), "Rex is your dog.") as model:
            settings = {"default": {"model": "scripted", "base_url": model.base_url}}
    """

    def __init__(
        self, *script: Line | Callable[[Request], Line], otherwise: Line | Callable[[Request], Line] | None = None
    ) -> None:
        super().__init__()
        self.script = deque(script)
        self.otherwise = otherwise
        self._ids = count(1)

    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        """Send the next answer of the script."""
        answer = self.answer(request)
        self.closing.wait(answer.delay)
        kind = "text/event-stream" if request.body.get("stream") else "application/json"
        send_head(to, answer.status, {"Content-Type": kind, "Transfer-Encoding": "chunked", **answer.headers})
        pieces = list(_pieces(request, answer, self.message(answer)))
        middle = len(pieces) // 2
        to.wfile.writelines(map(_chunk, pieces[:middle]))
        self.closing.wait(answer.stall)
        if answer.cut:
            to.close_connection = True
            return
        to.wfile.writelines(map(_chunk, pieces[middle:]))
        to.wfile.write(b"0\r\n\r\n")

    def answer(self, request: Request) -> Answer:
        """The next answer of the script."""
        try:
            line = self.script.popleft()
        except IndexError:
            line = Answer(status=400, body="the script is over") if self.otherwise is None else self.otherwise
        said = line(request) if callable(line) else line
        return Answer(said) if isinstance(said, str) else said

    def message(self, answer: Answer) -> dict[str, Any]:
        """The answer as a message of a model; every call has its own id."""
        calls = [
            {"id": f"call_{next(self._ids)}", "type": "function", "function": asdict(each)} for each in answer.calls
        ]
        parts = {"content": answer.text, "refusal": answer.refusal, "tool_calls": calls}
        return {key: value for key, value in parts.items() if value}


def _pieces(request: Request, answer: Answer, message: Mapping[str, Any]) -> Iterator[bytes]:
    """The body of the answer, in pieces for sending."""
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
        for word in re.findall(r"\s+\S*|\S+", message.get(key, "")):
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


def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(piece), piece) if piece else b""


_FRAME = {"id": "chatcmpl-1", "created": 1, "model": "scripted"}
