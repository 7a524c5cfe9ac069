"""Filters apply before results are limited."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.testing import NOON
from tests.memory.hits import contents

CROWD = 1_000  # turns that match better than the one fact that is asked for
MINE, THEIRS = Scope("me"), Scope("them")


async def crowd(memory: Memory, scope: Scope = MINE, at: datetime = NOON, text: str = "violin, violin, violin") -> None:
    await memory.observe_many(
        (Message("user", f"{text} {index}", f"s{index % 20}", at) for index in range(CROWD)), scope=scope
    )


# --- a crowd hides nothing ----------------------------------------------------------------------------------------


async def test_episodes_do_not_hide_a_fact_from_words(memory: Memory) -> None:
    fact = "Once upon a time, long before any of this began, she was given a violin by an aunt from Genoa."
    await crowd(memory)
    await memory.remember(fact, scope=MINE)
    assert contents(await memory.search("violin", types=["semantic"], limit=1, scope=MINE)) == [fact]
    assert fact not in contents(await memory.search("violin", limit=100, scope=MINE))  # there are more than the limit
    assert len(await memory.search("violin", limit=150, scope=MINE)) == 150


async def test_episodes_do_not_hide_a_fact_from_vectors(embedded: Memory) -> None:
    fact = "She was given a fiddle by an aunt from Genoa."
    await crowd(embedded)
    await embedded.remember(fact, scope=MINE)
    await embedded.wait_until_embedded()
    hits = await embedded.search("violins", types=["semantic"], limit=1, scope=MINE)
    assert contents(hits) == [fact]
    assert hits[0].legs == {"vector": 1}


@pytest.mark.parametrize(
    ("scope", "at", "wanted"),
    [(THEIRS, NOON, {}), (MINE, NOON - timedelta(days=400), {"after": "last_month"})],
    ids=["another user", "another time"],
)
async def test_turns_that_are_left_out_hide_nothing(
    embedded: Memory, scope: Scope, at: datetime, wanted: dict[str, Any]
) -> None:
    mine = "My violin is at the workshop since the accident in winter."
    await crowd(embedded, scope, at)
    await embedded.observe("user", mine, at=NOON, scope=MINE)
    await embedded.wait_until_embedded()
    (by_words,) = await embedded.search("violin", limit=1, scope=MINE, **wanted)
    (by_vectors,) = await embedded.search("fiddles", limit=1, scope=MINE, **wanted)
    assert by_words.content == by_vectors.content == mine
    assert by_vectors.legs == {"vector": 1}


async def test_forgotten_memories_hide_nothing(embedded: Memory) -> None:
    ids = await embedded.observe_many(Message("user", f"violin, violin, violin {index}") for index in range(200))
    for id in ids:
        await embedded.forget(id)
    await embedded.observe("user", "My violin is at the workshop since the accident in winter.")
    await embedded.wait_until_embedded()
    for question in ("violin", "fiddles"):
        assert len(await embedded.search(question, limit=5)) == 1


@pytest.mark.parametrize("limit", [1, 3, 10])
async def test_a_limit_cuts_the_same_order(memory: Memory, limit: int) -> None:
    await memory.observe_many(Message("user", f"violin {'and so on ' * index}", "s") for index in range(12))
    whole = contents(await memory.search("violin", limit=12, reinforce=False))
    assert contents(await memory.search("violin", limit=limit, reinforce=False)) == whole[:limit]


# --- each filter --------------------------------------------------------------------------------------------------


async def test_after_includes_its_moment_and_before_does_not(memory: Memory) -> None:
    """Relative times are relative to now."""
    await memory.observe("user", "tea", at=NOON)
    assert len(await memory.search("tea", after=NOON)) == 1
    assert await memory.search("tea", before=NOON) == []
    assert len(await memory.search("tea", before=NOON + timedelta(milliseconds=1))) == 1
    assert await memory.search("tea", after="last_week", now=NOON + timedelta(days=8)) == []
    assert len(await memory.search("tea", after="last_week", now=NOON + timedelta(days=6))) == 1


async def test_filters_apply_to_neighbours_of_hits(memory: Memory) -> None:
    await memory.observe("user", "Where did you grow up?", session="s", at=NOON - timedelta(days=10))
    await memory.observe("user", "In a small town near Leeds.", session="s", at=NOON)
    assert contents(await memory.search("grow up", before="last_week")) == ["Where did you grow up?"]


# --- what cannot be asked -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("types", "fact"),
        ("before", 5),
        ("after", datetime(2026, 3, 2)),
        ("as_of", datetime(2026, 3, 2)),
        ("now", datetime(2026, 3, 2)),
        ("now", "today"),
        ("as_of", "yesterday"),
    ],
)
async def test_a_senseless_argument_is_refused_by_name(memory: Memory, argument: str, value: object) -> None:
    arguments: dict[str, Any] = {argument: value}
    with pytest.raises(InvalidArgument) as refused:
        await memory.search("tea", **arguments)
    assert refused.value.details["argument"] == argument


@pytest.mark.parametrize("question", [None, 5, b"tea"])
async def test_a_question_must_be_text(memory: Memory, question: Any) -> None:
    with pytest.raises(InvalidArgument):
        await memory.search(question)
    with pytest.raises(InvalidArgument):
        await memory.context(question)
    with pytest.raises(InvalidArgument, match="`now`"):
        await memory.context("tea", now=datetime(2026, 3, 2))
