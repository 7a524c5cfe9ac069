"""What other processes do in these tests; each function is one program. ``processes.running`` starts it, or a
controlled disk as ``python -m tests.memory.store.programs NAME PATH...``.
"""

import asyncio
import json
import logging
import os
import signal
import sqlite3
import sys
from collections.abc import Awaitable, Sequence
from contextlib import closing
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.cli.resident import answer_once
from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.memory import DATABASE
from sandbox.support.embedder import Vector
from tests.memory.store import raw
from tests.memory.store.disk import crash_after
from tests.memory.store.processes import Journal, Switch, become_nobody, program

TOGETHER = 50
_CROWD = 4  # who observe at the same time


# --- on a controlled disk ---------------------------------------------------------------------------------------------


@program
async def acknowledge_writes(folder: Path, log: Path) -> None:
    """Write in every way, one after the other, then many at once; print a line ``ack WHAT`` after each."""

    def acknowledge(what: str) -> None:
        file = os.open(log, os.O_WRONLY | os.O_APPEND)
        os.write(file, f"ack {what}\n".encode())
        os.close(file)

    async def observe(number: int) -> None:
        await memory.observe("user", f"Together {number}.")
        acknowledge("together")

    async with Memory.open(folder, embedder=None) as memory:
        acknowledge("open")
        for number in range(20):
            await memory.observe("user", f"One after the other, {number}.", session="s", speaker="Ann")
            acknowledge("observe")
        await memory.observe_many([Message("user", f"In bulk, {number}.") for number in range(20)])
        acknowledge("observe_many")
        known = await memory.remember("Ann lives in Berlin.", subject="Ann")
        acknowledge("remember")
        await memory.correct(known, "Ann lives in Potsdam.")
        acknowledge("correct")
        await memory.confirm(known)
        acknowledge("confirm")
        await memory.forget(known)
        acknowledge("forget")
        await memory.restore(known)
        acknowledge("restore")
        await asyncio.gather(*(observe(number) for number in range(TOGETHER)))


@program
async def fill_the_disk(folder: Path, full: Path, journal_path: Path) -> None:
    """Write, run out of space in the middle, and write again when there is space; note everything in the journal."""
    journal = Journal(journal_path)
    no_space = Switch(full)

    async def observe(key: str) -> None:
        try:
            await memory.observe("user", f"The word of this message is {key}.", session="s", key=key)
        except MemoryExtensionError as error:
            journal.add(["refused", key, type(error).__name__, str(error)])
        else:
            journal.add(["acknowledged", key])

    async with Memory.open(folder, embedder=None) as memory:
        for period in range(3):
            for number in range(10):
                await observe(f"before{period}x{number}")
            no_space.on()
            await asyncio.gather(*(observe(f"full{period}x{number}") for number in range(5)))
            journal.add(["found", [hit.key for hit in await memory.search(f"before{period}x5")]])
            try:
                await memory.observe_many([Message("user", f"bulk {n}", key=f"bulk{n}") for n in range(600)])
            except MemoryExtensionError as error:
                journal.add(["refused", "bulk", type(error).__name__, str(error)])
            no_space.off()
            for number in range(10):
                await observe(f"after{period}x{number}")
        no_space.on()
    no_space.off()


@program
async def erase_within_a_quota(folder: Path, journal_path: Path) -> None:
    """Erase a conversation where no file may grow to the size of the database, and open the memory again."""
    import resource  # only Unix has it

    journal, limit = Journal(journal_path), (folder / DATABASE).stat().st_size // 2
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    async with Memory.open(folder, embedder=None) as memory:
        try:
            await memory.erase(session="gone")
        except MemoryExtensionError as error:
            journal.add([type(error).__name__, str(error)])
    async with Memory.open(folder, embedder=None) as memory:
        journal.add([hit.content for hit in await memory.search("", limit=1)])


@program
async def open_on_a_full_disk(folder: Path, full: Path, journal_path: Path) -> None:
    """Open without space, then with space, and note the results in the journal."""
    journal = Journal(journal_path)
    no_space = Switch(full)
    no_space.on()
    try:
        async with Memory.open(folder, embedder=None):
            journal.add(["opened"])
    except Exception as error:
        journal.add([type(error).__name__, str(error)])
    no_space.off()
    async with Memory.open(folder, embedder=None) as memory:
        journal.add([hit.content for hit in await memory.search("")])
        await memory.observe("user", "There is space again.")


@program
async def embed_on_a_full_disk(folder: Path, full: Path) -> None:
    """Store a turn, run out of space when its vector is computed, and wait for the vector, then with space; log and
    errors go to the output.
    """
    logging.basicConfig(level=logging.INFO)
    no_space = Switch(full)

    class Filling(HashEmbedder):
        async def embed_batch(self, texts: Sequence[str]) -> Vector:
            if len(self.seen) == 0:
                no_space.on()
            return await super().embed_batch(texts)

    async with Memory.open(folder, embedder=Filling()) as memory:
        await memory.observe("user", "I moved to Berlin.")
        try:
            await memory.wait_until_embedded()
        except MemoryExtensionError as error:
            print(error)
        no_space.off()
        await memory.wait_until_embedded()
        print((await memory.statistics()).vectors, "vector")


def crash_at_every_operation(home: Path, journal_path: Path) -> None:
    """Open a new memory, observe and close; a child is killed before the first operation of the disk, the next before
    the second, and so on. Each has a folder of its own, ``home/0``, ``home/1``, ...; the journal gets the numbers of
    those that acknowledged.
    """
    for operations in count(step=2):
        children = [_start_and_crash(home, journal_path, number) for number in (operations, operations + 1)]
        ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert set(ends) <= {0, -signal.SIGKILL}
        if 0 in ends:
            return


def _start_and_crash(home: Path, journal_path: Path, operations: int) -> int:
    """The process id of a child that is killed after so many operations, if it has not ended before."""
    child = os.fork()
    if child == 0:
        crash_after(operations)
        asyncio.run(_open_and_observe(home / str(operations), Journal(journal_path), operations))
        os._exit(0)
    return child


async def _open_and_observe(folder: Path, journal: Journal, number: int) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.", session="s", speaker="Ann", key="first")
        journal.add(number)


# --- on a machine that lacks something --------------------------------------------------------------------------------


@program
async def use_vectors(folder: Path, journal_path: Path, dimensions: Path) -> None:
    """Observe, embed and search; note the driver, the legs, the failed checks and the model in the journal."""
    journal = Journal(journal_path)
    async with Memory.open(folder, embedder=HashEmbedder(int(str(dimensions)))) as memory:
        await memory.observe("user", "Turn number9 about bees.", key="9")
        await memory.remember("Anna works at Acme.")
        await memory.wait_until_embedded()
        [first, *_] = await memory.search("number9")
        checks = await memory.check()
        driver = "; ".join(check.detail for check in checks if check.name == "database")
        unsound = [f"{check.name}: {check.detail}" for check in checks if not check.ok]
        journal.add([driver, sorted(first.legs), unsound, (await memory.statistics()).embedding_model])


@program
async def erase_a_conversation(folder: Path, journal_path: Path) -> None:
    """Erase one conversation of two."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "My friend is Qorlavik.", session="gone")
        await memory.observe("user", "I moved to Berlin.", session="here")
        await memory.erase(session="gone")
        Journal(journal_path).add([hit.content for hit in await memory.search("")])


# --- processes among others -------------------------------------------------------------------------------------------


@program
async def observe_for_ever(folder: Path, journal_path: Path, run: int) -> None:
    """Observe, several turns at a time, until killed; note key and id of acknowledged turns in the journal."""
    journal = Journal(journal_path)

    async def observe(who: int) -> None:
        for number in count():
            key = f"run{run}who{who}turn{number}"
            id = await memory.observe("user", f"The word is {key}.", session=f"s{who}", speaker=f"W{who}", key=key)
            journal.add([key, id])

    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await asyncio.gather(*(observe(who) for who in range(_CROWD)))


@program
async def observe_in_bulk_for_ever(folder: Path, journal_path: Path) -> None:
    """Observe a hundred turns at a time until killed, so that the file grows again and again."""
    journal = Journal(journal_path)
    async with Memory.open(folder, embedder=None) as memory:
        for start in count(step=100):
            await memory.observe_many(Message("user", f"Turn number{start + n} of many.") for n in range(100))
            journal.add(start)


@program
async def observe_numbers(folder: Path, journal_path: Path, who: int, numbers: Sequence[int]) -> None:
    """Observe the turns with these numbers, several at a time; note number and id of each in the journal."""
    journal = Journal(journal_path)

    async def observe(mine: Sequence[int]) -> None:
        for number in mine:
            session = "shared" if number % 2 else f"of {number % 5}"
            speaker = f"Speaker {number % 3}"
            id = await memory.observe(
                "user", f"Turn number{number}.", session=session, speaker=speaker, key=f"{number}"
            )
            journal.add([who, number, id])

    async with Memory.open(folder, embedder=None) as memory:
        await asyncio.gather(*(observe(numbers[start::_CROWD]) for start in range(_CROWD)))


def open_new_folders_together(home: Path, who: int, rounds: int, together: Barrier) -> None:
    """Open ``home/0``, ``home/1``, ... in step with the others, and observe one turn in each."""
    try:
        for number in range(rounds):
            together.wait(20)
            asyncio.run(_observe(home / str(number), key=f"{who}"))
    except BaseException:
        together.abort()
        raise


@program
async def observe_and_embed(folder: Path, contents: Sequence[str], done: Connection) -> None:
    """Observe and embed, report it, and keep the memory open until the other side closes."""
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await memory.observe_many(Message("user", content) for content in contents)
        await memory.wait_until_embedded()
        done.send("embedded")
        await asyncio.to_thread(done.poll, 20)


@program
async def open_and_close(folder: Path) -> None:
    """Open a memory, look, and close it."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.statistics()


def look_with_another_sqlite(folder: Path) -> None:
    """Read the file with the SQLite of Python, as a person with a tool would, and close it."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute("SELECT count(*) FROM nodes").fetchone()


@program
async def open_twice_then_observe(folder: Path, journal_path: Path, pipe: Connection) -> None:
    """Open the folder twice, wait for a message, then observe; note the ids in the journal."""
    journal = Journal(journal_path)
    async with Memory.open(folder, embedder=None) as first:
        await first.observe("user", "before", key="before")
        async with Memory.open(folder, embedder=None) as second:
            pipe.send("open")
            await asyncio.to_thread(pipe.recv)
            journal.add(await first.observe("user", "through the first", key="first"))
            journal.add(await second.observe("user", "through the second", key="second"))


def make_half_a_file(path: Path) -> None:
    """Write pages of a schema into the file before they are committed, and die."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    for number in range(200):
        connection.execute(f"CREATE TABLE t{number} (words TEXT)")
        connection.execute(f"INSERT INTO t{number} VALUES (?)", ("words" * 1000,))
    os.kill(os.getpid(), signal.SIGKILL)


def hold_the_lock(folder: Path, seconds: float, pipe: Connection) -> None:
    """Keep the lock for writing for a while."""
    with closing(raw.connect(folder)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        pipe.send("locked")
        pipe.poll(seconds)
        connection.execute("COMMIT")


def observe_and_close(folder: Path) -> None:
    """Observe something and close the memory."""
    asyncio.run(_observe(folder))


def observe_then_crash(folder: Path) -> None:
    """Observe something, and end without closing."""
    asyncio.run(_observe(folder, crash=True))


async def _observe(folder: Path, *, key: str = "moved", crash: bool = False) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.", session="s", speaker="Ann", key=key)
        if crash:
            os._exit(0)


def raise_the_version_then_crash(folder: Path, version: int) -> None:
    """Write a newer schema version into the write-ahead log as another program, and end without closing."""
    connection = raw.connect(folder)
    connection.execute(f"PRAGMA user_version = {version}")
    os._exit(0)


@program
async def observe_long_words(folder: Path) -> None:
    """Observe single words of a hundred thousand characters, and search for them."""
    async with Memory.open(folder, embedder=None) as memory:
        for unit in ("a", "Ab", "ёж", "9-"):
            word = unit * (100_000 // len(unit))
            id = await memory.observe("user", word)
            assert [hit.id for hit in await memory.search(word)] == [id], unit


# --- as an ordinary user ----------------------------------------------------------------------------------------------


def use_as_nobody(folder: Path, journal_path: Path) -> None:
    """Open, read and write without the rights of root; note the results in the journal."""
    with TemporaryDirectory() as elsewhere:  # later imports may need files that only root can read
        there = Path(elsewhere, *journal_path.parent.parts[1:])  # of the same name, in which secrets are looked for
        there.mkdir(parents=True)
        asyncio.run(_use(there, Journal(there / "journal")))
    become_nobody()
    asyncio.run(_use(folder, Journal(journal_path)))


async def _use(folder: Path, journal: Journal) -> None:
    try:
        async with Memory.open(folder, embedder=None) as memory:
            await _tell(journal, "search", memory.search("Did I move to Berlin?", reinforce=False))
            await _tell(journal, "context", memory.context("Did I move to Berlin?"))
            await _tell(journal, "check", memory.check())
            await _tell(journal, "export", memory.export(journal.path.with_name("all.jsonl")))
            await _tell(journal, "observe", memory.observe("user", "Something new."))
    except Exception as error:
        journal.add(_failure("open", error))


async def _tell(journal: Journal, what: str, doing: Awaitable[object]) -> None:
    try:
        journal.add([what, "ok", str(await doing)])
    except Exception as error:
        journal.add(_failure(what, error))


def answer_a_prompt(home: Path) -> None:
    """Print what a hook answers that opens the memory itself."""
    prompt = {"session_id": "s", "transcript_path": "/s.jsonl", "prompt": "Where do I live?"}
    asked = {"event": "UserPromptSubmit", "input": json.dumps(prompt), "user": None, "project": None}
    print(answer_once(home, asked).decode())


def _failure(what: str, error: Exception) -> list[object]:
    """The operation that failed, its error, whether that error is documented, and its message."""
    documented = type(error).__name__ if isinstance(error, MemoryExtensionError) else f"raw {type(error).__name__}"
    return [what, documented, str(error)]


if __name__ == "__main__":
    globals()[sys.argv[1]](*map(Path, sys.argv[2:]))
