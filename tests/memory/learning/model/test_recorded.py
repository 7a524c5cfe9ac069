"""Recorded sessions, read again with the answers that a good model gave: what is live at the end, and what it cost."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory.text.tokens import EstimatedTokens
from sandbox.testing import FakeClock, Request, ScriptedModel
from tests.memory.learning.model.reading import asked_for, opened, pairs_of, verdict

RECORDED = yaml.safe_load(Path(__file__).with_name("recorded.yaml").read_text(encoding="utf-8"))
_NOT_SENT = ("again", "wrong")


class GoodModel:
    """Answers each session as was recorded; asked again, with what was wrong, put right where that was recorded.
    ``tokens`` is about what it cost.
    """

    def __init__(self, sessions: list[dict[str, Any]]) -> None:
        self._sessions: Iterator[dict[str, Any]] = iter(sessions)
        self._now: dict[str, Any] = {}
        self.tokens = 0

    def __call__(self, request: Request) -> str:
        answer = self._answer(request)
        sent = [str(message["content"]) for message in request.body["messages"]]
        schema = json.dumps(request.body["response_format"]["json_schema"]["schema"])
        self.tokens += sum(EstimatedTokens().count_tokens([*sent, schema, answer]))
        return answer

    def _answer(self, request: Request) -> str:
        if asked_for(request) == "judge":
            return json.dumps({"verdicts": [verdict(place) for place in range(1, len(pairs_of(request)) + 1)]})
        if len(request.messages) > 1:
            places = [int(place) - 1 for place in re.findall(r"Item (\d+):", request.messages[-1]["content"])]
            again = [{**item, "content": item["again"]} for item in map(self._item, places) if "again" in item]
            return _answer({"items": again}, request)
        self._now = next(self._sessions)
        return _answer({"items": self._now["items"], "entities": self._now["entities"]}, request)

    def _item(self, place: int) -> dict[str, Any]:
        found: dict[str, Any] = self._now["items"][place]
        return found


def _answer(learnt: dict[str, Any], request: Request) -> str:
    """As JSON; `K` is the label of the known fact that shares most words with an item."""
    shown = dict(re.findall(r"^(K\d+) \([\d-]+\): (.*)$", request.messages[0]["content"], re.MULTILINE))
    items = []
    for item in learnt["items"]:
        sent = {key: value for key, value in item.items() if key not in _NOT_SENT}
        if "changes" in sent:
            words = set(item["content"].split())
            best = max(shown, key=lambda label: len(words & set(shown[label].split())), default=None)
            sent["changes"] = [best] if best else []
        items.append(sent)
    return json.dumps({**learnt, "items": items}, ensure_ascii=False)


@pytest.mark.parametrize("name", RECORDED)
async def test_what_a_good_model_read_is_what_is_known(tmp_path: Path, clock: FakeClock, name: str) -> None:
    recorded = RECORDED[name]
    model = GoodModel(recorded["sessions"])
    with ScriptedModel(otherwise=model) as server:
        async with opened(tmp_path, clock, server) as reading:
            for session in recorded["sessions"]:
                await reading.read(*map(_turn, session["turns"]))
                clock.advance(days=1)
            known = await reading.contents()
            waits = [each.memory.content for each in await reading.memory.proposals()]
    print(f"{name}: {len(known)} facts, {model.tokens / len(known + waits):.0f} tokens a fact")
    assert known == sorted(recorded["known"])
    assert waits == recorded.get("waits", [])
    assert model.tokens / len(known + waits) <= recorded["tokens"]


def _turn(line: str) -> tuple[Any, str, str | None]:
    found = re.fullmatch(r"(user|assistant)(?: \((\w+)\))?: (.*)", line)
    assert found is not None
    return found[1], found[3], found[2]
