"""``as_of`` a moment on both axes gives the answer of that moment, whatever happened since."""

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory import AsOf, Memory
from sandbox.extensions.memory.errors import InvalidArgument, NotMerged, UnknownEntity, UnknownSession
from sandbox.testing import FakeClock

CITIES = ("Berlin", "Potsdam", "Rome")
HOBBIES = ("golf", "chess")
PEOPLE = ("Ann", "Zoe")
STEPS = st.one_of(
    st.tuples(st.just("live"), st.sampled_from(CITIES)),
    st.tuples(st.just("play"), st.sampled_from(HOBBIES)),
    st.tuples(st.sampled_from(["correct", "forget", "confirm", "restore", "undo", "pin"]), st.integers(0, 3)),
    st.tuples(st.just("say"), st.sampled_from(CITIES)),
    st.tuples(st.just("meet"), st.sampled_from(PEOPLE)),
    st.tuples(st.sampled_from(["learn", "unlearn", "night", "merge", "split"]), st.just(0)),
)

Answer = dict[tuple[str, int], tuple[object, ...]]


async def answered(memory: Memory, as_of: AsOf | None = None) -> Answer:
    """The known memories and their states, by id and version."""
    found = await memory.list(limit=100, as_of=as_of, types=["semantic", "opinion"])
    known = [each.memory for each in found.items]
    return {(each.id, each.version): (each.content, each.trust, each.valid_until, each.pinned) for each in known}


async def met(memory: Memory, name: str, as_of: AsOf | None = None) -> dict[str, set[object]]:
    """The facts about a name; nothing if nobody has it."""
    try:
        known = await memory.entity(name, as_of=as_of)
    except UnknownEntity:
        return {}
    told: dict[str, set[object]] = {
        "called": {known.name, *known.aliases},
        "merged": set(known.merged),
        "memories": {each.id for each in (*known.facts, *known.timeline)},
        "relations": {(each.id, each.subject, each.predicate, each.value) for each in known.relations},
    }
    return told if told["memories"] else {}


async def do(memory: Memory, step: tuple[str, str | int]) -> None:
    what, which = step
    if what == "live":
        await memory.remember(f"I live in {which}.")
    elif what == "play":
        await memory.remember(f"The user plays {which}.")
    elif what == "say":
        await memory.observe("user", f"My sister lives in {which}.", session="s")
    elif what == "meet":
        await memory.remember(f"{which} works at Acme.", subject=str(which))
    elif what in ("merge", "split"):
        with contextlib.suppress(UnknownEntity, NotMerged, InvalidArgument):
            await (memory.merge_entities(*PEOPLE) if what == "merge" else memory.split_entity(PEOPLE[1]))
    elif what == "learn":
        with contextlib.suppress(UnknownSession):
            await memory.consolidate(session="s")
    elif what == "unlearn":
        await memory.undo(session="s")
    elif what == "night":
        await memory.maintain(only=["prune"])
    else:
        await change(memory, what, int(which))


async def change(memory: Memory, what: str, which: int) -> None:
    """Change the memory with that number, whatever its state is."""
    ids = sorted({each.id for each in await memory.changes(limit=1_000) if each.id and each.event == "created"})
    standing = sorted(id for id, _ in await answered(memory))
    if what == "undo":
        changes = await memory.changes(limit=1_000)
        if changes:
            await memory.undo(changes[which % len(changes)].seq)
    elif what == "restore" and ids:
        await memory.restore(ids[which % len(ids)])
    elif standing:
        id = standing[which % len(standing)]
        if what == "correct":
            await memory.correct(id, f"The user paints number {which}.")
        elif what == "forget":
            await memory.forget(id)
        elif what == "pin":
            await memory.pin(id)
        else:
            await memory.confirm(id)


async def replay(folder: Path, steps: Sequence[tuple[str, str | int]]) -> None:
    """Also for each time axis alone: at every step the test asks what was true at the first."""
    clock, told = FakeClock(), list[tuple[datetime, Answer, Answer, list[dict[str, set[object]]]]]()
    first = clock()
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        for step in steps:
            await do(memory, step)
            people = [await met(memory, name) for name in PEOPLE]
            told.append((clock(), await answered(memory), await answered(memory, AsOf(world=first)), people))
            clock.advance(hours=1)
        forgotten = await taken_back(memory)
        split = any(each.event == "entity_split" for each in await memory.changes(limit=10_000))
        for moment, then, then_of_first, people in told:
            for world, before in ((moment, then), (first, then_of_first)):
                now = await answered(memory, AsOf(world, moment))
                differs = {key for key in now.keys() | before.keys() if now.get(key) != before.get(key)}
                differs = {key for key in differs if key[0] not in forgotten}
                assert not differs, (moment, world, [(now.get(key), before.get(key)) for key in differs])
            if not (split or forgotten):
                known = [await met(memory, name, AsOf(moment, moment)) for name in PEOPLE]
                assert known == people, moment


async def taken_back(memory: Memory) -> set[str]:
    """Forgotten memories, which no past answer shows."""
    ids = {each.id for each in await memory.changes(limit=10_000) if each.id and each.event == "created"}
    versions = [each for id in ids for each in (await memory.explain(id)).versions]
    return {each.id for each in versions if each.retired_by == "forgotten"}


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@example([("live", "Berlin"), ("forget", 0), ("restore", 0)])
@example([("live", "Berlin"), ("undo", 0), ("undo", 1), ("live", "Rome"), ("restore", 0), ("undo", 3)])
@example([("live", "Berlin"), ("live", "Rome"), ("correct", 0), ("undo", 5), ("confirm", 0)])
@example([("say", "Rome"), ("learn", 0), ("say", "Berlin"), ("learn", 0), ("unlearn", 0)])
@example([("meet", "Ann"), ("meet", "Zoe"), ("merge", 0), ("meet", "Ann")])
@given(st.lists(STEPS, min_size=4, max_size=12))
def test_a_question_as_of_then_repeats_the_answer_of_then(steps: list[tuple[str, str | int]]) -> None:
    """Without memories that are forgotten now."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(replay(Path(folder), steps))


async def test_erased_memories_are_in_no_answer_about_the_past(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "I work at Acme.", session="s")
    await memory.consolidate(session="s")
    kept = await memory.remember("The user plays golf.")
    moment, before = clock(), await answered(memory)
    clock.advance(hours=1)
    await memory.erase(session="s")
    after = await answered(memory, AsOf(moment, moment))
    assert {id for id, _ in before} > {id for id, _ in after} == {kept}
    assert after == {key: value for key, value in before.items() if key[0] == kept}


async def test_a_list_as_of_then_shows_each_state(memory: Memory, clock: FakeClock) -> None:
    """2026-03-02 a tool: Ann lives in Berlin. Later the user confirms and pins it."""
    id = await memory.remember("Ann lives in Berlin.", subject="Ann", trust="tool")
    moment, (before,) = clock(), (await memory.list()).items
    clock.advance(hours=1)
    await memory.confirm(id, by_person=True)
    await memory.pin(id)
    (now,), (then,) = (await memory.list()).items, (await memory.list(as_of=moment)).items
    assert (now.memory.trust, now.memory.pinned) == ("confirmed", True)
    assert then.memory == before.memory
