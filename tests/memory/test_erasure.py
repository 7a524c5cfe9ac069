"""An erased session is gone: from answers, from derived memories, and from the bytes of the file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.canonical import canonical, differences
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.model import Role
from sandbox.testing import FakeClock
from tests.memory.erased import counted
from tests.memory.store.raw import query

KEPT = {"kept": ("Ann: I work at Initech.", "Bot: As what?", "Ann: My brother is called Oleg.")}
GONE = {"gone": ("Ann: I play the oboe.", "Bot: Since when?", "Ann: My sister is called Vera. She lives in Kazan.")}
WORDS = ("oboe", "Vera", "vera", "Kazan", "kazan", "Since when", "sister")
ANN = Scope("ann")


async def told(memory: Memory, sessions: Mapping[str, Sequence[str]]) -> None:
    """Say it, embed it, and learn from it."""
    for session, lines in sessions.items():
        for place, line in enumerate(lines):
            speaker, _, text = line.partition(": ")
            role: Role = "assistant" if speaker == "Bot" else "user"
            message = Message(role, text, session, speaker=speaker, key=f"{session}-{place}")
            await memory.observe_many([message], scope=ANN)
        await memory.consolidate(session, scope=ANN)
    await memory.wait_until_embedded()


async def test_an_erased_session_leaves_no_trace(tmp_path: Path, clock: FakeClock) -> None:
    """The graph equals that of a memory that never heard it."""
    for name, sessions in (("both", {**KEPT, **GONE}), ("one", KEPT)):
        async with Memory.open(tmp_path / name, clock=clock) as memory:
            await told(memory, sessions)
            if name == "both":
                assert await memory.search("Who is Vera?", scope=ANN)
                would = await memory.erase(session="gone", dry_run=True, scope=ANN)
                assert await memory.search("Who is Vera?", scope=ANN)
                assert would == await memory.erase(session="gone", scope=ANN)
                assert (would.turns, would.learnt > 0) == (3, True)
                files = b"".join(path.read_bytes() for path in sorted((tmp_path / name).glob("memory.db*")))
                assert not [word for word in WORDS if word.encode() in files]
    assert differences(canonical(tmp_path / "both"), canonical(tmp_path / "one")) == {}


async def test_an_erased_turn_is_not_found_by_a_repeated_question(tmp_path: Path) -> None:
    """Neither from the index of words in memory, nor from the vectors."""
    async with Memory.open(tmp_path) as memory, Memory.open(tmp_path) as other:
        await told(memory, {**KEPT, **GONE})
        for each in (memory, other):
            assert "Vera" in str(await each.context("Who is Vera?", scope=ANN))
        await memory.erase(session="gone", scope=ANN)
        for each in (memory, other):
            hits = await each.search("Who is Vera, and what is an oboe?", limit=50, scope=ANN)
            assert not [hit for hit in hits if hit.session == "gone"]
            assert "Vera" not in str(await each.context("Who is my sister?", scope=ANN))
            assert "Oleg" in str(await each.context("Who is my brother?", scope=ANN))


async def test_pending_recalls_of_erased_memories_are_dropped(tmp_path: Path) -> None:
    """Although many questions came just before."""
    async with Memory.open(tmp_path) as memory:
        await told(memory, {**KEPT, **GONE})
        for number in range(15):
            question = f"Where do I work, and who is my brother? {number}"
            assert "Initech" in str(await memory.context(question, session="gone", scope=ANN))
        await memory.erase(session="gone", scope=ANN)
        await memory.statistics()  # returns once the recalls are counted
    assert query(tmp_path, "SELECT count(*) FROM recalls WHERE session_id = 'gone'") == [(0,)]


async def test_independently_told_facts_stay(memory: Memory, clock: FakeClock) -> None:
    """Although the erased conversation repeats it."""
    told = await memory.remember("The user lives in Berlin.", scope=ANN)
    clock.advance(minutes=1)
    turn = await memory.observe("user", "I live in Berlin.", session="a", scope=ANN)
    assert len((await memory.consolidate("a", scope=ANN)).merged) == 1
    await memory.remember("The user likes Berlin.", rests_on=[turn], scope=ANN)
    assert counted(await memory.erase(session="a", scope=ANN)) == (1, 1, 0)
    assert [hit.id for hit in await memory.search("Berlin", scope=ANN)] == [told]


async def test_every_version_is_erased(tmp_path: Path) -> None:
    async with Memory.open(tmp_path, embedder=None) as memory:
        turn = await memory.observe("user", "The combination is Auerbach.", session="a", scope=ANN)
        fact = await memory.remember("The locker of Ann opens with Auerbach.", rests_on=[turn], scope=ANN)
        await memory.correct(fact, "The locker of Ann opens with Auerbacher.", rests_on=[turn], scope=ANN)
        assert counted(await memory.erase(session="a", scope=ANN)) == (1, 1, 0)
        assert await memory.search("locker", history=True, scope=ANN) == []
    assert b"uerbach" not in (tmp_path / "memory.db").read_bytes()


@pytest.mark.parametrize("session", ["never", "s"])
async def test_erasing_an_unknown_session_changes_nothing(memory: Memory, session: str) -> None:
    """Nobody erases another user's words."""
    await memory.observe("user", "I live in Berlin.", session="s", scope=ANN)
    assert counted(await memory.erase(session=session, scope=Scope("bob"))) == (0, 0, 0)
    assert len(await memory.search("Berlin", scope=ANN)) == 1


async def test_the_file_is_sound_before_and_after(memory: Memory) -> None:
    """A process that had the file open before opens it anew."""
    for session in range(6):
        lines = (f"On day {session} I bought {number} pots of {'paint' * (number % 7)}." for number in range(200))
        await memory.observe_many([Message("user", line, f"s{session}") for line in lines], scope=ANN)
    for session in range(5):
        assert all(check.ok for check in await memory.check())
        await memory.erase(session=f"s{session}", scope=ANN)
    assert [check.detail for check in await memory.check() if check.name == "file"] == ["sound"]
