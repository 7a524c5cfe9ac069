"""When a statement was true, and when the memory believed it: changes, corrections, and looking back on both axes."""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from sandbox.extensions.memory import AsOf, Memory
from sandbox.extensions.memory.errors import InvalidArgument, NotCurrent, NotMerged, UnknownEntity, UnknownSession
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import contents

JANUARY, FEBRUARY, MARCH, APRIL = (datetime(2026, month, 1, 12, tzinfo=UTC) for month in (1, 2, 3, 4))
DAY = timedelta(days=1)
QUESTION = "where does Ann live?"


async def lives(memory: Memory, place: str, at: datetime | None = None) -> str:
    """Ann moved; the statement supersedes the known home."""
    return await memory.remember(f"Ann lives in {place}.", subject="Ann", at=at, on_similar="supersede")


# --- a correction: it never was so ------------------------------------------------------------------------------------


async def test_a_correction_replaces_what_was_believed(memory: Memory) -> None:
    """Only the history shows it, behind the right version, although the question fits it better."""
    id = await memory.remember("The dog is called Rex, Rex, Rex.")
    assert await memory.correct(id, "The dog is called Max.") == id
    (hit,) = await memory.search("what is the dog called?")
    assert (hit.id, hit.content, hit.version, hit.confidence) == (id, "The dog is called Max.", 2, 1.0)
    assert await memory.search("Rex") == []
    hits = await memory.search("is the dog called Rex?", history=True)
    assert [(hit.id, hit.version, hit.retired_by) for hit in hits] == [(id, 2, None), (id, 1, "corrected")]


async def test_a_correction_keeps_everything_but_the_words(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember(
        "Rex is a dog.", type="opinion", category="preference", subject="Rex", tags=["pets"], at=JANUARY, key="k"
    )
    clock.advance(days=3)
    await memory.correct(id, "Rex is a cat.")
    new, old = (await memory.explain(id)).versions
    assert (new.type, new.category, new.subject, new.tags) == (old.type, old.category, old.subject, old.tags)
    assert new.valid_from == old.valid_from == JANUARY
    assert (new.source, new.version, old.version) == ("corrected", 2, 1)
    assert (old.retired_by, old.retired_at, new.retired_by) == ("corrected", clock(), None)


async def test_a_correction_in_the_same_words_adds_no_version_and_makes_the_memory_sure(memory: Memory) -> None:
    id = await memory.remember("The dog is called Rex.", source="inferred")
    turn = await memory.observe("user", "Yes, he is called Rex.")
    assert await memory.correct(id, "The dog is called Rex.", rests_on=[turn]) == id
    known = await memory.explain(id)
    assert (known.memory.version, known.memory.confidence) == (1, 1.0)
    assert [source.id for source in known.sources] == [turn]
    await memory.correct(id, "The dog is called rex.")
    assert (await memory.explain(id)).memory.version == 2
    await memory.correct(id, "The dog is called rex.", confidence=0.0)
    assert (await memory.explain(id)).memory.confidence == 0.0


async def test_neither_a_turn_nor_a_forgotten_memory_can_be_corrected(memory: Memory) -> None:
    turn, id = await memory.observe("user", "I live in Berlin."), await memory.remember("The dog is called Rex.")
    with pytest.raises(NotCurrent, match=r"turn of a conversation.*statement"):
        await memory.correct(turn, "I live in Potsdam.")
    assert contents(await memory.search("where do I live?")) == ["I live in Berlin."]
    await memory.forget(id)
    with pytest.raises(NotCurrent, match=f"{id}.*forgotten.*restore"):
        await memory.correct(id, "The dog is called Max.")
    with pytest.raises(NotCurrent, match="restore"):
        await memory.confirm(id)


async def test_a_correction_of_an_ended_fact_stays_in_the_past(memory: Memory) -> None:
    january = await lives(memory, "Berlin", JANUARY)
    await lives(memory, "Porto", FEBRUARY)
    await memory.correct(january, "Ann lives in Bonn.")
    assert contents(await memory.search(QUESTION, as_of=AsOf(world=JANUARY + DAY))) == ["Ann lives in Bonn."]
    assert contents(await memory.search(QUESTION)) == ["Ann lives in Porto."]


@pytest.mark.parametrize(
    ("said", "right", "event_day"),
    [
        ("My birthday is 14 March.", "The user's birthday is 15 March.", (3, 2)),
        ("My birthday is 14 March.", "The user's birthday is 1 January.", (3, 2)),
        ("I have a dentist appointment on 12 March.", "The user has a dentist appointment on 13 March 2026.", (3, 13)),
        ("I have a dentist appointment on 12 March.", "The user has an eye test.", (3, 12)),
        ("I am flying to Lisbon on 12 March.", "The user likes Lisbon.", (3, 12)),
        ("We are moving to Hamburg in May.", "The user lives in Hamburg.", (3, 2)),
        ("My thesis is due on 10 May.", "The user's thesis is due on 11 May 2026.", (5, 11)),
    ],
)
@pytest.mark.parametrize("is_learnt", [True, False])
async def test_a_correction_of_what_names_a_day_to_come_holds_from_when_it_was_told(
    memory: Memory, clock: FakeClock, said: str, right: str, event_day: tuple[int, int], is_learnt: bool
) -> None:
    """What is no plan is dated as if it had been told then; an event keeps its day until another one is named."""
    began = clock()
    if is_learnt:
        await memory.observe("user", said, session="s")
        (learnt,) = (await memory.consolidate("s")).learnt
        id = learnt.id
    else:
        id = await memory.remember(said, category="event" if event_day == (3, 12) else "fact")
    clock.advance(hours=2)
    await memory.correct(id, right)
    assert right in contents(await memory.search("", types=["semantic"]))
    known = (await memory.explain(id)).memory
    assert known.valid_from == began
    assert (known.event_time.month, known.event_time.day) == event_day


# --- a change: it was so until then -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("world", "places"),
    [(JANUARY - DAY, []), (JANUARY, ["Berlin"]), (MARCH - DAY, ["Berlin"]), (MARCH, ["Porto"]), (APRIL, ["Porto"])],
)
async def test_a_question_about_the_past_finds_the_facts_of_then(
    memory: Memory, world: datetime, places: list[str]
) -> None:
    """Stored today: Ann lived in Berlin from January, in Porto from March."""
    await lives(memory, "Berlin", JANUARY)
    await lives(memory, "Porto", MARCH)
    for as_of in (AsOf(world=world), world):
        assert contents(await memory.search(QUESTION, as_of=as_of)) == [f"Ann lives in {place}." for place in places]


async def test_an_ended_fact_can_hold_again(memory: Memory) -> None:
    """Berlin, Porto, and back to Berlin."""
    first = await lives(memory, "Berlin", JANUARY)
    await lives(memory, "Porto", FEBRUARY)
    again = await lives(memory, "Berlin", MARCH)
    assert first != again
    assert contents(await memory.search(QUESTION)) == ["Ann lives in Berlin."]
    assert contents(await memory.search(QUESTION, as_of=FEBRUARY + DAY)) == ["Ann lives in Porto."]


async def test_only_what_is_true_now_is_found(memory: Memory) -> None:
    """On 2 March: from April on Ann lives in Porto."""
    await lives(memory, "Berlin", JANUARY)
    await lives(memory, "Porto", APRIL)
    for now, place in ((None, "Berlin"), (JANUARY + DAY, "Berlin"), (APRIL + DAY, "Porto")):
        assert contents(await memory.search(QUESTION, now=now)) == [f"Ann lives in {place}."]
        assert contents(await memory.context(QUESTION, now=now)) == [f"Ann lives in {place}."]


# --- history ----------------------------------------------------------------------------------------------------------


async def test_history_shows_the_chain_with_the_current_fact_first(memory: Memory) -> None:
    """The current fact is the longest, and matches worst."""
    facts = ["Ann lives in Berlin.", "Ann lives in Leeds.", "Ann lives in Porto by the old river."]
    for fact, at in zip(facts, (JANUARY, FEBRUARY, MARCH), strict=True):
        await memory.remember(fact, at=at, on_similar="supersede")
    assert contents(await memory.search(QUESTION)) == facts[-1:]
    assert contents(await memory.search(QUESTION, history=True)) == facts[::-1]
    assert contents(await memory.search("did Ann live in Berlin?", history=True)) == facts[::-1]


async def test_history_shows_an_earlier_learnt_current_fact_first(memory: Memory) -> None:
    for other in ("The tomatoes are fine.", "The port is 5432.", "Rex is a dog.", "It rained."):
        await memory.remember(other)
    await lives(memory, "Porto", MARCH)
    await lives(memory, "Berlin", JANUARY)
    hits = await memory.search("does Ann live in Berlin?", history=True)
    assert contents(hits) == ["Ann lives in Porto.", "Ann lives in Berlin."]


# --- what was believed ------------------------------------------------------------------------------------------------


async def test_a_question_about_belief_finds_the_versions_of_then(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember("The dog is called Rex.", at=JANUARY)
    for name in ("Max", "Moritz"):
        clock.advance(days=3)
        await memory.correct(id, f"The dog is called {name}.")
    for days, name in ((0, "Rex"), (1, "Rex"), (3, "Max"), (4, "Max"), (6, "Moritz"), (30, "Moritz")):
        hits = await memory.search("dog", as_of=AsOf(believed=NOON + timedelta(days=days)))
        assert contents(hits) == [f"The dog is called {name}."]
    assert await memory.search("dog", as_of=AsOf(believed=NOON - DAY)) == []
    assert contents(await memory.search("dog", as_of=NOON + DAY)) == ["The dog is called Rex."]


async def test_later_knowledge_counts_for_world_time_and_not_for_belief(memory: Memory, clock: FakeClock) -> None:
    """On 2 March nothing was known about January; on 12 March it was told."""
    clock.advance(days=10)
    await lives(memory, "Berlin", JANUARY)
    assert contents(await memory.search(QUESTION, as_of=FEBRUARY)) == ["Ann lives in Berlin."]
    assert await memory.search(QUESTION, as_of=AsOf(world=FEBRUARY, believed=NOON)) == []
    assert await memory.search(QUESTION, as_of=AsOf(believed=NOON)) == []


async def test_belief_follows_the_order_and_not_the_clock(memory: Memory, clock: FakeClock) -> None:
    """The clock is set back ten days between two corrections; the later one still counts as later."""
    id = await memory.remember("The dog is called Rex.", at=JANUARY)
    await memory.correct(id, "The dog is called Max.")
    clock.advance(days=-10)
    await memory.correct(id, "The dog is called Moritz.")
    assert contents(await memory.search("dog", as_of=AsOf(believed=clock()))) == ["The dog is called Moritz."]
    assert contents(await memory.search("dog", as_of=AsOf(believed=NOON))) == ["The dog is called Moritz."]
    assert await memory.search("dog", as_of=AsOf(believed=clock() - DAY)) == []
    assert contents(await memory.search("dog")) == ["The dog is called Moritz."]


# --- forgetting is not history ----------------------------------------------------------------------------------------


async def test_a_forgotten_memory_is_in_no_answer(memory: Memory, clock: FakeClock) -> None:
    turn = await memory.observe("user", "My therapist is called Dr. Sorg.")
    fact = await memory.remember("Her therapist is called Dr. Sorg.")
    clock.advance(days=5)
    await memory.correct(fact, "Her therapist is called Dr. Berg.")
    for id in (turn, fact):
        await memory.forget(id)
    for as_of in (None, NOON, AsOf(world=NOON), AsOf(believed=NOON), AsOf(NOON, NOON)):
        for history in (False, True):
            assert await memory.search("therapist", as_of=as_of, history=history) == []
    assert await memory.search("", history=True) == []
    assert await memory.context("who is the therapist?") is None


async def test_a_faded_memory_can_be_forgotten(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember("Her therapist is called Dr. Sorg.", source="inferred")
    clock.advance(days=400)
    assert (await memory.maintain()).pruned == (id,)
    await memory.forget(id)
    assert await memory.search("therapist", history=True) == []


async def test_a_restored_memory_is_as_it_was(memory: Memory) -> None:
    id = await memory.remember("Her therapist is called Dr. Sorg.")
    await memory.forget(id)
    await memory.forget(id)
    await memory.restore(id)
    await memory.restore(id)
    (hit,) = await memory.search("therapist", reinforce=False)
    assert (hit.id, hit.version, hit.confidence) == (id, 1, 1.0)
    assert [change.event for change in (await memory.explain(id)).changes] == ["created", "forgotten", "restored"]


# --- how it is known --------------------------------------------------------------------------------------------------


async def test_explain_shows_versions_sources_chain_and_changes(memory: Memory) -> None:
    turn = await memory.observe("user", "I moved to Berlin.", speaker="Ann", key="m-1", session="s")
    fact = await memory.remember("Ann lives in Berlin.", subject="Ann", at=JANUARY, rests_on=[turn])
    await memory.confirm(fact, by_person=True)
    await memory.correct(fact, "Ann lives in Potsdam.")
    later = await lives(memory, "Porto")
    explained = await memory.explain(fact)
    assert [version.content for version in explained.versions] == ["Ann lives in Potsdam.", "Ann lives in Berlin."]
    assert explained.memory == explained.versions[0]
    assert [source.key for source in explained.sources] == ["m-1"]
    assert [record.id for record in explained.superseded_by] == [later]
    assert explained.supersedes == ()
    assert explained.entities == ("Ann", "Potsdam")
    events = [change.event for change in explained.changes]
    assert sorted(events) == sorted(
        ["created", "linked", "confirmed", "created", "corrected", "linked", "linked", "superseded"]
    )
    assert [change.seq for change in explained.changes] == sorted(change.seq for change in explained.changes)
    assert [record.id for record in (await memory.explain(later)).supersedes] == [fact]
    await memory.forget(turn)
    assert (await memory.explain(fact)).sources == ()


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
def test_a_question_as_of_then_repeats_the_answer_of_then(empty: Path, steps: list[tuple[str, str | int]]) -> None:
    """Without memories that are forgotten now."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(replay(shutil.copytree(empty, Path(folder) / "memory"), steps))


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
