"""The vectors in memory: few are all compared; of many, the signs select the nearest. While they are not in memory, the
bits in ``vec0`` do.
"""

import asyncio
import shutil
from collections.abc import Collection
from datetime import timedelta
from functools import partial
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from numpy.typing import NDArray

from sandbox.extensions.embedding.testing import HashEmbedder, hash_vectors
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.store.columns import Scored
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.vectors import COLD_ROWS, EXHAUSTIVE_ROWS, Matrix, Parts
from sandbox.extensions.memory.times import to_ms
from sandbox.support.embedder import Vector
from sandbox.testing import NOON

WORDS = ("violin", "bicycle", "lighthouse", "parrot", "mango", "zeppelin", "river")
MANY, TOPICS, BEST = EXHAUSTIVE_ROWS + 5_000, 200, 50


def unit(vectors: NDArray[np.floating]) -> Vector:
    units: Vector = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return units


def filled(vectors: Vector, nodes: list[int] | None = None) -> Matrix:
    """A matrix that got these rows in several steps; nodes count from 1, in two groups by turns."""
    matrix = Matrix.empty(1, None, 100, vectors.shape[1])
    for first in range(0, len(vectors), 7_000):
        matrix = extended(matrix, vectors[first : first + 7_000], nodes)
    return matrix


def extended(matrix: Matrix, vectors: Vector, nodes: list[int] | None = None, groups: int = 2) -> Matrix:
    """The matrix with these vectors added."""
    places = np.arange(matrix.size, matrix.size + len(vectors), dtype=np.int32)
    return matrix.extended(
        int(places[-1]) + 1, places + 1 if nodes is None else np.array(nodes)[places], 1 + places % groups, vectors
    )


def nearest(matrix: Matrix, query: Vector, groups: Collection[int]) -> Scored:
    """The candidates that are compared."""
    return next(matrix.nearest(query, groups))[0]


@pytest.fixture(scope="module")
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture(scope="module", params=[96, 256])
def talk(random: np.random.Generator, request: pytest.FixtureRequest) -> Vector:
    """Vectors as in conversations: many topics, and many turns about each."""
    dimensions: int = request.param
    topics = random.normal(size=(TOPICS, dimensions))
    return unit(topics[random.integers(0, TOPICS, MANY)] + 0.8 * random.normal(size=(MANY, dimensions)))


@pytest.fixture(scope="module")
def matrix(talk: Vector) -> Matrix:
    return filled(talk)


def test_nearly_all_nearest_of_many_rows_are_found(matrix: Matrix, talk: Vector, random: np.random.Generator) -> None:
    """Their cosines are exact."""
    shares = []
    for near in random.integers(0, MANY, 40):
        query = unit(talk[near : near + 1] + 0.1 * random.normal(size=talk[:1].shape))[0]
        exact, found = (
            next(scored.chunks(BEST)) for scored in (matrix.every(query, [1, 2]), nearest(matrix, query, [1, 2]))
        )
        shares.append(np.isin(exact.ids, found.ids).mean())
        assert found.values == pytest.approx(talk[found.ids - 1] @ query, abs=1e-5)
    assert np.mean(shares) >= 0.98


def test_very_many_rows_keep_one_byte_for_a_component(talk: Vector, random: np.random.Generator) -> None:
    """Read at once, or grown from fewer: the cosines are nearly exact and need a quarter of the bytes."""
    talk = np.concatenate([talk, -talk, talk[:2_000]])
    at_once = extended(Matrix.empty(1, None, len(talk), talk.shape[1]), talk)
    few = filled(talk[:5_000])
    grown = extended(few, talk[5_000:])
    query = unit(random.normal(size=talk[:1].shape))[0]
    for whole in (at_once, grown):
        found = whole.every(query, [1, 2])
        assert found.values == pytest.approx(talk @ query, abs=0.003)
        some = whole.cosines(query, np.array([3, 21_999]))
        assert some.values == pytest.approx(talk[[2, 21_998]] @ query, abs=0.003)
        part = whole.only([1]).every(query, [1])
        assert len(part) == len(talk) // 2
        assert part.values == pytest.approx(found.values[part.ids - 1], abs=1e-5)
        assert whole.size == len(talk)
    assert few.every(query, [1, 2]).values == pytest.approx(talk[:5_000] @ query, abs=1e-5)
    assert at_once.nbytes < 2 * len(talk) * talk.shape[1]


def test_only_rows_of_the_groups_are_compared(matrix: Matrix, talk: Vector) -> None:
    for group, odd in ((1, 1), (2, 0)):
        assert set((nearest(matrix, talk[0], [group]).ids % 2).tolist()) == {odd}
        assert set((matrix.every(talk[0], [group]).ids % 2).tolist()) == {odd}
    assert len(matrix.every(talk[0], [3])) == 0
    assert len(nearest(matrix, talk[0], [3])) == 0
    assert len(matrix.every(talk[0], [1, 2, 3])) == MANY


def test_a_part_of_the_groups_answers_like_the_whole(matrix: Matrix, talk: Vector) -> None:
    alone = matrix.only([1])
    assert alone.size < matrix.size
    assert alone.every(talk[0], [1]).plain() == matrix.every(talk[0], [1]).plain()
    assert len(nearest(alone, talk[0], [1])) > 0


def test_a_part_grows_with_the_whole(talk: Vector) -> None:
    """A part that is extended equals one that is read anew."""
    whole = filled(talk[:90])
    part = whole.only([1])
    for first in (90, 91, 150):
        grown = extended(whole, talk[whole.size : first]) if first > whole.size else whole
        part, anew = grown.only([1], part, whole.size), grown.only([1])
        assert part.every(talk[0], [1]).plain() == anew.every(talk[0], [1]).plain()
        assert (part.size, part.counts) == (anew.size, anew.counts)
        whole = grown


def test_the_cache_of_parts_has_a_limit_in_bytes(talk: Vector) -> None:
    """The last used ones; one part alone may be larger. They answer as the whole matrix does."""
    groups = range(1, 21)
    whole = extended(Matrix.empty(1, None, 100, talk.shape[1]), talk[:400], groups=20)
    each = whole.only([1]).nbytes
    for room in (3 * each + each // 2, 1):
        parts, made = Parts(room), {}
        for group in groups:
            part = parts.of(whole, [group])
            assert part.every(talk[0], [group]).plain() == whole.every(talk[0], [group]).plain()
            made[group] = ref(part.vectors)
            del part
        kept = [group for group in groups if made[group]() is not None]
        assert kept == list(groups)[-max(room // each, 1) :]
        assert parts.of(whole, [20]).vectors is made[20]()
        assert parts.of(whole, [1]).size == 20


def test_few_rows_are_all_compared(talk: Vector) -> None:
    few = filled(talk[:300])
    assert not few.is_large
    assert len(nearest(few, talk[0], [1, 2])) == 300


def test_an_older_view_stays_as_it_was_while_rows_are_added(talk: Vector) -> None:
    older = filled(talk[:50])
    before = older.every(talk[0], [1, 2]).plain()
    extended(older, talk[50:51])
    assert older.every(talk[0], [1, 2]).plain() == before


@pytest.mark.parametrize("nodes", [[1, 2, 3, 4], [9, 3, 4, 1]], ids=["in order", "embedded late"])
def test_cosines_of_chosen_nodes_are_exact(talk: Vector, nodes: list[int]) -> None:
    cosines = filled(talk[:4], nodes).cosines(talk[2], np.array([nodes[3], 77, nodes[2]]))
    assert cosines.plain() == pytest.approx({nodes[3]: float(talk[3] @ talk[2]), nodes[2]: 1.0}, abs=1e-5)
    assert len(Matrix.empty(1, None, 1, talk.shape[1]).cosines(talk[0], np.array([1]))) == 0


async def test_a_narrow_filter_finds_distant_rows(store: Store, folder: Path) -> None:
    """All other turns are nearer to the question than the one turn of that day."""
    embedder, then = HashEmbedder(), NOON - timedelta(days=400)
    async with Memory.open(folder, embedder=embedder) as memory:
        await memory.observe("user", "A bicycle, a lighthouse and a violin.", at=then)
        await memory.observe_many(Message("user", f"violin violin {number}") for number in range(EXHAUSTIVE_ROWS + 10))
        await memory.wait_until_embedded()
    await store.read(lambda snapshot: store.vectors.warm(snapshot, 1))
    recall = Recall(store, embedder, Config.load())
    [found] = await recall.find("violin", Filter(Scope(), to_ms(NOON), only={"before": to_ms(then) + DAY}), 5)
    await recall.understanding.close()
    assert found.legs.keys() == {"fts", "vector"}


async def test_a_filter_of_a_tenth_loses_none_of_the_nearest(
    store: Store, folder: Path, random: np.random.Generator
) -> None:
    """The signs select too few turns of that day."""
    embedder, then, words = HashEmbedder(256), NOON - timedelta(days=400), [f"word{number}" for number in range(300)]
    said = [" ".join(random.choice(words, 12)) for _ in range(EXHAUSTIVE_ROWS + 1_000)]
    times = [NOON if number % 10 else then for number in range(len(said))]
    async with Memory.open(folder, embedder=embedder) as memory:
        await memory.observe_many(Message("user", text, at=at) for text, at in zip(said, times, strict=True))
        await memory.wait_until_embedded()
    that_day, vectors = Filter(Scope(), to_ms(NOON), only={"before": to_ms(then) + DAY}), hash_vectors(said[::10], 256)
    for question in hash_vectors([" ".join(random.choice(words, 4)) for _ in range(5)], 256):
        found = await store.read(partial(_nearest, store, that_day, question, BEST))
        assert found.values == pytest.approx(np.sort(vectors @ question)[: -BEST - 1 : -1].tolist(), abs=1e-5)


@pytest.fixture(scope="module")
def said(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a memory of many turns, without vectors."""
    folder = shutil.copytree(empty, tmp_path_factory.mktemp("said") / "memory")
    texts = [f"{WORDS[number % 7]} {number % 50} {WORDS[number // 7 % 7]} {number}" for number in range(COLD_ROWS)]

    async def say() -> None:
        async with Memory.open(folder, embedder=None) as memory:
            await memory.observe_many(Message("user", text, "kept") for text in texts)
            await memory.observe("user", "violin 3", session="erased")
            await memory.observe("user", "violin 3 parrot", session="kept")

    asyncio.run(say())
    return folder


@pytest.mark.skipif(not driver().has_vec, reason="there is no vec0 here")
@pytest.mark.parametrize("dimensions", [256, 72], ids=["whole words", "whole bytes"])
async def test_the_nearest_by_bits_are_the_nearest(said: Path, tmp_path: Path, dimensions: int) -> None:
    """Erased vectors are not found, and take no place; the cosines are those of the vectors in memory."""
    folder, best = shutil.copytree(said, tmp_path / "memory"), 20
    async with Memory.open(folder, embedder=HashEmbedder(dimensions)) as memory:
        await memory.wait_until_embedded()
        await memory.erase(session="erased")
    store = await Store.open(folder / DATABASE, lambda: to_ms(NOON))
    [question] = hash_vectors(["violin 3 parrot"], dimensions)
    assert await store.read(lambda snapshot: store.vectors.is_cold(snapshot, 1))
    near = partial(_nearest, store, Filter(Scope(), to_ms(NOON)), question, best)
    cold = await store.read(near)
    await store.read(lambda snapshot: store.vectors.warm(snapshot, 1))
    warm = await store.read(near)
    assert cold.ids[0] == warm.ids[0] == COLD_ROWS + 2
    assert len(cold) == best
    assert np.count_nonzero(cold.values >= warm.values[-1] - 0.003) >= best - 2
    shared = set(cold.ids.tolist()) & set(warm.ids.tolist())
    assert [cold.plain()[node] for node in shared] == pytest.approx([warm.plain()[node] for node in shared], abs=0.003)
    await store.close()


def _nearest(store: Store, filter_: Filter, question: Vector, best: int, snapshot: Snapshot) -> Scored:
    """The nearest vectors that a filter allows."""
    gate = VisibilityFilter(snapshot, filter_, store.node_cache.seen_by(snapshot))
    return store.vectors.nearest(gate, 1, question, best)
