"""Laws of forgetting: time alone changes nothing stored, and the night changes no answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import AsOf, Memory
from sandbox.extensions.memory.errors import NotCurrent
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import contents

LIFE = 60  # days until a guess, with confidence .7, falls below .05 at the default rate: 59.8
TABLES = ("nodes", "edges", "entities", "entity_names", "node_entities", "sessions", "changes", "recalls")


async def stored(store: Store) -> str:
    """All rows of the file about memories."""

    def dump(snapshot: Snapshot) -> str:
        return json.dumps(
            {table: [tuple(row) for row in snapshot.execute(f"SELECT * FROM {table}")] for table in TABLES}, default=str
        )

    return await store.read(dump)


# --- time changes nothing -----------------------------------------------------------------------------------------


async def test_time_alone_changes_nothing_stored(memory: Memory, store: Store, clock: FakeClock) -> None:
    """Years pass with searches, listings and explanations without reinforcement, and a dry night."""
    id = await memory.remember("Ann lives in Berlin.", subject="Ann")
    await memory.remember("Ann lives in Porto.", subject="Ann", on_similar="supersede")
    await memory.observe("user", "I like tea.", speaker="Ann", session="s")
    before = await stored(store)
    for days in (1, 30, 100, 4000, -5000):
        clock.advance(days=days)
        await memory.search("Ann, Berlin", reinforce=False)
        await memory.search("Ann", history=True, reinforce=False)
        await memory.context("Ann, tea", reinforce=False)
        await memory.explain(id)
        await memory.entity("Ann")
        await memory.weak()
        await memory.statistics()
        await memory.maintain(dry_run=True)
    assert await stored(store) == before


async def test_a_night_with_nothing_faded_changes_nothing(memory: Memory, store: Store, clock: FakeClock) -> None:
    await memory.remember("Ann lives in Berlin.", source="inferred")
    before = await stored(store)
    for _ in range(5):
        clock.advance(days=10)
        await memory.maintain()
    assert await stored(store) == before
    assert (await memory.search("Ann", reinforce=False))[0].confidence == pytest.approx(
        0.7 * 2.718281828 ** (-0.1 * 50**0.8)
    )


async def test_a_dry_night_says_what_a_night_does(memory: Memory, clock: FakeClock) -> None:
    for index in range(5):
        await memory.remember(f"Fact {index}", source="inferred" if index % 2 else "explicit")
    clock.advance(days=LIFE)
    would = await memory.maintain(dry_run=True)
    assert would.dry_run
    assert len(await memory.search("fact", reinforce=False)) == 3
    did = await memory.maintain()
    assert set(would.pruned) == set(did.pruned)
    assert len(did.pruned) == 2


# --- whether the night ran changes no answer ------------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(["tell", "guess", "guess", "ask", "show", "confirm", "correct", "forget", "restore", "wait"]),
        st.integers(0, 3),  # which fact
        st.sampled_from([0, 1, 30, 45, 60, LIFE]),  # days that pass before
    ),
    min_size=3,
    max_size=10,
)


class Diary:
    """One memory and the ids of four facts."""

    def __init__(self, memory: Memory, prefix: str, clock: FakeClock) -> None:
        self.memory, self.prefix, self.clock = memory, prefix, clock
        self.ids: dict[int, str] = {}
        self.count = 0

    async def do(self, step: str, fact: int) -> list[str]:
        """Do a step; return its result."""
        memory, id = self.memory, self.ids.get(fact)
        noticed: list[str] = []
        self.count += 1
        if step in ("tell", "guess"):
            said = f"{self.prefix} fact{fact} as of {self.count}"
            self.ids[fact] = await memory.remember(said, source="explicit" if step == "tell" else "inferred")
        elif step == "ask":
            noticed = contents(await memory.search(f"{self.prefix} fact{fact}", limit=2))
        elif step == "show":
            # All relevant memories: ids are random, and so are their costs.
            block = await memory.context(f"{self.prefix} fact{fact}", session=f"{self.count // 2}", budget=10_000)
            noticed = [item.content for item in block.items] if block else []
        elif id is not None and step == "forget":
            await memory.forget(id)
        elif id is not None and step == "restore":
            await memory.restore(id)
        elif id is not None and step == "confirm" and await self._is_held(id):
            await memory.confirm(id)
        elif id is not None and step == "correct" and await self._is_held(id):
            await memory.correct(id, f"{self.prefix} corrected {self.count}")
        await memory.statistics()  # returns once the recalls are counted
        return noticed

    async def _is_held(self, id: str) -> bool:
        """Whether it is neither forgotten nor faded, pruned or not; other memories have to be restored before a
        correction.
        """
        known = (await self.memory.explain(id)).memory
        return known.retired_by is None and known.confidence >= 0.05

    async def answers(self) -> list[list[tuple[str, float, int]]]:
        """What the default search finds now, in a month and in a year, with confidences."""
        found = []
        for days in (0, 30, 365):
            hits = await self.memory.search(
                self.prefix, limit=50, reinforce=False, now=self.clock() + timedelta(days=days)
            )
            found.append(sorted((hit.content, round(hit.confidence, 9), hit.version) for hit in hits))
        return found


@pytest.fixture
async def pair(tmp_path: Path, clock: FakeClock) -> AsyncIterator[tuple[Memory, Memory]]:
    """Two memories with the same life; only the first has nights."""
    async with (
        Memory.open(tmp_path / "nightly", embedder=None, clock=clock) as nightly,
        Memory.open(tmp_path / "never", embedder=None, clock=clock) as never,
    ):
        yield nightly, never


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
async def test_answers_do_not_depend_on_the_night(
    pair: tuple[Memory, Memory], clock: FakeClock, steps: list[tuple[str, int, int]]
) -> None:
    """Statements are stored, searched, shown, corrected and forgotten over months."""
    prefix = f"example{clock().timestamp():.0f}"
    maintained, lazy = (Diary(memory, prefix, clock) for memory in pair)
    for step, fact, days in [*steps, ("wait", 0, LIFE)]:
        clock.advance(days=days, seconds=1)
        await maintained.memory.maintain()
        assert await maintained.do(step, fact) == await lazy.do(step, fact)
        assert await maintained.answers() == await lazy.answers()
    await lazy.memory.maintain()
    assert await maintained.answers() == await lazy.answers()


@pytest.mark.parametrize("as_of", [NOON + timedelta(days=10), AsOf(world=NOON + timedelta(days=10))])
async def test_answers_about_the_past_do_not_depend_on_the_night(
    pair: tuple[Memory, Memory], clock: FakeClock, as_of: AsOf
) -> None:
    """The fact was true on 12 March and stored on 22 March; the question comes long after it has faded."""
    clock.advance(days=20)
    for memory in pair:
        await memory.remember("Ann lives in Berlin.", at=NOON, source="inferred")
    clock.advance(days=400)
    await pair[0].maintain()
    answers = [contents(await memory.search("Ann", as_of=as_of, reinforce=False)) for memory in pair]
    assert answers[0] == answers[1]


async def test_neither_history_nor_confirming_revives_a_faded_memory(
    pair: tuple[Memory, Memory], clock: FakeClock
) -> None:
    ids = [await memory.remember("Ann lives in Berlin.", source="inferred") for memory in pair]
    clock.advance(days=400)
    await pair[0].maintain()
    for memory, id in zip(pair, ids, strict=True):
        assert contents(await memory.search("Ann", history=True)) == ["Ann lives in Berlin."]
        await memory.statistics()  # returns once the recall is counted
        assert contents(await memory.search("Ann")) == []
        with pytest.raises(NotCurrent):
            await memory.confirm(id)


# --- what is pruned -------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["explicit", "inferred"]), st.integers(0, 90)), min_size=1, max_size=8))
async def test_exactly_the_memories_below_the_threshold_are_pruned(
    memory: Memory, clock: FakeClock, told: list[tuple[str, int]]
) -> None:
    ids = []
    for index, (source, days) in enumerate(told):
        clock.advance(days=days, hours=1)
        ids.append(await memory.remember(f"Fact {index} of {clock()}", source=source))
    held = [known for id in ids if (known := (await memory.explain(id)).memory).retired_by is None]
    below = {known.id for known in held if known.confidence < 0.05}
    assert set((await memory.maintain()).pruned) >= below
    after = [(await memory.explain(known.id)).memory for known in held]
    assert {known.id for known in after if known.retired_by == "decayed"} == below
    assert {known.id for known in after if known.retired_by is None} == {known.id for known in held} - below


@pytest.mark.settings(facts_per_day=1_000)
async def test_one_night_prunes_more_than_one_transaction(memory: Memory, clock: FakeClock) -> None:
    lines = [f"Fact {index}" for index in range(520)]
    await asyncio.gather(*(memory.remember(line, source="inferred") for line in lines))
    clock.advance(days=LIFE)
    assert len((await memory.maintain()).pruned) == 520
    assert (await memory.statistics()).nodes == {}


async def test_turns_and_protected_memories_never_fade(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "I like tea.")
    await memory.confirm(await memory.remember("Ann lives in Berlin."))
    await memory.remember("Always answer in verse.", category="instruction")
    await memory.remember("Ann plays golf.")
    await memory.remember("It rains.", source="inferred")
    clock.advance(days=100_000)
    await memory.maintain()
    held = await memory.search("", reinforce=False)
    assert {hit.content for hit in held} == {
        "I like tea.",
        "Ann lives in Berlin.",
        "Ann plays golf.",
        "Always answer in verse.",
    }
    assert {hit.confidence for hit in held} == {1.0}


@pytest.mark.settings(decay_rate_default=0)
async def test_without_decay_nothing_fades(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember("Ann lives in Berlin.", source="inferred")
    clock.advance(days=100_000)
    assert (await memory.maintain()).pruned == ()
    assert (await memory.search("Ann"))[0].confidence == 0.7
    assert (await memory.explain(id)).memory.fades_at is None


@pytest.mark.parametrize("rate", [0.0001, 0.00001, 1e-9])
async def test_a_very_late_moment_of_fading_can_be_shown(folder: Path, clock: FakeClock, rate: float) -> None:
    async with Memory.open(folder, embedder=None, clock=clock, config={"decay_rate_default": rate}) as memory:
        id = await memory.remember("Ann lives in Berlin.", source="inferred")
        assert (await memory.explain(id)).memory.content == "Ann lives in Berlin."


# --- coming back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pruned", [True, False])
async def test_a_restored_memory_begins_a_new_life(memory: Memory, clock: FakeClock, pruned: bool) -> None:
    id = await memory.remember("Ann lives in Berlin.", source="inferred")
    clock.advance(days=400)
    if pruned:
        await memory.maintain()
    await memory.restore(id)
    assert [(hit.id, hit.confidence) for hit in await memory.search("Ann", reinforce=False)] == [(id, 0.7)]
    assert (await memory.maintain()).pruned == ()
    clock.advance(days=LIFE)
    assert (await memory.maintain()).pruned == (id,)
