"""Scenarios: the docstring of a test is a conversation, ``learnt`` is what it taught.

Each runs with the rules. One that only a language model can be expected to get right is marked ``needs_model`` and runs
with scripted answers. Those that the rules do not get right yet are listed in ``not_yet.yaml``, and must fail.
"""

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import Hit
from sandbox.extensions.memory.reports import LearningReport
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.memory.learning import scripts
from tests.memory.learning.knowledge import Fact, Learnt
from tests.memory.learning.transcript import Sitting, read

HERE = Path(__file__).parent
NOT_YET: dict[str, str] = yaml.safe_load((HERE / "not_yet.yaml").read_text(encoding="utf-8")) or {}

_KNOWLEDGE = ("semantic", "opinion", "procedural")
_FIRST_PERSON = re.compile(  # "us" in this spelling alone: US is a country
    r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?|[Яя]|[Мм]еня|[Мм]не|[Мм]ной|[Мм]о(?:й|я|ё|е|и|его|ей|ю|их|им)"
    r"|[Мм]ы|[Нн]ас|[Нн]ам|[Нн]аш(?:а|е|и|его|ей|у|их)?)\b"
)
_LONGEST = 280  # characters of a learnt statement


def scenario(item: pytest.Item) -> str | None:
    """The name of a test that has a conversation, as it is listed."""
    if HERE not in item.path.parents or "learnt" not in getattr(item, "fixturenames", ()):
        return None
    return f"{item.path.relative_to(HERE).with_suffix('')}::{item.name}".replace("\\", "/")


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        if reason := NOT_YET.get(scenario(item) or ""):
            item.add_marker(pytest.mark.xfail(strict=True, reason=reason))


@pytest.fixture
def conversation(request: pytest.FixtureRequest) -> tuple[Sitting, ...]:
    """The conversation in the docstring of the test."""
    return read(request.function.__doc__ or "")


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> ScriptedLanguageModel | None:
    """What the marker ``needs_model`` scripts; nothing where rules alone are looked at."""
    marker = request.node.get_closest_marker("needs_model")
    alone = request.config.getoption("rules_alone", default=False)  # of benchmarks/learning_scenarios.py
    return None if marker is None or alone else scripts.scripted(*marker.args)


@pytest.fixture
async def memory(tmp_path: Path, clock: FakeClock, scripted: ScriptedLanguageModel | None) -> AsyncIterator[Memory]:
    """An empty memory that learns by rules unless the test scripts a model. Nothing fades with the months of a
    conversation: what is past was replaced.
    """
    config = {"decay_rate_default": 0.0}
    async with Memory.open(tmp_path / "memory", config=config, clock=clock, model=scripted) as opened:
        yield opened


@pytest.fixture
async def learnt(memory: Memory, clock: FakeClock, conversation: Sequence[Sitting]) -> Learnt:
    """What the conversation taught, each sitting read when it was over. What was learnt has a good form."""
    reports = [await _sit(memory, clock, sitting) for sitting in conversation]
    facts = Learnt(await _facts(memory), tuple(reports))
    for fact in facts.facts:
        _check_form(fact)
    return facts


async def _sit(memory: Memory, clock: FakeClock, sitting: Sitting) -> LearningReport:
    for turn in sitting.turns:
        assert turn.at is not None
        clock.moment = turn.at
        await memory.observe(
            turn.role, turn.content, session=sitting.session, at=turn.at, speaker=turn.speaker, key=turn.key
        )
    clock.advance(hours=1)
    return await memory.consolidate(sitting.session)


async def _facts(memory: Memory) -> tuple[Fact, ...]:
    every: dict[str, Any] = {"types": _KNOWLEDGE, "limit": 1000, "reinforce": False}
    await memory.wait_until_embedded()
    current = {(hit.id, hit.content) for hit in await memory.search("", **every)}  # what is put right keeps its id
    return tuple(
        [
            await _fact(memory, hit, (hit.id, hit.content) in current)
            for hit in await memory.search("", history=True, **every)
        ]
    )


async def _fact(memory: Memory, hit: Hit, current: bool) -> Fact:
    known = await memory.explain(hit.id)
    return Fact(
        content=hit.content,
        type=hit.type,
        category=hit.category,
        subject=hit.subject,
        confidence=hit.confidence,
        event_time=hit.event_time,
        valid_until=hit.valid_until,
        entities=known.entities,
        sources=tuple(source.content for source in known.sources),
        current=current,
    )


def _check_form(fact: Fact) -> None:
    """Self-contained: in the third person, no question, short, and resting on what was said."""
    assert not _FIRST_PERSON.search(fact.content), f"in the first person: {fact.content}"
    assert not fact.content.rstrip().endswith("?"), f"a question: {fact.content}"
    assert len(fact.content) <= _LONGEST, f"{len(fact.content)} characters: {fact.content}"
    assert fact.sources, f"rests on no turn: {fact.content}"
