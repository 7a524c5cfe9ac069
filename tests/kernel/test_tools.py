"""The answer that a model gets when it calls a tool, rightly or wrongly."""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, ConfigDict, Field

from sandbox.extensions.assistant.tools import call, unknown
from sandbox.protocols import Tool, Turn
from sandbox.support.trust import Trust
from sandbox.testing import NOON

SECRET = "the diary of Ann"


class Question(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1)
    limit: int = Field(default=10, ge=1, le=50)


async def search(turn: Turn, question: Question) -> Mapping[str, Any]:
    return {"asked": question.query, "limit": question.limit, "session": turn.session}


def tool(run: Any = search, trust: Trust | None = "tool") -> Tool:
    return Tool("search_memory", "Searches.", Question, run, trust)


def turn() -> Turn:
    return Turn("t", "s", "Hello.", NOON)


async def test_a_tool_without_parameters_may_be_called_with_nothing() -> None:
    class Nothing(BaseModel):
        pass

    async def count(turn: Turn, nothing: Nothing) -> Mapping[str, Any]:  # noqa: ARG001
        return {"memories": 3}

    for arguments in ("", " ", "{}"):
        assert await call(Tool("count", "Counts.", Nothing, count), turn(), arguments) == {"ok": True, "memories": 3}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ('{"query": "Rex"', "the arguments are no JSON object"),
        ("search for Rex", "the arguments are no JSON object"),
        ("[1, 2]", "`arguments`: Input should be an object"),
        ('"Rex"', "`arguments`: Input should be an object"),
        ("{}", "`query`: Field required"),
        ('{"query": ""}', "`query`: String should have at least 1 character"),
        ('{"query": 7}', "`query`: Input should be a valid string"),
        ('{"query": "Rex", "limit": 999}', "`limit`: Input should be less than or equal to 50"),
        ('{"query": "Rex", "most": 9}', "`most`: Extra inputs are not permitted"),
        ('{"limit": "many"}', "`query`: Field required; `limit`: Input should be a valid integer"),
    ],
)
async def test_invalid_arguments_are_explained(arguments: str, error: str) -> None:
    asked = turn()
    answer = await call(tool(), asked, arguments)
    assert answer["ok"] is False
    assert answer["error"].startswith(error)
    assert answer["advice"] == "call search_memory again with arguments that fit its parameters"
    assert asked.trust == "user"


async def test_long_arguments_are_not_repeated() -> None:
    wrong = {"query": 7, **{f"{SECRET * 50}{number}": SECRET * 50 for number in range(100)}}
    assert len((await call(tool(), turn(), json.dumps(wrong)))["error"]) < 1_100
    answer = await call(tool(), turn(), json.dumps({"limit": SECRET}))
    assert SECRET not in answer["error"]


@given(st.text())
async def test_any_text_of_a_model_gets_an_answer(arguments: str) -> None:
    answer = await call(tool(), turn(), arguments)
    assert answer["ok"] or (answer["error"] and answer["advice"])


@pytest.mark.parametrize(("trust", "after"), [("tool", "tool"), ("web", "web"), ("confirmed", "user"), (None, "user")])
async def test_the_turn_is_trusted_no_more_than_its_tools(trust: Trust | None, after: Trust) -> None:
    asked = turn()
    await call(tool(trust=trust), asked, '{"query": "Rex"}')
    assert asked.trust == after


@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError, TimeoutError])
async def test_a_failing_tool_is_reported_by_the_kind_of_its_error(
    caplog: pytest.LogCaptureFixture, error: type[BaseException]
) -> None:
    async def fail(turn: Turn, question: Question) -> Mapping[str, Any]:  # noqa: ARG001
        raise error(f"cannot read {question.query}")

    with caplog.at_level(logging.DEBUG):
        answer = await call(tool(fail), turn(), json.dumps({"query": SECRET}))
    assert answer["error"] == f"search_memory failed ({error.__name__})"
    assert f"tool search_memory failed ({error.__name__})" in caplog.text
    assert SECRET not in f"{caplog.text} {answer}"


async def test_a_slow_tool_is_given_up() -> None:
    async def sleep(turn: Turn, question: Question) -> Mapping[str, Any]:  # noqa: ARG001
        await asyncio.sleep(60)
        return {}

    answer = await call(tool(sleep), turn(), '{"query": "Rex"}', seconds=0.02)
    assert answer["error"] == "search_memory took longer than 0.02 s"


def test_an_unknown_tool_is_answered_with_the_known_ones() -> None:
    assert unknown("remember", {"search_memory": tool()}) == {
        "ok": False,
        "error": "there is no tool 'remember'",
        "advice": "call one of: search_memory",
    }
    assert unknown("remember" * 1_000, {})["advice"] == "answer without tools"
    assert len(unknown("remember" * 1_000, {})["error"]) < 300
