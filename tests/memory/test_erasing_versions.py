"""With a conversation go the versions, changes, names and tags that rest on it alone; the rest stays."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ErasureIncomplete, UnknownEntity, UnknownMemory
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.times import SteadyClock
from sandbox.testing import FakeClock
from tests.files import bytes_of
from tests.memory.hits import counted
from tests.memory.learning.scripts import item, learns, named, scripted
from tests.memory.store.raw import query

ANN = Scope("ann")


async def corrected(memory: Memory, one: str, other: str) -> str:
    """A fact of the session ``first``, and its correction in the session ``second``."""
    first = await memory.observe("user", f"I live in {one}.", session="first", scope=ANN)
    second = await memory.observe("user", f"No, I live in {other}.", session="second", scope=ANN)
    fact = await memory.remember(f"The user lives in {one}.", rests_on=[first], scope=ANN)
    return await memory.correct(fact, f"The user lives in {other}.", rests_on=[second], scope=ANN)


async def test_a_correction_is_erased_with_its_conversation(memory: Memory, folder: Path) -> None:
    fact = await corrected(memory, "Berlin", "Qorlavik")
    assert (await memory.profile(scope=ANN)).city.value == "Qorlavik"  # type: ignore[union-attr]
    would = await memory.erase(session="second", dry_run=True, scope=ANN)
    gone = await memory.erase(session="second", scope=ANN)
    assert would == gone
    assert counted(gone) == (1, 1, 1)
    assert (await memory.explain(fact, scope=ANN)).memory.content == "The user lives in Berlin."
    assert (await memory.explain(fact, scope=ANN)).memory.retired_by is None
    assert (await memory.profile(scope=ANN)).city.value == "Berlin"  # type: ignore[union-attr]
    assert b"qorlavik" not in bytes_of(folder)


async def test_a_correction_survives_the_erasure_of_the_corrected_version(memory: Memory, folder: Path) -> None:
    fact = await corrected(memory, "Qorlavik", "Berlin")
    assert counted(await memory.erase(session="first", scope=ANN)) == (1, 1, 0)
    assert [each.content for each in (await memory.explain(fact, scope=ANN)).versions] == ["The user lives in Berlin."]
    assert b"qorlavik" not in bytes_of(folder)


async def test_a_correction_rests_on_the_session_of_its_author(memory: Memory, folder: Path) -> None:
    """Without naming the turns; without a session it rests on the memory that it corrects."""
    first = await memory.observe("user", "I live in Berlin.", session="first", scope=ANN)
    fact = await memory.remember("The user lives in Berlin.", rests_on=[first], scope=ANN)
    await memory.correct(fact, "The user lives in Qorlavik.", scope=Scope("ann", session_id="second"))
    await memory.erase(session="second", scope=ANN)
    assert (await memory.explain(fact, scope=ANN)).memory.content == "The user lives in Berlin."
    await memory.correct(fact, "The user lives in Qorlavik.", scope=ANN)
    await memory.erase(session="first", scope=ANN)
    with pytest.raises(UnknownMemory):
        await memory.explain(fact, scope=ANN)
    assert b"qorlavik" not in bytes_of(folder)


async def test_facts_ended_by_two_changes_stay_ended(memory: Memory, clock: FakeClock) -> None:
    """After the middle change is erased, the first statement was valid until the last one began."""
    for session, city in (("first", "Berlin"), ("second", "Lima"), ("third", "Oslo")):
        clock.advance(days=1)
        await memory.observe("user", f"I live in {city}.", session=session, scope=ANN)
        await memory.consolidate(session, scope=ANN)
    assert (await memory.erase(session="second", scope=ANN)).restored == 0
    berlin, *_ = await memory.search("Berlin", types=["semantic"], history=True, scope=ANN)
    oslo, *_ = await memory.search("Oslo", types=["semantic"], scope=ANN)
    assert berlin.valid_until == oslo.valid_from
    assert [each.id for each in (await memory.explain(berlin.id, scope=ANN)).superseded_by] == [oslo.id]
    await memory.erase(session="third", scope=ANN)
    assert [hit.content for hit in await memory.search("live", types=["semantic"], scope=ANN)] == [berlin.content]


async def test_a_name_is_erased_with_the_last_text_containing_it(tmp_path: Path) -> None:
    """An entity that is known from elsewhere keeps the names that are said there."""
    model = scripted(
        learns(item("Vera plays chess.", 1), entities=[named("Vera")]),
        learns(item("Vera, called Xanthippa, sings.", 1), entities=[named("Vera", "Xanthippa")]),
    )
    async with Memory.open(tmp_path, embedder=None, model=model) as memory:
        await memory.observe("user", "My sister Vera plays chess.", session="kept", speaker="Ann", scope=ANN)
        await memory.consolidate("kept", scope=ANN)
        await memory.observe("user", "My sister Vera, called Xanthippa, sings.", session="gone", scope=ANN)
        await memory.consolidate("gone", scope=ANN)
        assert (await memory.entity("Xanthippa", scope=ANN)).name == "Vera"
        await memory.erase(session="gone", scope=ANN)
        with pytest.raises(UnknownEntity):
            await memory.entity("Xanthippa", scope=ANN)
        assert (await memory.entity("Vera", scope=ANN)).name == "Vera"
    assert b"xanthippa" not in bytes_of(tmp_path)


async def test_a_merge_told_by_an_erased_conversation_is_undone(folder: Path) -> None:
    model = scripted(learns(item("Bob, called Robert, sings.", 1), entities=[named("Bob", "Robert")]))
    async with Memory.open(folder, embedder=None, model=model) as memory:
        await memory.remember("Bob lives in Rome.", subject="Bob", scope=ANN)
        await memory.remember("Robert likes tea.", subject="Robert", scope=ANN)
        await memory.observe("user", "Bob, called Robert, sings.", session="gone", scope=ANN)
        await memory.consolidate("gone", scope=ANN)
        assert (await memory.entity("Bob", scope=ANN)).id == (await memory.entity("Robert", scope=ANN)).id
        await memory.erase(session="gone", scope=ANN)
        for name in ("Bob", "Robert"):
            found = await memory.entity(name, scope=ANN)
            assert (found.name, found.aliases) == (name, ())


async def test_the_name_of_a_session_is_erased_with_it(tmp_path: Path) -> None:
    """From the log too; a session of another project with the same name stays."""
    for other in (None, "garden"):
        folder = tmp_path / str(other)
        async with Memory.open(folder, embedder=None) as memory:
            scope = Scope("ann", session_id="Divorce-Zyx")
            await memory.observe("user", "I live in Berlin.", session="Divorce-Zyx", speaker="Ann", scope=scope)
            told = await memory.observe("user", "I like tea.", session="kept", scope=ANN)
            await memory.remember("Ann likes tea.", subject="Ann", rests_on=[told], scope=scope)
            await memory.consolidate("Divorce-Zyx", scope=ANN)
            await memory.context("Where do I live?", session="Divorce-Zyx", scope=ANN)
            if other is not None:
                there = Scope("ann", other, visibility="project")
                await memory.observe("user", "Roses.", session="Divorce-Zyx", scope=there)
            await memory.erase(session="Divorce-Zyx", scope=ANN)
            assert len(await memory.search("Ann likes tea", types=["semantic"], scope=ANN)) == 1
        assert (b"divorce-zyx" in bytes_of(folder)) == (other is not None)
    assert query(tmp_path / "garden", "SELECT DISTINCT session_id FROM nodes ORDER BY 1") == [
        (None,),
        ("Divorce-Zyx",),
        ("kept",),
    ]


async def test_memories_merged_into_an_erased_one_return(memory: Memory, folder: Path, clock: FakeClock) -> None:
    """The memory that stays loses everything that it took over, with the tags."""
    for first, second in (("gone", "kept"), ("kept", "gone")):
        facts = {}
        for session in (first, second):
            clock.advance(minutes=1)
            turn = await memory.observe("user", f"Tea, {session}.", session=session, scope=ANN)
            tags = [f"Tag{session}zyx"]
            category = "fact" if session == "kept" else "preference"
            facts[session] = await memory.remember(
                f"{'' if session == 'kept' else 'The '}user drinks tea after {first}.",
                tags=tags,
                category=category,
                rests_on=[turn],
                scope=ANN,
            )
        await memory.maintain(only=["merge"])
        await memory.erase(session="gone", scope=ANN)
        record = (await memory.explain(facts["kept"], scope=ANN)).memory
        assert (record.retired_by, record.tags) == (None, ("Tagkeptzyx",))
        await memory.erase(session="kept", scope=ANN)
    assert b"taggonezyx" not in bytes_of(folder)


async def test_a_concurrent_reader_delays_the_removal_of_bytes_and_is_reported(
    store: Store, folder: Path, clock: FakeClock
) -> None:
    """New snapshots do not see it; the error says how to remove the bytes, and that works."""
    await store.write(lambda tx: tx.execute("PRAGMA busy_timeout = 10").fetchone())
    memory = Memory(Runtime(store, None, Config.load(), SteadyClock(clock), None))
    await memory.observe("user", "I live in Qorlavik.", session="gone", scope=ANN)
    reader = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.memory.reader", folder, stdin=PIPE, stdout=PIPE
    )
    assert reader.stdout is not None
    assert await reader.stdout.readline() == b"reading\n"
    with pytest.raises(ErasureIncomplete, match=r"is erased .* still holds bytes of it, .* The next program") as raised:
        await memory.erase(session="gone", scope=ANN)
    assert "not stored" not in str(raised.value)
    assert await memory.search("Qorlavik", scope=ANN) == []
    assert b"qorlavik" in bytes_of(folder)
    await reader.communicate(b"\n")
    assert counted(await memory.erase(session="gone", scope=ANN)) == (0, 0, 0)
    assert b"qorlavik" not in bytes_of(folder)


async def test_another_open_process_no_longer_finds_an_erased_memory(folder: Path) -> None:
    """Whatever it keeps in memory; and it finds what is valid again."""
    async with Memory.open(folder, embedder=None) as memory, Memory.open(folder, embedder=None) as other:
        await corrected(memory, "Berlin", "Qorlavik")
        assert "Qorlavik" in str(await other.context("Where do I live?", scope=ANN))
        await memory.erase(session="second", scope=ANN)
        assert "Qorlavik" not in str(await other.context("Where do I live?", scope=ANN))
        found = [hit.content for hit in await other.search("live", types=["semantic"], scope=ANN)]
        assert found == ["The user lives in Berlin."]
