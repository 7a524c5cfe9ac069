"""Whatever happened since: ``as_of`` a moment on both axes gives what was answered at that moment."""

import asyncio
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory import AsOf, Memory
from sandbox.testing import FakeClock

CITIES = ("Berlin", "Potsdam", "Rome")
HOBBIES = ("golf", "chess")
STEPS = st.one_of(
    st.tuples(st.just("live"), st.sampled_from(CITIES)),
    st.tuples(st.just("play"), st.sampled_from(HOBBIES)),
    st.tuples(st.sampled_from(["correct", "forget", "confirm", "restore", "undo", "pin"]), st.integers(0, 3)),
    st.tuples(st.just("say"), st.sampled_from(CITIES)),
    st.tuples(st.sampled_from(["learn", "night"]), st.just(0)),
)

Answer = dict[tuple[str, int], str]


async def answered(memory: Memory, as_of: AsOf | None = None) -> Answer:
    """What is known, by id and version."""
    found = await memory.list(limit=100, as_of=as_of, types=["semantic", "opinion"])
    return {(each.memory.id, each.memory.version): each.memory.content for each in found.items}


async def do(memory: Memory, step: tuple[str, str | int]) -> None:
    what, which = step
    if what == "live":
        await memory.remember(f"I live in {which}.")
    elif what == "play":
        await memory.remember(f"The user plays {which}.")
    elif what == "say":
        await memory.observe("user", f"I work in {which}.", session="s")
    elif what == "learn":
        await memory.consolidate()
    elif what == "night":
        await memory.maintain(only=["prune"])
    else:
        await change(memory, what, int(which))


async def change(memory: Memory, what: str, which: int) -> None:
    """Of the memory that the number means, whether or not it stands."""
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
    clock, told = FakeClock(), list[tuple[datetime, Answer]]()
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        for step in steps:
            await do(memory, step)
            told.append((clock(), await answered(memory)))
            clock.advance(hours=1)
        ids = {each.id for each in await memory.changes(limit=10_000) if each.id and each.event == "created"}
        versions = [each for id in ids for each in (await memory.explain(id)).versions]
        forgotten = {each.id for each in versions if each.retired_by == "forgotten"}
        for moment, then in told:
            now = await answered(memory, AsOf(moment, moment))
            differs = {key for key in now.keys() ^ then.keys() if key[0] not in forgotten}
            assert not differs, (moment, [(now.get(key), then.get(key)) for key in differs])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@example([("live", "Berlin"), ("forget", 0), ("restore", 0)])
@example([("live", "Berlin"), ("undo", 0), ("undo", 1), ("live", "Rome"), ("restore", 0), ("undo", 3)])
@example([("live", "Berlin"), ("live", "Rome"), ("correct", 0), ("undo", 5), ("confirm", 0)])
@given(st.lists(STEPS, min_size=4, max_size=12))
def test_what_was_answered_then_is_answered_of_then(steps: list[tuple[str, str | int]]) -> None:
    """What is forgotten now stays out of answers of before."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(replay(Path(folder), steps))
