"""The chat client against a server on loopback: its requests, and the result of every kind of failure."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.extensions.memory.errors import MemoryExtensionError, ModelUnavailable
from sandbox.extensions.memory.ports import Question
from sandbox.testing import Answer, Line, Request, ScriptedModel

SCHEMA = {"type": "object", "properties": {"pets": {"type": "array"}}}
QUESTION = Question("pets", "List the pets.", "Rex is my dog.", SCHEMA, max_tokens=300)
SOON = {"Retry-After": "0.01"}
KEY = "sk-very-secret"


@asynccontextmanager
async def chat(server: ScriptedModel, **settings: Any) -> AsyncIterator[ChatModel]:
    model = ChatModel("tiny", base_url=server.base_url, **{"timeout": 5.0, **settings})
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def chatting(
    *script: Line, otherwise: Line | Callable[[Request], Line] | None = None, **settings: Any
) -> AsyncIterator[tuple[ScriptedModel, ChatModel]]:
    """A server that follows a script, and a model that asks it."""
    with ScriptedModel(*script, otherwise=otherwise) as server:
        async with chat(server, **settings) as model:
            yield server, model


async def problem_of(model: ChatModel, question: Question = QUESTION) -> str:
    with pytest.raises(ModelUnavailable) as error:
        await model.ask(question)
    return str(error.value.details["problem"])


# --- what is asked ----------------------------------------------------------------------------------------------------


async def test_the_schema_goes_with_the_question() -> None:
    async with chatting('{"pets": []}') as (server, model):
        answer = await model.ask(QUESTION)
    assert (answer.text, answer.finish) == ('{"pets": []}', "stop")
    assert (answer.prompt_tokens, answer.completion_tokens) == (1, 1)
    [request] = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.system == "List the pets."
    assert request.messages == [{"role": "user", "content": "Rex is my dog."}]
    assert request.body["model"] == "tiny"
    assert request.body["max_tokens"] == 300
    assert request.body["temperature"] == 0
    wanted = {"name": "pets", "strict": True, "schema": SCHEMA}
    assert request.body["response_format"] == {"type": "json_schema", "json_schema": wanted}


async def test_faults_are_sent_back_as_a_conversation() -> None:
    again = Question("pets", "List.", "Rex.", SCHEMA, earlier=(("no", "It was not JSON."), ("", "It was empty.")))
    async with chatting("{}") as (server, model):
        await model.ask(again)
    roles = [message["role"] for message in server.requests[0].messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert all(message["content"] for message in server.requests[0].messages)
    assert "It was not JSON." in server.requests[0].messages[2]["content"]
    assert json.dumps(SCHEMA) in server.requests[0].system  # the server may have passed over it


async def test_a_key_is_sent_only_if_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of the environment")
    with ScriptedModel(otherwise="{}") as server:
        async with chat(server) as model:
            await model.ask(QUESTION)
        async with chat(server, api_key=KEY) as model:
            await model.ask(QUESTION)
    without, with_key = (request.headers for request in server.requests)
    assert "authorization" not in without
    assert with_key["authorization"] == f"Bearer {KEY}"
    assert not any("of the environment" in value for headers in (without, with_key) for value in headers.values())


# --- servers that take less -------------------------------------------------------------------------------------------


def picky(*, schema: bool = True, json_mode: bool = True, **parameters: str) -> Callable[[Request], Line]:
    """A server that accepts only some formats of answers, and refuses some parameters."""

    def answer(request: Request) -> Line:
        for name in parameters:
            if name in request.body:
                return Answer(status=400, body=json.dumps({"error": {"message": "unsupported", "param": name}}))
        kind = request.body.get("response_format", {}).get("type")
        refused = (kind == "json_schema" and not schema) or (kind == "json_object" and not json_mode)
        return Answer(status=400) if refused else '{"pets": []}'

    return answer


def kinds(server: ScriptedModel) -> list[str | None]:
    return [request.body.get("response_format", {}).get("type") for request in server.requests]


@pytest.mark.parametrize(("json_mode", "last"), [(True, "json_object"), (False, None)])
async def test_a_server_without_schemas_is_asked_for_any_json_or_else_for_text(
    json_mode: bool, last: str | None
) -> None:
    async with chatting(otherwise=picky(schema=False, json_mode=json_mode)) as (server, model):
        await model.ask(QUESTION)
        await model.ask(QUESTION)
    tried = ["json_schema", "json_object", None]
    assert kinds(server) == [*tried[: tried.index(last) + 1], last]
    assert json.dumps(SCHEMA) in server.requests[-1].system


async def test_parameters_a_model_does_not_know_are_left_out_and_schemas_kept() -> None:
    async with chatting(otherwise=picky(temperature="", max_tokens="")) as (server, model):
        await model.ask(QUESTION)
        await model.ask(QUESTION)
    assert len(server.requests) == 4
    assert server.requests[-1].body["max_completion_tokens"] == 300
    assert kinds(server) == ["json_schema"] * 4


async def test_a_request_refused_in_every_form_changes_nothing_and_blocks_no_other() -> None:
    async with chatting(*[Answer(status=400)] * 12, "{}") as (server, model):
        for _ in range(4):
            assert "HTTP status 400" in await problem_of(model)
        assert (await model.ask(QUESTION)).text == "{}"
    assert kinds(server) == [*["json_schema", "json_object", None] * 4, "json_schema"]


@pytest.mark.parametrize(
    "too_long",
    [
        Answer(status=400, body='{"error": {"code": "context_length_exceeded", "message": "m"}}'),
        Answer(status=400, body='{"error": {"code": 400, "type": "exceed_context_size_error", "message": "m"}}'),
        Answer(status=413, body="too large"),
    ],
)
async def test_a_question_too_long_for_the_model_counts_as_cut_off(too_long: Answer) -> None:
    async with chatting(too_long) as (server, model):
        answer = await model.ask(QUESTION)
    assert (answer.text, answer.finish) == ("", "length")
    assert len(server.requests) == 1


# --- what it may say --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        (Answer('{"pe', finish="length"), "length"),
        (Answer(refusal="I must not."), "refusal"),
        (Answer("", finish="content_filter"), "content_filter"),
        (Answer(""), "stop"),
    ],
)
async def test_the_reason_of_the_end_of_an_answer_is_passed_on(said: Answer, finish: str) -> None:
    async with chatting(said) as (_, model):
        assert (await model.ask(QUESTION)).finish == finish


def whole(**parts: Any) -> Answer:
    return Answer(body=json.dumps({"choices": [{"index": 0, **parts}]}))


async def test_a_message_in_parts_is_put_together_and_tokens_that_are_not_counted_estimated() -> None:
    content = [{"type": "text", "text": '{"pets"'}, {"type": "text", "text": ": []}"}]
    async with chatting(whole(message={"content": content}, finish_reason=None)) as (_, model):
        answer = await model.ask(QUESTION)
    assert (answer.text, answer.finish) == ('{"pets": []}', "stop")
    assert answer.prompt_tokens >= 8
    assert answer.completion_tokens >= 3


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_a_temporary_error_is_retried_when_the_server_says(status: int) -> None:
    async with chatting(Answer(status=status, headers=SOON), Answer(status=status, headers=SOON), "{}") as (
        server,
        model,
    ):
        assert (await model.ask(QUESTION)).text == "{}"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("said", "tried", "problem"),
    [
        (Answer(status=500, headers=SOON), 3, "HTTP status 500"),
        (Answer(status=429, headers=SOON), 3, "too many requests"),
        (Answer(status=401), 1, "API key"),
        (Answer(status=403), 1, "may not use"),
        (Answer(status=404), 1, "no such model"),
        (Answer(body="<html>not found</html>", headers={"Content-Type": "text/html"}), 1, "not JSON"),
        (Answer(body='{"pets": []}'), 1, "no chat completion"),
        (Answer(body='{"choices": []}'), 1, "no chat completion"),
        (Answer(body="[" * 50_000), 1, "not JSON"),
    ],
)
async def test_a_permanent_error_says_why(said: Answer, tried: int, problem: str) -> None:
    async with chatting(otherwise=said) as (server, model):
        assert problem in await problem_of(model)
    assert len(server.requests) == tried


@pytest.mark.parametrize(
    ("said", "settings", "problem"),
    [
        (Answer('{"pets": []}', cut=True), {}, "breaks off"),
        (Answer("{}", delay=30), {"timeout": 0.2}, "no answer within 0.2 s"),
        (Answer("{}", stall=30), {"timeout": 0.2}, "no answer within 0.2 s"),
        (Answer(status=429, headers={"Retry-After": "60"}), {"timeout": 0.2, "max_retries": 1}, "no answer"),
    ],
)
async def test_a_server_that_breaks_off_hangs_or_asks_for_a_long_wait_is_given_up(
    said: Answer, settings: dict[str, Any], problem: str
) -> None:
    async with chatting(otherwise=said, **{"max_retries": 0, **settings}) as (_, model):
        assert problem in await problem_of(model)


async def test_an_absent_server_and_a_closed_model_are_reported() -> None:
    with ScriptedModel() as server:
        pass
    async with chat(server, max_retries=0) as model:
        assert "cannot be reached" in await problem_of(model)
    assert "closed" in await problem_of(model)


async def test_after_consecutive_failures_requests_pause() -> None:
    now = [0.0]
    async with chatting(*[Answer(status=401)] * 3, "{}", clock=lambda: now[0]) as (server, model):
        for _ in range(3):
            await problem_of(model)
        assert "asked again in 30 s" in await problem_of(model)
        assert len(server.requests) == 3
        now[0] = 30.0
        assert (await model.ask(QUESTION)).text == "{}"


async def test_one_request_runs_at_a_time() -> None:
    under_way, most = 0, 0

    def answer(_: Request) -> Line:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        server.closing.wait(0.05)
        under_way -= 1
        return "{}"

    async with chatting(otherwise=answer) as (server, model):
        await asyncio.gather(*(model.ask(QUESTION) for _ in range(5)))
    assert most == 1
    assert len(server.requests) == 5


async def test_neither_key_nor_content_is_in_logs_or_errors(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said = Answer(status=401, body=json.dumps({"error": {"message": f"Bad key {KEY} for: Rex is my dog."}}))
    async with chatting(otherwise=said, api_key=KEY) as (_, model):
        with pytest.raises(MemoryExtensionError) as error:
            await model.ask(QUESTION)
    shown = f"{caplog.text} {error.value!r} {error.value.__cause__} {error.value.__suppress_context__}"
    assert error.value.__suppress_context__
    assert KEY not in shown
    assert "Rex" not in shown
