"""Of turns about the same at different times, the newer comes first."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.retrieve.adjustments import by_newness
from sandbox.extensions.memory.store.search import TurnTerms
from sandbox.testing import NOON
from tests.memory.hits import contents

OLD, NEW = "2025-08-11", "2025-11-30"


async def tell(memory: Memory, *said: tuple[str, str, str], speaker: str | None = None) -> None:
    """Turns: the day, the session, and the text."""
    await memory.observe_many(
        Message("user", text, session, datetime.fromisoformat(day).replace(tzinfo=UTC), speaker)
        for day, session, text in said
    )


@pytest.fixture(autouse=True)
async def others(memory: Memory) -> None:
    """Other turns, so that the word keep is not rare."""
    await memory.observe_many(
        Message("user", text, f"other {number}", datetime(2025, 1, 1, tzinfo=UTC))
        for number in range(10)
        for text in (f"We keep bees in garden {number}.", f"Do keep in touch, cousin {number}!")
    )


async def test_an_update_comes_before_what_it_updates(memory: Memory) -> None:
    under, rack = "I keep my old sneakers under my bed.", "I moved my old sneakers to a shoe rack in the closet."
    await tell(memory, (OLD, "a", under), (NEW, "b", rack))
    assert contents(await memory.search("Where do I keep my old sneakers?", limit=2)) == [rack, under]
    assert contents(await memory.context("Where do I keep my old sneakers?"))[:2] == [rack, under]


async def test_the_order_of_arrival_does_not_matter(memory: Memory) -> None:
    await tell(memory, (NEW, "b", "Therapy with Dr Smith is every week now."))
    await tell(memory, (OLD, "a", "Therapy with Dr Smith is every two weeks, on top of therapy at home."))
    found = contents(await memory.search("How often is therapy with Dr Smith?"))
    assert found[0] == "Therapy with Dr Smith is every week now."


@pytest.mark.parametrize(
    ("question", "new"),
    [
        ("Where do I keep my old sneakers?", "I cleaned the windows of my old house."),  # says something else
        ("Where do I keep my old sneakers?", "Where do I keep my old sneakers?"),  # only asks again
        ("When did I put my old sneakers under my bed?", "My old sneakers were under my bed too long."),
        ("Where did I keep my old sneakers in August?", "My old sneakers are on a rack now."),
    ],
    ids=["another matter", "a question", "asked when", "asked of a time"],
)
async def test_a_newer_turn_is_not_always_an_update(memory: Memory, question: str, new: str) -> None:
    old = "I keep my old sneakers, my sneakers, under my bed."
    await tell(memory, (OLD, "a", old), (NEW, "b", new))
    assert contents(await memory.search(question))[0] == old


@pytest.mark.parametrize(("later", "is_first"), [(timedelta(minutes=50), False), (timedelta(hours=2), True)])
async def test_words_decide_within_one_conversation(memory: Memory, later: timedelta, is_first: bool) -> None:
    old, new = "My sneakers, old sneakers, are under the bed.", "Old sneakers are comfortable."
    await memory.observe("user", old, at=NOON)
    await memory.observe("user", new, at=NOON + later)
    assert contents(await memory.search("old sneakers"))[0] == (new if is_first else old)


async def test_words_of_others_are_no_update(memory: Memory) -> None:
    await tell(memory, (OLD, "a", "My sneakers, old sneakers, are under the bed."), speaker="Ann")
    await tell(memory, (NEW, "b", "I bought a box for old sneakers."), speaker="Bob")
    assert contents(await memory.search("old sneakers"))[0] == "My sneakers, old sneakers, are under the bed."


# --- laws -----------------------------------------------------------------------------------------------------------

TERMS = ("a", "b", "c", "d", "e")
RARITY = st.fixed_dictionaries({term: st.floats(0.1, 10) for term in TERMS})
SAID = st.builds(
    TurnTerms,
    event_time=st.integers(0, 6).map(lambda halves: halves * 1_800_000),
    who=st.sampled_from(["ann", "bob"]),
    terms=st.frozensets(st.sampled_from([*TERMS, "x"])),
)


@given(st.lists(SAID, max_size=5), RARITY, st.floats(0, 1.5))
def test_every_pair_of_turns_is_in_the_right_order(
    turns: list[TurnTerms], rarity: Mapping[str, float], share: float
) -> None:
    said = dict(enumerate(turns))
    order = by_newness(list(said), said, rarity, share)
    assert sorted(order) == list(said)
    for first, second in combinations(order, 2):
        alone = by_newness([first, second], said, rarity, share)
        assert alone == [first, second]


@given(st.lists(SAID, max_size=5), RARITY)
def test_a_right_order_is_kept(turns: list[TurnTerms], rarity: Mapping[str, float]) -> None:
    said = dict(enumerate(sorted(turns, key=lambda turn: -turn.event_time)))
    assert by_newness(list(said), said, rarity, 0.7) == list(said)


@given(st.lists(st.integers(), max_size=5, unique=True))
def test_other_memories_keep_their_places(best: list[int]) -> None:
    assert by_newness(best, {}, {"a": 1.0}, 0.7) == best
