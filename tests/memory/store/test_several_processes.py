"""Several processes on one file: nothing is lost, and each sees what the others write, whatever it keeps in memory."""

import asyncio
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.connection import check_header
from sandbox.extensions.memory.store.sqlite.migrate import FIRST_VERSION, SCHEMA_VERSION
from tests.memory.store import programs, raw
from tests.memory.store.processes import Journal, finish, in_step, kill, running, wait_for_end, wait_until

PROCESSES, OBSERVES = 4, 100
CROWD, ROUNDS = 6, 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "memory"


async def test_four_processes_observe_at_once(folder: Path, journal: Journal) -> None:
    """Four processes open a new folder and observe a hundred turns each; half of them are the same as their
    neighbour's. Every turn is there once, under the id that each process got, and each session is one chain of turns.
    """
    with ExitStack() as stack:
        started = [
            stack.enter_context(running(programs.observe_numbers, folder, journal.path, who, _numbers(who)))
            for who in range(PROCESSES)
        ]
        for process in started:
            wait_for_end(process)

    told = defaultdict(set)
    for _, number, id in journal.values():
        told[str(number)].add(id)
    assert journal.count() == PROCESSES * OBSERVES
    assert {number: len(ids) for number, ids in told.items()} == {str(n): 1 for n in range(250)}
    ids = {number: ids.pop() for number, ids in told.items()}
    assert len(set(ids.values())) == 250

    assert dict(raw.query(folder, "SELECT key, public_id FROM nodes")) == ids
    assert len(raw.temporal_chain(folder, "shared")) == 125
    for rest in range(5):
        assert len(raw.temporal_chain(folder, f"of {rest}")) == 25
    assert raw.query(folder, "SELECT name, mention_count FROM entities ORDER BY name") == [
        ("Speaker 0", 84),
        ("Speaker 1", 83),
        ("Speaker 2", 83),
    ]
    assert raw.one(folder, "SELECT count(*) FROM changes WHERE event = 'created'") == 250
    async with Memory.open(folder, embedder=None) as memory:
        assert all(check.ok for check in await memory.check())
        [first, *_] = await memory.search("What was number77?")
        assert first.id == ids["77"]


def _numbers(who: int) -> list[int]:
    return list(range(who * OBSERVES // 2, who * OBSERVES // 2 + OBSERVES))


async def test_a_process_sees_what_another_writes_and_embeds(hashed: Memory, folder: Path) -> None:
    """
    here:  I keep bees.
    there: The hives stand behind the barn.
    here:  Where are the hives?
    """
    await hashed.observe("user", "I keep bees.")
    await hashed.wait_until_embedded()
    assert [hit.content for hit in await hashed.search("bees")] == ["I keep bees."]
    said = ["The hives stand behind the barn."]
    here, there = multiprocessing.Pipe()
    with here, there, running(programs.observe_and_embed, folder, said, there) as process:
        assert await asyncio.to_thread(here.recv) == "embedded"
        [first, *_] = await hashed.search("Where are the hives?")
        assert [first.content] == said
        assert {"fts", "vector"} <= first.legs.keys()
        here.send("thank you")
        wait_for_end(process)
    [first, *_] = await hashed.search("hives barn")
    assert {"fts", "vector"} <= first.legs.keys()


async def test_a_process_embeds_what_another_left_without_vectors(hashed: Memory, folder: Path) -> None:
    """
    there, without an embedder: I moved to Berlin.
    here:  Berlin?
    """
    await hashed.wait_until_embedded()
    finish(programs.observe_and_close, folder)
    assert (await hashed.statistics()).embedding_backlog == 1
    await hashed.wait_until_embedded()
    [hit] = await hashed.search("moved Berlin")
    assert {"fts", "vector"} <= hit.legs.keys()


async def test_a_write_waits_for_another_process_and_reading_goes_on(memory: Memory, folder: Path) -> None:
    """Another process keeps the lock for half a second: a turn is stored after it, and a search answers before."""
    await memory.observe("user", "I keep bees.")
    here, there = multiprocessing.Pipe()
    with here, there, running(programs.hold_the_lock, folder, 0.5, there) as process:
        assert await asyncio.to_thread(here.recv) == "locked"
        waiting = asyncio.create_task(memory.observe("user", "The hives stand behind the barn."))
        assert [hit.content for hit in await memory.search("bees", reinforce=False)] == ["I keep bees."]
        assert not waiting.done()
        assert len(await waiting) == 8
        wait_for_end(process)


def test_processes_that_open_a_new_folder_at_once_make_one_memory(folder: Path) -> None:
    """Each opens, observes one turn and closes; the one memory has all turns. Repeated, because the moment matters."""
    together = in_step(CROWD)
    with ExitStack() as stack:
        started = [
            stack.enter_context(running(programs.open_new_folders_together, folder, who, ROUNDS, together))
            for who in range(CROWD)
        ]
        for process in started:
            wait_for_end(process)
    for place in range(ROUNDS):
        made = folder / str(place)
        assert sorted(raw.query(made, "SELECT key FROM nodes")) == [(f"{who}",) for who in range(CROWD)]
        applied = [(number,) for number in range(FIRST_VERSION, SCHEMA_VERSION + 1)]
        assert raw.query(made, "SELECT version FROM migrations") == applied
        assert raw.one(made, "PRAGMA journal_mode") == "wal"


async def test_opening_while_another_process_writes_much_finds_a_sound_file(folder: Path, journal: Journal) -> None:
    """The file grows during the opening, and is never called damaged."""
    with running(programs.observe_in_bulk_for_ever, folder, journal.path) as process:
        await asyncio.to_thread(wait_until, lambda: journal.count() > 0)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            await asyncio.to_thread(check_header, folder / DATABASE)
        async with Memory.open(folder, embedder=None) as memory:
            assert (await memory.statistics()).changes > 0
        kill(process)


def test_a_process_killed_while_making_a_memory_leaves_a_usable_folder(folder: Path) -> None:
    """The file was half written, with the journal that undoes it beside it."""
    folder.mkdir()
    with running(programs.make_half_a_file, folder / DATABASE) as process:
        process.join(20)
    assert (folder / DATABASE).stat().st_size > 0
    assert (folder / f"{DATABASE}-journal").stat().st_size > 0
    finish(programs.observe_and_close, folder)
    assert raw.one(folder, "SELECT count(*) FROM nodes") == 1


def test_a_new_memory_leaves_nothing_beside_it(folder: Path) -> None:
    """It also removes what killed processes left there."""
    (folder / ".making-left").mkdir(parents=True)
    finish(programs.observe_and_close, folder)
    assert [path.name for path in folder.iterdir()] == [DATABASE]


@pytest.mark.parametrize("visit", [programs.open_and_close, programs.look_with_another_sqlite])
async def test_acknowledged_writes_survive_a_visiting_process(
    folder: Path, journal: Journal, visit: Callable[[Path], None]
) -> None:
    """A process has the folder open twice, and another one reads the file and closes it. What the first then
    acknowledges is there: it still held its locks, so the visitor did not remove the write-ahead log.
    """
    here, there = multiprocessing.Pipe()
    with here, there, running(programs.open_twice_then_observe, folder, journal.path, there) as process:
        assert await asyncio.to_thread(here.recv) == "open"
        finish(visit, folder)
        assert (folder / f"{DATABASE}-wal").exists(), "the write-ahead log was taken away from a process that uses it"
        here.send("go on")
        wait_for_end(process)
    assert journal.count() == 2
    async with Memory.open(folder, embedder=None) as memory:
        found = {hit.key: hit.id for hit in await memory.search("")}
    assert list(found) == ["second", "first", "before"]
    assert [found["first"], found["second"]] == journal.values()


async def test_two_memories_of_one_process_share_a_folder(folder: Path) -> None:
    """Both write at once and see each other's writes; closing one does not harm the other."""
    async with Memory.open(folder, embedder=HashEmbedder()) as first:
        async with Memory.open(folder, embedder=HashEmbedder()) as second:
            turns = [(memory, number) for number in range(20) for memory in (first, second)]
            ids = await asyncio.gather(
                *(memory.observe("user", f"Turn number{n}.", session="s", key=f"{n}") for memory, n in turns)
            )
            assert ids[::2] == ids[1::2]
            assert len(set(ids)) == 20
            await first.remember("Ann lives in Berlin.")
            [hit, *_] = await second.search("Berlin")
            assert hit.content == "Ann lives in Berlin."
        await first.observe("user", "The other one is closed.", session="s")
        await first.wait_until_embedded()
        assert all(check.ok for check in await first.check())
    assert len(raw.temporal_chain(folder, "s")) == 21


THINGS = ("violin", "piano", "garden", "bicycle", "harbour", "lighthouse")
QUESTIONS = ("Who has a violin in the garden?", "When was the bicycle at the harbour?")
SCOPES = (Scope(), Scope(user_id="another"), Scope(project_id="p", visibility="project"))

Answers = list[list[tuple[str, float]]]


async def answers(memory: Memory) -> Answers:
    """The results and scores in each scope, from a memory with an empty backlog."""
    await memory.wait_until_embedded()
    return [
        [(hit.content, round(hit.score, 5)) for hit in await memory.search(question, reinforce=False, scope=scope)]
        for question in QUESTIONS
        for scope in SCOPES
    ]


async def afresh(folder: Path) -> Answers:
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        return await answers(memory)


async def write(memory: Memory, ids: list[str], random: Random) -> None:
    """Say, learn, forget or restore something."""
    words = " ".join(random.choices(THINGS, k=3))
    scope = random.choice(SCOPES)
    act = random.choice(("say", "say", "say together", "learn", "replace", "forget", "restore"))
    if act == "say":
        await memory.observe("user", f"The {words}.", session=random.choice("ab"), speaker="Ann", scope=scope)
    elif act == "say together":
        said = [Message("user", f"Is there a {words} {number}?", random.choice("ab")) for number in range(4)]
        await memory.observe_many(said, scope=scope)
    elif act == "learn":
        ids.append(await memory.remember(f"There is a {words}.", subject="Ann"))
    elif act == "replace":
        ids.append(await memory.remember(f"Ann's harbour is {random.choice(THINGS)}.", subject="Ann"))
    elif ids and act == "forget":
        await memory.forget(random.choice(ids))
    elif ids and act == "restore":
        await memory.restore(random.choice(ids))


@pytest.mark.parametrize("seed", range(2))
async def test_a_long_open_memory_answers_like_a_new_one(folder: Path, seed: int) -> None:
    """Two memories have the folder open; either one writes, and both answer as a third one that was just opened."""
    random, ids = Random(seed), list[str]()
    embedder = HashEmbedder()
    async with Memory.open(folder, embedder=embedder) as one, Memory.open(folder, embedder=embedder) as other:
        for _ in range(20):
            await write(random.choice((one, other)), ids, random)
            expected = await afresh(folder)
            assert await answers(one) == expected
            assert await answers(other) == expected


async def test_the_right_one_of_many_new_memories_is_found(folder: Path) -> None:
    """More than are compared one by one, and more than the index of words keeps."""
    async with Memory.open(folder, embedder=None) as reader, Memory.open(folder, embedder=None) as writer:
        await writer.observe_many(Message("user", f"A violin {number}.", "a") for number in range(40))
        assert len(await reader.search("violin", limit=100)) == 40
        await writer.observe_many(Message("user", f"A piano {number}.", f"s{number % 7}") for number in range(3_000))
        last = await writer.observe("user", "And a violin in a lighthouse.", session="a")
        [first, *_] = await reader.search("violin lighthouse", limit=100)
        assert first.id == last
        assert len(await reader.search("violin", limit=100, reinforce=False)) >= 41
