"""Recorded conversations are read again with the recorded answers of a good model. The tests check what is known at the
end, its cost, and whether a block answers questions. Each file of ``recorded/`` holds one conversation: sessions with
their ``turns``, the model's answers to them (in ``parts`` if it is read in several), ``after`` days; how many days
``later`` the end is; how many ``tokens`` a fact may cost, by the memory's own estimate; and the questions that it
``asks``, with words that a block must contain. Every item is known at the end, except one that is ``wrong`` and must
not be stored, one that has ``ended`` by itself, and one that ``waits`` for a second signal, because it was concluded
from other words. An item names what it ``changes`` by its content. Of pairs, an item is the ``same`` as what it names,
or a change of what is ``over``; all others are different.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory.model import KNOWLEDGE
from sandbox.extensions.memory.ports import EstimatedTokens
from sandbox.testing import FakeClock, Request, ScriptedModel
from tests.memory.learning.model.reading import asked_for, opened, pairs_of
from tests.memory.learning.scripts import verdict

RECORDED = {
    each.stem: yaml.safe_load(each.read_text(encoding="utf-8"))
    for each in sorted(Path(__file__).with_name("recorded").glob("*.yaml"))
}
_NOT_SENT = ("wrong", "same", "over", "ended", "waits")


def _parts(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts in which the sessions are read, each with its items."""
    return [part for session in sessions for part in session.get("parts", [session])]


def _known(items: list[dict[str, Any]]) -> list[str]:
    """What is known at the end, sorted."""
    gone = {each["over"] for each in items if "over" in each}.union(*(each.get("changes", ()) for each in items))
    kept = [each for each in items if each.keys().isdisjoint({"wrong", "ended", "waits", "same"})]
    return sorted({each["content"] for each in kept} - gone)


class GoodModel:
    """Answers each session as recorded. ``tokens`` is about its cost."""

    def __init__(self, sessions: list[dict[str, Any]]) -> None:
        parts = _parts(sessions)
        self._parts: Iterator[dict[str, Any]] = iter(parts)
        self._verdicts = {
            (item[key], item["content"]): kind
            for key, kind in (("same", "same"), ("over", "change"))
            for part in parts
            for item in part["items"]
            if key in item
        }
        self.tokens = 0

    def __call__(self, request: Request) -> str:
        answer = self._answer(request)
        sent = [str(message["content"]) for message in request.body["messages"]]
        schema = json.dumps(request.body["response_format"]["json_schema"]["schema"])
        self.tokens += sum(EstimatedTokens().count_tokens([*sent, schema, answer]))
        return answer

    def _answer(self, request: Request) -> str:
        if asked_for(request) == "judge":
            return json.dumps({"verdicts": [self._verdict(*each) for each in enumerate(pairs_of(request), 1)]})
        now = next(self._parts)
        return _answer({"items": now["items"], "entities": now["entities"]}, request)

    def _verdict(self, place: int, pair: str) -> dict[str, Any]:
        known, new = re.findall(r"^- (?:known|new), .*?: (.*)$", pair, re.MULTILINE)
        return verdict(place, self._verdicts.get((known, new), "different"))


def _answer(learnt: dict[str, Any], request: Request) -> str:
    """The answer as JSON; the label stands for what an item changes."""
    known = re.findall(r"^(K\d+) \([\d-]+\): (.*)$", request.messages[0]["content"], re.MULTILINE)
    labels = {content: label for label, content in known}
    items = []
    for item in learnt["items"]:
        sent = {key: value for key, value in item.items() if key not in _NOT_SENT}
        if "changes" in sent:
            sent["changes"] = [labels[each] for each in item["changes"] if each in labels]
        items.append(sent)
    return json.dumps({**learnt, "items": items}, ensure_ascii=False)


@pytest.mark.parametrize("name", RECORDED)
async def test_recorded_answers_of_a_model_become_knowledge(folder: Path, clock: FakeClock, name: str) -> None:
    recorded = RECORDED[name]
    model = GoodModel(recorded["sessions"])
    with ScriptedModel(otherwise=model) as server:
        async with opened(folder, clock, server) as reading:
            for place, session in enumerate(recorded["sessions"]):
                clock.advance(days=session.get("after", 1) if place else 0)
                await reading.read(*map(_turn, session["turns"]))
            clock.advance(days=recorded.get("later", 1))
            known = await reading.contents()
            waits = [each.memory.content for each in await reading.memory.proposals()]
            shown = {ask: await reading.memory.context(ask, types=KNOWLEDGE) for ask in recorded["asks"]}
    blocks = {ask: block.text if block else "" for ask, block in shown.items()}
    silent = [
        f"{ask} {text}"
        for ask, texts in recorded["asks"].items()
        for text in map(str, texts)
        if text not in blocks[ask]
    ]
    cost = model.tokens / len(known + waits)
    answering = f"{len(blocks) - len(silent)} of {len(blocks)} blocks answer"
    print(f"{name}: {len(known + waits)} facts, {cost:.0f} tokens a fact, {answering}")
    items = [item for part in _parts(recorded["sessions"]) for item in part["items"]]
    assert known == _known(items)
    assert waits == [item["content"] for item in items if "waits" in item]
    assert silent == []
    assert cost <= recorded["tokens"]


def _turn(line: str) -> tuple[Any, str, str | None]:
    found = re.fullmatch(r"(user|assistant)(?: \((\w+)\))?: (.*)", line, re.DOTALL)
    assert found is not None
    return found[1], found[3], found[2]
