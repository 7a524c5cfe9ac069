"""Every kind of wrong answer has one result, from the server to what is learnt; the server follows a script."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.extract import ModelExtractor
from sandbox.extensions.memory.consolidate.extraction import Extraction, Known, Turn
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.testing import Answer, Line, ScriptedModel

TURN = Turn("turn1", "user", "I moved to Lisbon last Tuesday.", datetime(2026, 3, 9, tzinfo=UTC))
SOON = {"Retry-After": "0.01"}


def answer(content: str = "The user moved to Lisbon.", *, turns: Sequence[int] = (1,)) -> str:
    item = {"turns": list(turns), "content": content, "basis": "stated", "event_date": "2026-03-03"}
    return json.dumps({"summary": "", "items": [item]}, ensure_ascii=False)


GOOD = answer()
HTML = Answer(body="<html>Bad gateway</html>", headers={"Content-Type": "text/html"})


async def learn(*script: Line, **settings: Any) -> tuple[Extraction, ScriptedModel]:
    with ScriptedModel(*script) as server:
        model = ChatModel("tiny", base_url=server.base_url, **{"timeout": 5.0, **settings})
        try:
            return await ModelExtractor(model, Config.load()).read([TURN], Known()), server
        finally:
            await model.close()


@pytest.mark.parametrize(
    "said",
    [
        GOOD,
        f"Certainly! Here is what I found:\n```json\n{GOOD}\n```\nShall I go on?",
        GOOD.replace("]}", ",],}"),
        json.dumps(json.loads(GOOD)["items"]),
    ],
)
async def test_json_is_read_anywhere_in_an_answer(said: str) -> None:
    extraction, server = await learn(said)
    assert [each.content for each in extraction.proposals] == ["The user moved to Lisbon."]
    assert len(server.requests) == extraction.spent.calls == 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Answer(refusal="I must not."), "refused"),
        (Answer("", finish="content_filter"), "refused"),
        (Answer(""), "empty"),
        (Answer(GOOD[:40], finish="length"), "truncated"),
        (Answer("There is nothing to learn."), "no_json"),
        (Answer(GOOD[:40]), "no_json"),
        (Answer('{"facts": ["moved"]}'), "wrong_shape"),
        (Answer(answer("Пользователь переехал, теперь живёт в другом городе.")), "wrong language"),
        (Answer(answer(turns=[40])), "no such turn"),
        (Answer(answer("The user moved to Lisbon with 3 dogs.")), "not said"),
    ],
)
async def test_an_unusable_answer_is_requested_again_and_counted(said: Answer, kind: str) -> None:
    extraction, server = await learn(said, GOOD)
    assert [each.content for each in extraction.proposals] == ["The user moved to Lisbon."]
    assert extraction.faults[kind] == 1
    assert len(server.requests) == extraction.spent.calls == 2
    assert server.requests[1].messages[-1]["role"] == "user"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Answer(refusal="I must not."), "refused"),
        (Answer(""), "empty"),
        (Answer(GOOD[:40], finish="length"), "truncated"),
        (Answer("There is nothing to learn."), "no_json"),
        (Answer('{"facts": ["moved"]}'), "wrong_shape"),
    ],
)
async def test_a_repeatedly_unusable_answer_is_given_up(said: Answer, kind: str) -> None:
    with pytest.raises(BadAnswer) as error:
        await learn(said, said, GOOD)
    assert error.value.details["kind"] == kind
    assert error.value.details["spent"].calls == 2


@pytest.mark.parametrize(
    ("content", "turns", "kind"),
    [
        ("Пользователь переехал, теперь живёт в другом городе.", [1], "wrong language"),
        ("The user moved to Lisbon.", [40], "no such turn"),
        ("The user owns a submarine.", [1], "not supported"),
    ],
)
async def test_a_repeatedly_faulty_item_is_left_out(content: str, turns: Sequence[int], kind: str) -> None:
    extraction, _ = await learn(answer(content, turns=turns), answer(content, turns=turns))
    assert extraction.proposals == ()
    assert kind in extraction.faults
    assert sum(extraction.skipped.values()) == 1


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (Answer(status=500, headers=SOON), "HTTP status 500"),
        (Answer(status=429, headers=SOON), "HTTP status 429"),
        (Answer(status=401), "HTTP status 401"),
        (HTML, "not JSON"),
        (Answer(GOOD, cut=True), "breaks off"),
        (Answer(GOOD, delay=30), "no answer within"),
    ],
)
async def test_learning_waits_while_the_server_fails(said: Answer, problem: str) -> None:
    with pytest.raises(ModelUnavailable, match=problem) as error:
        await learn(said, said, said, timeout=0.2 if said.delay else 5.0, max_retries=1)
    assert error.value.details["spent"].calls == 0
