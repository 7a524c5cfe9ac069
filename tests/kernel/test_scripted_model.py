"""The server with a script speaks the protocol, and misbehaves on demand."""

import http.client
import json
import time
from collections.abc import Mapping
from typing import Any

import pytest

from sandbox.testing import Answer, Call, Request, ScriptedModel, call

QUESTION = {
    "model": "m",
    "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello."}],
}


def ask(model: ScriptedModel, **options: Any) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body of an answer."""
    host = model.base_url.removeprefix("http://").removesuffix("/v1")
    connection = http.client.HTTPConnection(host, timeout=5)
    try:
        body = json.dumps({**QUESTION, **options})
        connection.request("POST", "/v1/chat/completions", body, {"Authorization": "Bearer k"})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def events(body: bytes) -> list[Any]:
    lines = [line.removeprefix("data: ") for line in body.decode().split("\n\n") if line]
    return [line if line == "[DONE]" else json.loads(line)["choices"][0] for line in lines]


def whole(model: ScriptedModel) -> Any:
    return json.loads(ask(model)[2])["choices"][0]


def test_a_text_is_answered_whole_or_as_a_stream() -> None:
    with ScriptedModel("Hello, dear Ann.", "Hello, dear Ann.") as model:
        assert whole(model)["message"] == {"role": "assistant", "content": "Hello, dear Ann."}
        *chunks, last, done = events(ask(model, stream=True)[2])
        assert [chunk["delta"]["content"] for chunk in chunks] == ["", "Hello,", " dear", " Ann."]
        assert (last["finish_reason"], done) == ("stop", "[DONE]")


def test_a_call_of_a_tool_comes_in_pieces() -> None:
    with ScriptedModel(call("search", query="Rex"), call("search", query="Rex")) as model:
        choice = whole(model)
        (called,) = choice["message"]["tool_calls"]
        assert called["function"] == {"name": "search", "arguments": '{"query": "Rex"}'}
        assert (choice["finish_reason"], choice["message"]["content"]) == ("tool_calls", None)
        _, *chunks, last, _ = events(ask(model, stream=True)[2])
        pieces = [chunk["delta"]["tool_calls"][0] for chunk in chunks]
        assert pieces[0]["id"] != called["id"]
        assert "".join(piece["function"]["arguments"] for piece in pieces) == '{"query": "Rex"}'
        assert last["finish_reason"] == "tool_calls"


def test_arguments_are_sent_as_they_stand() -> None:
    with ScriptedModel(Answer(calls=[Call("a", '{"que'), Call("b", "")])) as model:
        _, *chunks, _, _ = events(ask(model, stream=True)[2])
        sent = {"a": "", "b": ""}
        for piece in (chunk["delta"]["tool_calls"][0] for chunk in chunks):
            sent["ab"[piece["index"]]] += piece["function"]["arguments"]
        assert sent == {"a": '{"que', "b": ""}


def test_a_function_answers_what_it_is_asked() -> None:
    def echo(request: Request) -> str:
        return f"{request.system} {request.messages[-1]['content']} {request.tools}"

    with ScriptedModel(otherwise=echo) as model:
        tools = [{"type": "function", "function": {"name": "search", "parameters": {}}}]
        assert whole(model)["message"]["content"] == "Be kind. Hello. []"
        assert (
            json.loads(ask(model, tools=tools)[2])["choices"][0]["message"]["content"] == "Be kind. Hello. ['search']"
        )
        assert [request.headers["authorization"] for request in model.requests] == ["Bearer k", "Bearer k"]
        assert {request.path for request in model.requests} == {"/v1/chat/completions"}


def test_after_its_last_line_it_refuses() -> None:
    with ScriptedModel("Well.") as model:
        assert [ask(model)[0], ask(model)[0]] == [200, 400]


def test_faults_are_sent_as_they_stand() -> None:
    page = Answer(status=503, headers={"Retry-After": "7", "Content-Type": "text/html"}, body="<html>")
    with ScriptedModel(page, Answer(status=401), Answer("Too long", finish="length")) as model:
        status, headers, body = ask(model)
        assert (status, headers["Retry-After"], headers["Content-Type"], body) == (503, "7", "text/html", b"<html>")
        status, _, body = ask(model)
        assert (status, json.loads(body)) == (401, {"error": {"message": "scripted"}})
        assert whole(model)["finish_reason"] == "length"


@pytest.mark.parametrize("stream", [True, False])
def test_a_connection_can_be_cut(stream: bool) -> None:
    with ScriptedModel(Answer("one two three four", cut=True)) as model, pytest.raises(http.client.IncompleteRead):
        ask(model, stream=stream)


def test_a_stream_can_end_before_its_answer_does() -> None:
    with ScriptedModel(Answer("one two", unfinished=True)) as model:
        chunks = events(ask(model, stream=True)[2])
    assert [chunk["finish_reason"] for chunk in chunks] == [None, None, None]


def test_an_answer_can_be_delayed_before_and_within_its_text() -> None:
    with ScriptedModel(Answer("a b", delay=0.05, stall=0.05)) as model:
        started = time.monotonic()
        ask(model, stream=True)
        assert time.monotonic() - started >= 0.1
    started = time.monotonic()
    with ScriptedModel(Answer(delay=60)) as model:
        host = model.base_url.removeprefix("http://").removesuffix("/v1")
        connection = http.client.HTTPConnection(host, timeout=5)
        connection.request("POST", "/v1/chat/completions", json.dumps(QUESTION))
    connection.close()
    assert time.monotonic() - started < 30
