"""Undoing a change, a night, a session's knowledge, a source, an interface, any history; and undoing that."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.call_context import through
from sandbox.extensions.memory.errors import InvalidArgument, LessTrusted, MemoryExtensionError, UnknownChange
from sandbox.testing import FakeClock
from tests.memory.conftest import Join
from tests.memory.histories import AFTER, ANN, change, seen, steps
from tests.memory.hits import city, number_of, undo_again


async def known(memory: Memory, scope: Scope | None = None) -> set[str]:
    """The contents of all memories that are believed and true now."""
    return {each.memory.content for each in (await memory.list(scope=scope or Scope(), limit=100)).items}


async def test_undoing_a_replacement_revives_the_old_memory(memory: Memory, clock: FakeClock) -> None:
    """Also the other way round, and back."""
    await memory.remember("I live in Berlin.")
    clock.advance(days=1)
    potsdam = await memory.remember("I live in Potsdam.")
    change = await number_of(memory, "created", potsdam)
    would = await memory.undo(change, dry_run=True)
    assert [(each.outcome, each.content) for each in would.steps] == [
        ("retired", "I live in Potsdam."),
        ("believed again", "I live in Berlin."),
    ]
    assert (would.dry_run, await known(memory)) == (True, {"I live in Potsdam."})
    undone = await memory.undo(change)
    assert (undone.steps, undone.dry_run) == (would.steps, False)
    assert await known(memory) == {"I live in Berlin."}
    assert await city(memory) == "Berlin"
    again = await undo_again(memory, undone)
    assert await known(memory) == {"I live in Potsdam."}
    await undo_again(memory, again)
    assert await known(memory) == {"I live in Berlin."}


async def test_what_was_merged_into_an_undone_memory_is_merged_again(memory: Memory) -> None:
    golf = await memory.remember("The user plays golf.")
    often = await memory.remember("The user often goes to the golf course.")
    await memory.merge(golf, often)
    undone = await memory.undo(await number_of(memory, "created", often))
    assert await known(memory) == {"The user plays golf."}
    again = await undo_again(memory, undone)
    assert await known(memory) == {"The user often goes to the golf course."}
    assert {each.outcome for each in again.steps} == {"believed again", "merged"}
    await undo_again(memory, again)
    assert await known(memory) == {"The user plays golf."}


async def test_a_merge_into_a_forgotten_memory_is_undone_and_back(memory: Memory) -> None:
    golf = await memory.remember("The user plays golf.")
    often = await memory.remember("The user often goes to the golf course.")
    await memory.merge(golf, often)
    await memory.forget(often)
    undone = await memory.undo(await number_of(memory, "merged", golf))
    assert await known(memory) == {"The user plays golf."}
    await undo_again(memory, undone)
    assert await known(memory) == set()


async def test_a_correction_can_be_undone(memory: Memory) -> None:
    """The id stays; the undone text is one of its versions, and the next correction is another."""
    id = await memory.remember("Ann is a pilot.")
    await memory.correct(id, "Ann is a painter.")
    await memory.undo(await number_of(memory, "corrected", id))
    assert (await memory.explain(id)).memory.content == "Ann is a pilot."
    await memory.correct(id, "Ann is a poet.")
    explained = await memory.explain(id)
    assert explained.memory.content == "Ann is a poet."
    assert [each.retired_by for each in explained.versions] == [None, "corrected", "undone"]
    assert await known(memory) == {"Ann is a poet."}


async def test_later_changed_memories_stay_and_are_reported(memory: Memory) -> None:
    """Nothing was undone, so there is no number to undo, and no line of the log."""
    id = await memory.remember("Ann sings.")
    await memory.forget(id)
    forgotten = await number_of(memory, "forgotten", id)
    await memory.restore(id)
    last = await memory.last_change()
    report = await memory.undo(forgotten)
    assert [(step.outcome, bool(step.reason)) for step in report.steps] == [("kept", True)]
    assert (report.change, report.dry_run, await memory.last_change()) == (None, False, last)
    assert await known(memory) == {"Ann sings."}


async def test_a_confirmation_of_what_never_fades_can_be_undone(memory: Memory) -> None:
    id = await memory.remember("Ann is a pilot.")
    await memory.correct(id, "Ann is a painter.", confidence=0.9)
    await memory.confirm(id)
    undone = await memory.undo(await number_of(memory, "confirmed", id))
    assert (await memory.explain(id)).memory.confidence == 0.9
    await undo_again(memory, undone)
    assert (await memory.explain(id)).memory.confidence == 1.0


async def test_what_faded_fades_again_when_its_restoring_is_undone(memory: Memory, clock: FakeClock) -> None:
    """Also when no night has noticed that it had faded, and when it was said again."""
    id = await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=20)
    told = (await memory.explain(id)).memory
    await memory.remember("The user plays golf.", source="inferred")
    await memory.undo(await number_of(memory, "heard", id))
    assert (await memory.explain(id)).memory == told
    clock.advance(days=2000)
    await memory.restore(id)
    assert await known(memory) == {"The user plays golf."}
    await memory.undo(await number_of(memory, "restored", id))
    assert await known(memory) == set()


async def test_an_undone_correction_of_what_was_replaced_leaves_that_as_history(
    memory: Memory, clock: FakeClock
) -> None:
    """It is not retired; it only ended."""
    id = await memory.remember("I live in Berlin.")
    clock.advance(days=1)
    await memory.remember("I live in Potsdam.")
    await memory.correct(id, "I live in Bern.")
    await memory.undo(await number_of(memory, "corrected", id))
    found = (await memory.explain(id)).memory
    assert (found.content, found.retired_by, found.valid_until) == ("I live in Berlin.", None, clock())


async def test_what_only_an_undone_correction_had_ended_is_valid_again(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("I live in Berlin.")
    id = await memory.remember("Ann sings.")
    clock.advance(days=1)
    await memory.correct(id, "I live in Bern.")
    assert await known(memory) == {"I live in Bern."}
    await memory.undo(await number_of(memory, "corrected", id))
    assert await known(memory) == {"I live in Berlin.", "Ann sings."}


async def test_undone_proposals_wait_no_longer(memory: Memory) -> None:
    """Also those that were concluded from what is undone."""
    turn = await memory.observe("user", "Nuts again!", session="s")
    alone = await memory.remember("I am allergic to nuts.", source="inferred")
    concluded = await memory.remember("I am allergic to figs.", source="inferred", rests_on=[turn])
    assert {each.memory.id for each in await memory.proposals()} == {alone, concluded}
    for undone in (alone, turn):
        await memory.undo(await number_of(memory, "created", undone))
    assert await memory.proposals() == ()
    again = (await memory.changes(whole=True))[-2].seq
    await memory.undo(again)
    assert {each.memory.id for each in await memory.proposals()} == {concluded}


async def test_facts_resting_on_an_undone_memory_alone_go_along(memory: Memory, join: Join, clock: FakeClock) -> None:
    """A fact that was learnt from two turns stays until both are gone; an independent statement stays."""
    told = Scope(session_id="s")
    first = await memory.observe("user", "I started to play golf.", scope=told)
    second = await memory.observe("user", "I play golf now.", scope=told)
    fact = await memory.remember("The user plays golf.", source="inferred", rests_on=[first, second])
    built = await memory.remember("The user does sport.", source="inferred", rests_on=[fact])
    own = await memory.remember("The user likes tea.")
    clock.advance(days=1)
    await join(own, first, "derived_from")
    await memory.undo(await number_of(memory, "created", first))
    assert {"The user plays golf.", "The user does sport.", "The user likes tea."} <= await known(memory)
    undone = await memory.undo(await number_of(memory, "created", second))
    assert await known(memory) == {"The user likes tea."}
    assert {each.reason for each in undone.steps if each.id in (fact, built)} == {"it rests on an undone change"}
    await undo_again(memory, undone)
    assert {"The user plays golf.", "The user does sport."} <= await known(memory)


async def test_undone_learning_of_a_session_is_not_repeated(memory: Memory) -> None:
    await memory.remember("I live in Rome.")
    await memory.observe("user", "I live in Berlin now. I am allergic to nuts.", session="s")
    await memory.consolidate("s")
    before = await known(memory)
    assert "I live in Rome." not in before
    undone = await memory.undo(session="s")
    assert await known(memory) == {"I live in Rome.", "I live in Berlin now. I am allergic to nuts."}
    await memory.observe("user", "I am allergic to nuts.", session="s")
    await memory.consolidate("s")
    assert not [
        each for each in (await memory.list(types=["semantic", "opinion"])).items if "nuts" in each.memory.content
    ]
    await undo_again(memory, undone)
    assert before <= await known(memory)


async def test_a_night_can_be_undone(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=2000)
    await memory.maintain()
    assert await known(memory) == set()
    (step,) = (await memory.undo(night=True)).steps
    assert (step.outcome, step.event, step.content) == ("believed again", "pruned", "The user plays golf.")
    assert await known(memory) == {"The user plays golf."}


async def test_changes_of_an_interface_or_source_since_a_moment_can_be_undone(memory: Memory, clock: FakeClock) -> None:
    """Its confirmations and its forgetting are undone."""
    kept = await memory.remember("Ann sings.")
    with through("mcp"):
        await memory.remember("Bo sings.")
        clock.advance(days=1)
        moment = clock()
        await memory.remember("Cleo sings.", source="inferred")
        await memory.forget(kept)
        await memory.observe("user", "Dora sings.")
    assert await known(memory) == {"Bo sings.", "Cleo sings.", "Dora sings."}
    undone = await memory.undo(interface="mcp", since=moment)
    assert await known(memory) == {"Ann sings.", "Bo sings."}
    await undo_again(memory, undone)
    assert await known(memory) == {"Bo sings.", "Cleo sings.", "Dora sings."}
    await memory.undo(source="inferred")
    assert await known(memory) == {"Bo sings.", "Dora sings."}


async def test_a_name_that_only_undone_memories_have_is_not_listed(memory: Memory) -> None:
    async def names() -> list[str]:
        found = await memory.entities()
        assert found.total == len(found.items) == (await memory.statistics()).entities
        return [each.name for each in found.items]

    await memory.remember("Annie plays chess.", subject="Annie")
    id = await memory.remember("Ann sings.", subject="Ann")
    undone = await memory.undo(await number_of(memory, "created", id))
    assert await names() == ["Annie"]
    await undo_again(memory, undone)
    assert await names() == ["Ann", "Annie"]


async def test_undoing_needs_visibility_and_permission(memory: Memory) -> None:
    """Other users and other projects cannot be seen; global memories need an administrator."""
    chief = Scope("chief", visibility="global", administrator=True)
    ids = [
        await memory.remember("Ann sings.", scope=Scope("ann")),
        await memory.remember("The shop opens at nine.", scope=Scope(project_id="shop", visibility="project")),
    ]
    for seq in (1, 2, 99):
        with pytest.raises(UnknownChange):
            await memory.undo(seq, scope=Scope("bob"))
    with pytest.raises(UnknownChange, match="no change 2 "):
        await memory.undo(2)
    everybody = await memory.remember("Answer in English.", scope=chief)
    last = (await memory.changes(whole=True, scope=Scope("chief")))[-1].seq
    await memory.undo(last, scope=Scope("chief"))
    assert (await memory.explain(everybody)).memory.retired_by is None
    await memory.undo(last, scope=chief)
    assert (await memory.explain(everybody, scope=chief)).memory.retired_by == "undone"
    assert (await memory.explain(ids[0], scope=Scope("ann"))).memory.retired_by is None
    with pytest.raises(LessTrusted):
        await memory.undo(1, trust="web", scope=Scope("ann"))
    with pytest.raises(InvalidArgument, match="just one"):
        await memory.undo(1, night=True)
    with pytest.raises(InvalidArgument, match="just one"):
        await memory.undo()


async def test_undoing_is_logged_and_outlives_the_process(folder: Path, clock: FakeClock) -> None:
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        id = await memory.remember("Ann sings.")
        undone = await memory.undo(1, scope=Scope(actor_id="ann"))
        assert [(each.event, each.actor) for each in await memory.changes(whole=True)] == [
            ("created", None),
            ("undo", "ann"),
            ("undone", "ann"),
        ]
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await undo_again(memory, undone)
        assert [hit.id for hit in await memory.search("Ann")] == [id]


async def test_only_an_administrator_undoes_what_concerns_everybody(memory: Memory) -> None:
    """Also of groups and of names, whose changes concern no memory."""
    boss = Scope(visibility="global", administrator=True)
    for name in ("Zoe", "Zoey"):
        await memory.remember(f"{name} leads the office.", subject=name, scope=boss)
    await memory.set_context("Office", priority=0.4, scope=boss)
    await memory.merge_entities("Zoe", "Zoey", scope=boss)
    lines = [each.seq for each in await memory.changes() if each.event in ("context_changed", "entity_merged")]
    for scope, outcomes in ((Scope(), ["kept", "kept"]), (boss, ["as before", "split"])):
        assert [(await memory.undo(seq, scope=scope)).steps[0].outcome for seq in lines] == outcomes


@settings(max_examples=8)
@given(steps)
async def test_each_undone_change_of_any_history_leaves_no_trace(history: list[tuple[str, int, int]]) -> None:
    """A merged memory, or one that a night retired, begins to fade anew, so that it is not retired again at once."""
    exactly = True
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock()
        async with Memory.open(folder, embedder=None, clock=clock) as memory:
            ids = [await memory.remember("I live in Bergen.", scope=ANN)]
            for what, one, two in history:
                exactly = exactly and what not in ("merge", "night")
                clock.advance(minutes=7)
                before = await seen(memory, exactly=exactly)
                try:
                    with through("mcp"):
                        await change(memory, clock, what, one, two, ids)
                except MemoryExtensionError:  # such as a change of a forgotten memory
                    continue
                if what in AFTER:
                    continue
                after = await seen(memory, exactly=exactly)
                undone = await memory.undo(interface="mcp", since=clock(), scope=ANN)
                assert await seen(memory, exactly=exactly) == before
                if undone.change is not None:
                    again = await memory.undo(undone.change, scope=ANN)
                    assert await seen(memory, exactly=exactly) == after
                    assert again.change is not None
                    if one % 2:
                        await memory.undo(again.change, scope=ANN)
                        assert await seen(memory, exactly=exactly) == before
