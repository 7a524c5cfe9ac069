"""Vectors: a durable backlog, a provider that may fail, and a change of model."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandbox.extensions.embedding.testing import HashEmbedder, hash_vectors
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import EmbedderUnavailable
from sandbox.support.embedder import Embedder, Vector
from tests.files import bytes_of
from tests.memory.store import programs, raw
from tests.memory.store.processes import Journal

_ROOT = Path(__file__).parents[3]
PATIENCE = 10  # seconds; what would take longer is a hang


def turns(count: int, first: int = 0) -> list[Message]:
    return [Message("user", f"Turn number{n} about bees.", key=f"{n}") for n in range(first, first + count)]


@asynccontextmanager
async def opened(folder: Path, embedder: Embedder) -> AsyncIterator[Memory]:
    """An open memory; fails if the block, or closing, takes too long."""
    async with asyncio.timeout(PATIENCE), Memory.open(folder, embedder=embedder) as memory:
        yield memory


async def assert_words_answer(memory: Memory) -> None:
    """``number3`` is found by its word, and not by its vector."""
    hits = await asyncio.wait_for(memory.search("number3"), 5)
    assert hits[0].content == "Turn number3 about bees."
    assert all("vector" not in hit.legs for hit in hits)


async def assert_vectors_answer(memory: Memory, *numbers: int) -> None:
    """The turns with these numbers are found first, and by their vectors."""
    for number in numbers:
        [first, *_] = await memory.search(f"number{number}")
        assert first.key == f"{number}"
        assert "vector" in first.legs


# --- the backlog ------------------------------------------------------------------------------------------------------


async def test_a_restart_continues_the_backlog(folder: Path, hashing: HashEmbedder) -> None:
    """Without an embedder, or with one that is down: the turns are embedded once after the next opening."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe_many(turns(5))
        assert (await memory.statistics()).embedding_backlog == 5
    async with opened(folder, HashEmbedder(available=False)) as memory:
        await memory.observe_many(turns(5, first=5))
        assert (await memory.statistics()).embedding_backlog == 10
    async with opened(folder, hashing) as memory:
        await memory.wait_until_embedded()
        held = await memory.statistics()
        assert (held.embedding_backlog, held.vectors, held.embedding_model) == (0, 10, "hash/words/64")
        assert sorted(hashing.seen) == sorted(turn.content for turn in turns(10))
        hashing.seen.clear()
        await assert_vectors_answer(memory, 7)
    async with opened(folder, hashing) as memory:
        await memory.wait_until_embedded()
        assert not any(turn.content in hashing.seen for turn in turns(10))


async def test_several_waiting_batches_are_embedded_in_order(hashed: Memory, hashing: HashEmbedder) -> None:
    """Two thousand turns; each is embedded exactly once."""
    await hashed.observe_many(turns(2000))
    await hashed.wait_until_embedded()
    assert hashing.seen == [turn.content for turn in turns(2000)]
    assert (await hashed.statistics()).vectors == 2000


async def test_waiting_ends_however_much_is_added_meanwhile(embedded: Memory) -> None:
    """All turns from before the wait have vectors; later turns are no failure of the provider."""

    async def talk() -> None:
        for number in range(150):
            await embedded.observe("user", f"This is turn {number} of many.", session="s")

    talking = asyncio.create_task(talk())
    while not talking.done():
        await embedded.wait_until_embedded()
        await asyncio.sleep(0)
    await talking
    await embedded.wait_until_embedded()
    assert (await embedded.statistics()).embedding_backlog == 0


async def test_without_an_embedder_search_uses_words_and_nothing_waits(memory: Memory) -> None:
    """This is no problem of the memory: its check is in order."""
    await memory.observe_many(turns(5))
    await memory.wait_until_embedded()
    await assert_words_answer(memory)
    assert all(check.ok for check in await memory.check())


async def test_a_text_without_words_is_near_to_nothing(hashed: Memory) -> None:
    """Its vector is zero; it leaves the backlog, and no question finds it by meaning."""
    await hashed.observe("user", "?!")
    await hashed.observe_many(turns(3))
    await hashed.wait_until_embedded()
    assert (await hashed.statistics()).embedding_backlog == 0
    assert "?!" not in [hit.content for hit in await hashed.search("number1 bees")]
    assert await hashed.search("?!") == []


async def test_a_turn_is_embedded_with_its_speaker(hashed: Memory, hashing: HashEmbedder) -> None:
    """Many questions name the speaker."""
    await hashed.observe("user", "I keep bees.", speaker="Ann")
    await hashed.wait_until_embedded()
    assert hashing.seen == ["Ann: I keep bees."]


# --- a provider that fails --------------------------------------------------------------------------------------------


async def test_search_uses_words_until_the_provider_recovers(hashed: Memory, hashing: HashEmbedder) -> None:
    """Waiting says which provider is down, and so does the check; waiting ends when it is back."""
    hashing.available = False
    await hashed.observe_many(turns(5))
    with pytest.raises(EmbedderUnavailable, match="hash/words/64 cannot answer"):
        await asyncio.wait_for(hashed.wait_until_embedded(), 5)
    await assert_words_answer(hashed)
    [check] = [check for check in await hashed.check() if check.name == "embedding"]
    assert not check.ok
    assert check.advice
    hashing.available = True
    await asyncio.wait_for(hashed.wait_until_embedded(), 5)
    assert (await hashed.statistics()).embedding_backlog == 0
    assert all(check.ok for check in await hashed.check())


@dataclass(slots=True)
class Failing(HashEmbedder):
    """Applies ``act`` to its vectors; ``attempts`` counts the batches."""

    act: Callable[[Vector], Any] = field(default=lambda vectors: vectors)
    attempts: int = 0

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """The vectors after ``act``."""
        self.attempts += 1
        return self.act(hash_vectors(texts, self.dimensions))  # type: ignore[no-any-return]


def refuse(_: Vector) -> Vector:
    raise KeyError("vectors")


def stop(_: Vector) -> Vector:
    raise asyncio.CancelledError


SPOILED: dict[str, Callable[[Vector], Any]] = {
    "raises": refuse,
    "none": lambda vectors: [None] * len(vectors),
    "text": lambda vectors: ["no vector"] * len(vectors),
    "too few": lambda vectors: vectors[:-1] if len(vectors) > 1 else vectors[:, :-1],
    "too short": lambda vectors: vectors[:, :-1],
    "too long": lambda vectors: np.hstack([vectors, vectors]),
    "one more axis": lambda vectors: vectors[:, None, :],
    "nan": lambda vectors: vectors * np.nan,
    "infinite": lambda vectors: np.full_like(vectors, np.inf),
}


@pytest.mark.parametrize("act", SPOILED.values(), ids=SPOILED)
async def test_invalid_vectors_count_as_a_failing_provider(folder: Path, act: Callable[[Vector], Any]) -> None:
    """None of its vectors is stored, the backlog stays, waiting reports it, words answer; after its repair the vectors
    answer too.
    """
    embedder = Failing(act=act)
    async with opened(folder, embedder) as memory:
        await memory.observe_many(turns(5))
        with pytest.raises(EmbedderUnavailable):
            await memory.wait_until_embedded()
        held = await memory.statistics()
        assert (held.embedding_backlog, held.vectors) == (5, 0)
        await assert_words_answer(memory)
        assert await memory.context("number3")
    async with opened(folder, HashEmbedder()) as memory:
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3)


@pytest.mark.parametrize("act", SPOILED.values(), ids=SPOILED)
async def test_a_question_with_an_invalid_vector_is_answered_by_words(
    hashed: Memory, folder: Path, act: Callable[[Vector], Any]
) -> None:
    """All memories are embedded when the provider begins to fail."""
    await hashed.observe_many(turns(5))
    await hashed.wait_until_embedded()
    async with opened(folder, Failing(act=act)) as memory:
        await assert_words_answer(memory)
        assert await memory.context("number3")


async def test_a_check_reports_an_unhealthy_provider(folder: Path) -> None:
    """Whatever a provider raises, the check reports that it does not answer."""
    async with opened(folder, Failing(act=refuse)) as memory:
        [check] = [check for check in await memory.check() if check.name == "embedding"]
    assert not check.ok


async def test_a_failing_provider_is_not_asked_at_every_turn(folder: Path) -> None:
    """The pauses grow, however many turns come."""
    embedder = Failing(act=refuse)
    async with opened(folder, embedder) as memory:
        for n in range(30):
            await memory.observe("user", f"turn {n}")
    assert embedder.attempts <= 3


async def test_a_caller_that_gives_up_waiting_leaves_nothing_behind(folder: Path) -> None:
    """The pauses grow as before, and no task stays."""
    embedder = Failing(act=refuse)
    async with opened(folder, embedder) as memory:
        await memory.observe_many(turns(1))
        before = len(asyncio.all_tasks())
        for _ in range(10):
            waiting = asyncio.create_task(memory.wait_until_embedded())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        await asyncio.sleep(0.3)
        assert len(asyncio.all_tasks()) <= before
    assert embedder.attempts <= 3


async def test_a_question_does_not_wait_long_for_a_slow_provider(hashed: Memory, hashing: HashEmbedder) -> None:
    """The first waits two seconds, the next one not at all."""
    await hashed.observe_many(turns(5))
    await hashed.wait_until_embedded()
    hashing.delay = 60
    started = time.monotonic()
    await assert_words_answer(hashed)
    assert time.monotonic() - started < 4
    started = time.monotonic()
    await assert_words_answer(hashed)
    assert time.monotonic() - started < 1


# --- another model ----------------------------------------------------------------------------------------------------


async def test_another_model_takes_over_once_everything_is_embedded(folder: Path) -> None:
    """The file was embedded with 32 dimensions and is opened with 64. While the new model is down, words answer and the
    check says why; then everything is embedded anew, and no old vector stays.
    """
    async with opened(folder, HashEmbedder(32)) as memory:
        await memory.observe_many(turns(600))
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3)
    new = HashEmbedder(64, available=False)
    async with opened(folder, new) as memory:
        with pytest.raises(EmbedderUnavailable):
            await memory.wait_until_embedded()
        await memory.observe_many(turns(5, first=600))
        await assert_words_answer(memory)
        [check] = [check for check in await memory.check() if check.name == "vectors"]
        assert not check.ok
        assert "hash/words/32" in check.detail
        assert "hash/words/64" in check.detail
        assert (await memory.statistics()).vectors == 600
        new.available = True
        await memory.wait_until_embedded()
        held = await memory.statistics()
        assert (held.embedding_model, held.vectors, held.embedding_backlog) == ("hash/words/64", 605, 0)
    async with opened(folder, new) as memory:
        await assert_vectors_answer(memory, 3)
        assert all(check.ok for check in await memory.check())
    assert raw.query(folder, "SELECT name FROM embedding_models") == [("hash/words/64",)]
    assert raw.query(folder, "SELECT DISTINCT length(vector) FROM vectors") == [(64 * 4,)]


async def test_an_interrupted_change_of_model_omits_no_memory(folder: Path) -> None:
    """Half embedded anew, then back to the old model, then the new one again: each time everything gets its vector."""
    async with opened(folder, HashEmbedder(32)) as memory:
        await memory.observe_many(turns(700))
        await memory.wait_until_embedded()

    @dataclass(slots=True)
    class Tiring(HashEmbedder):
        async def embed_batch(self, texts: Sequence[str]) -> Vector:
            if self.seen:
                raise ConnectionError
            self.seen.extend(texts)
            return hash_vectors(texts, self.dimensions)

    async with opened(folder, Tiring(64)) as memory:
        await memory.observe_many(turns(10, first=700))
        with pytest.raises(EmbedderUnavailable):
            await memory.wait_until_embedded()
    for dimensions in (32, 64, 32):
        async with opened(folder, HashEmbedder(dimensions)) as memory:
            await memory.wait_until_embedded()
            held = await memory.statistics()
            assert (held.embedding_model, held.embedding_backlog) == (f"hash/words/{dimensions}", 0)
            await assert_vectors_answer(memory, 3, 695, 705)
    assert raw.one(folder, "SELECT count(*) FROM vectors") == 710


async def test_a_memory_restored_after_a_change_of_model_is_found_by_vector(folder: Path) -> None:
    """It was forgotten while all others were embedded anew."""
    async with opened(folder, HashEmbedder(32)) as memory:
        ids = await memory.observe_many(turns(5))
        await memory.forget(ids[3])
        await memory.wait_until_embedded()
    async with opened(folder, HashEmbedder(64)) as memory:
        await memory.wait_until_embedded()
        await memory.restore(ids[3])
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3)


async def test_two_models_on_one_file_never_mix(folder: Path) -> None:
    """Two assistants have the folder open: one with 32 dimensions, which still observes, and one with 64, which is slow
    to embed everything anew. Words answer in both throughout. Afterwards the vectors of 64 find everything.
    """
    async with opened(folder, HashEmbedder(32)) as old:
        await old.observe_many(turns(3))
        await old.wait_until_embedded()
        async with opened(folder, HashEmbedder(64, delay=0.3)) as new:
            await asyncio.sleep(0.1)
            await old.observe_many(turns(3, first=3))
            await old.wait_until_embedded()
            assert (await new.search("number3"))[0].key == "3"
            await new.wait_until_embedded()
            await old.observe_many(turns(3, first=6))
            await assert_words_answer(old)
            await new.wait_until_embedded()
    async with opened(folder, HashEmbedder(64)) as memory:
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, *range(9))
        assert all(check.ok for check in await memory.check())
    assert raw.query(folder, "SELECT DISTINCT length(vector) FROM vectors") == [(64 * 4,)]


async def test_two_open_programs_with_other_models_do_not_embed_everything_by_turns(folder: Path) -> None:
    """The one whose model was replaced steps aside, says so, and answers by words."""
    first, second = HashEmbedder(32), HashEmbedder(64)
    async with opened(folder, first) as old:
        await old.observe_many(turns(20))
        await old.wait_until_embedded()
        async with opened(folder, second) as new:
            await new.wait_until_embedded()
            for number in range(20, 23):
                await old.observe_many(turns(1, first=number))
                with pytest.raises(EmbedderUnavailable, match=r"hash/words/32 cannot answer \(ModelReplaced"):
                    await asyncio.wait_for(old.wait_until_embedded(), 5)
                await new.wait_until_embedded()
            assert (len(first.seen), len(second.seen)) == (20, 23)
            await assert_words_answer(old)
            assert {"vectors"} == {check.name for check in await old.check() if not check.ok}
    async with opened(folder, HashEmbedder(32)) as memory:
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3, 21)


async def test_a_backup_with_vectors_of_another_model_is_embedded_anew(folder: Path, tmp_path: Path) -> None:
    async with opened(tmp_path / "other", HashEmbedder(32)) as other:
        await other.observe_many(turns(5))
        await other.wait_until_embedded()
        await other.export(tmp_path / "backup.jsonl")
    async with opened(folder, HashEmbedder(64)) as memory:
        await memory.wait_until_embedded()
        await memory.import_file(tmp_path / "backup.jsonl")
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3)
        assert all(check.ok for check in await memory.check())


# --- a machine without vec0, or without pysqlite3 ---------------------------------------------------------------------


def run_without(package: str, tmp_path: Path, journal: Journal, program: Callable[..., object], *given: object) -> Any:
    """Run a program in a process that cannot import a package; return its report."""
    stubs = tmp_path / f"without {package}"
    stubs.mkdir(exist_ok=True)
    (stubs / f"{package}.py").write_text("raise ImportError('not on this machine')\n")
    ran = subprocess.run(
        [sys.executable, "-m", programs.__name__, program.__name__, *map(str, given)],
        env={"PYTHONPATH": f"{stubs}:{_ROOT}"},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return journal.values()[-1]


async def test_without_vec0_vectors_answer_and_the_file_stays_compatible(
    folder: Path, journal: Journal, tmp_path: Path
) -> None:
    """Written with ``vec0``, used and given another model without it, then used with it again: vectors find everything
    each time, and the checks are in order.
    """
    async with opened(folder, HashEmbedder(32)) as memory:
        await memory.observe_many(turns(5))
        await memory.wait_until_embedded()
    assert raw.query(folder, "SELECT * FROM meta WHERE key = 'vec_seq'") == []  # few vectors need no ``vec0``
    for dimensions in ("32", "64"):
        driver, legs, unsound, model = run_without(
            "sqlite_vec", tmp_path, journal, programs.use_vectors, folder, journal.path, dimensions
        )
        assert "vectors by numpy" in driver
        assert "vector" in legs
        assert unsound == []
        assert model == f"hash/words/{dimensions}"
    async with opened(folder, HashEmbedder(64)) as memory:
        await memory.observe_many(turns(5, first=10))
        await memory.wait_until_embedded()
        await assert_vectors_answer(memory, 3, 12)
        assert all(check.ok for check in await memory.check())


def test_without_pysqlite3_the_sqlite_of_python_is_used(journal: Journal, tmp_path: Path) -> None:
    """Words and vectors work, from an empty folder on."""
    driver, legs, unsound, model = run_without(
        "pysqlite3", tmp_path, journal, programs.use_vectors, tmp_path / "new", journal.path, "64"
    )
    assert "sqlite3" in driver
    assert {"fts", "vector"} <= set(legs)
    assert unsound == []
    assert model == "hash/words/64"


def test_without_pysqlite3_what_is_erased_leaves_no_byte(journal: Journal, tmp_path: Path) -> None:
    """The full text of SQLite before 3.42 does not overwrite what is deleted."""
    folder = tmp_path / "new"
    found = run_without("pysqlite3", tmp_path, journal, programs.erase_a_conversation, folder, journal.path)
    assert found == ["I moved to Berlin."]
    assert b"qorlavik" not in bytes_of(folder)
