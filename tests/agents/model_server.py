"""A model on loopback: it gives the answers of a test and keeps the requests. It speaks the Messages API for Claude
Code, the Responses API for Codex, the Gemini API for Gemini CLI, and the Chat Completions API for Copilot CLI and Qwen
Code, all as streams of events.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelServer(ThreadingHTTPServer):
    """Answers every turn with ``reply``; if there is a ``call``, all but Claude Code get that call of a tool first.
    ``requests`` are the bodies of the requests, oldest first.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = "Understood."
        self.call: str | None = None
        self.requests: list[dict[str, Any]] = []
        self.asked = threading.Event()
        self.answer = threading.Event()
        self.answer.set()

    def handle_error(self, *_: object) -> None:
        """Ignore errors: an agent that was killed reads no answer."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def seen(self) -> str:
        """All that the model was sent, as text."""
        return json.dumps(self.requests, ensure_ascii=False)

    def start_over(self) -> None:
        self.requests.clear()
        self.asked.clear()


@contextmanager
def model_server() -> Iterator[ModelServer]:
    server = ModelServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.answer.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._json({"data": [], "models": [], "object": "list"})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._json({"input_tokens": 10})
        elif path.endswith("/messages"):
            self._turn(body, _messages(body, self.server.reply))
        elif path.endswith("/responses"):
            self._turn(body, _responses(self.server.reply, self._call()))
        elif path.endswith("/chat/completions"):
            self._turn({**body, "stream": True}, [_chunk(self.server.reply, self._call())])
        elif path.endswith(":streamGenerateContent"):
            self._turn({**body, "stream": True}, [_generated(self.server.reply, self._call())])
        else:
            self._json({})

    def _call(self) -> str | None:
        call, self.server.call = self.server.call, None
        return call

    def _turn(self, body: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self.server.requests.append(body)
        self.server.asked.set()
        self.server.answer.wait(60)
        if body.get("stream"):
            self._events(events)
        else:
            self._json(_whole(body, self.server.reply))

    def _json(self, value: object) -> None:
        self._send("application/json", json.dumps(value).encode())

    def _events(self, events: list[dict[str, Any]]) -> None:
        lines = "".join(_event(each) for each in events)
        self._send("text/event-stream", lines.encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _event(data: dict[str, Any]) -> str:
    name = f"event: {data['type']}\n" if "type" in data else ""
    return f"{name}data: {json.dumps(data)}\n\n"


def _generated(reply: str, call: str | None) -> dict[str, Any]:
    part = {"functionCall": {"name": call, "args": {"query": "pnpm"}}} if call else {"text": reply}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [candidate], "usageMetadata": counts}


def _chunk(reply: str, call: str | None) -> dict[str, Any]:
    function = {"name": call, "arguments": json.dumps({"query": "pnpm"})}
    made = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}
    delta = {"role": "assistant", **(made if call else {"content": reply})}
    choice = {"index": 0, "delta": delta, "finish_reason": "tool_calls" if call else "stop"}
    counts = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"id": "c_1", "object": "chat.completion.chunk", "created": 0, "choices": [choice], "usage": counts}


def _whole(body: dict[str, Any], reply: str) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [{"type": "text", "text": reply}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def _messages(body: dict[str, Any], reply: str) -> list[dict[str, Any]]:
    return [
        {"type": "message_start", "message": {**_whole(body, reply), "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": reply}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]


def _responses(reply: str, call: str | None) -> list[dict[str, Any]]:
    item: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "status": "completed",
        "content": [{"type": "output_text", "text": reply, "annotations": []}],
    }
    if call:
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": call,
            "arguments": json.dumps({"server": "memory"}),
        }
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    response = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
