"""While the vectors are not in memory, the bits in ``vec0`` give the nearest of many."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sandbox.extensions.embedding.testing import HashEmbedder, hash_vectors
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.indexes.scored import Scored
from sandbox.extensions.memory.store.indexes.vectors import COLD_ROWS
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.reading.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.times import to_ms
from sandbox.support.embedder import Vector
from sandbox.testing import NOON

pytestmark = pytest.mark.skipif(not driver().has_vec, reason="there is no vec0 here")

WORDS = ("violin", "bicycle", "lighthouse", "parrot", "mango", "zeppelin", "river")
BEST = 20


@pytest.mark.parametrize("dimensions", [256, 72], ids=["whole words", "whole bytes"])
async def test_the_nearest_by_bits_are_the_nearest(folder: Path, dimensions: int) -> None:
    """Erased vectors are not found, and take no place; the cosines are those of the vectors in memory."""
    embedder = HashEmbedder(dimensions)
    said = [f"{WORDS[number % 7]} {number % 50} {WORDS[number // 7 % 7]} {number}" for number in range(COLD_ROWS)]
    async with Memory.open(folder, embedder=embedder) as memory:
        await memory.observe_many(Message("user", text, "kept") for text in said)
        await memory.observe("user", "violin 3", session="erased")
        await memory.observe("user", "violin 3 parrot", session="kept")
        await memory.wait_until_embedded()
        await memory.erase(session="erased")
    [question] = hash_vectors(["violin 3 parrot"], dimensions)
    store = await Store.open(folder / DATABASE, lambda: to_ms(NOON), 0.05)
    assert await store.read(lambda snapshot: store.vectors.is_cold(snapshot, 1))
    cold = await store.read(partial(_nearest, store, question))
    await store.read(lambda snapshot: store.vectors.warm(snapshot, 1))
    warm = await store.read(partial(_nearest, store, question))
    await store.close()
    assert cold.ids[0] == warm.ids[0] == COLD_ROWS + 2
    assert len(cold) == BEST
    assert np.count_nonzero(cold.values >= warm.values[-1] - 0.003) >= BEST - 2
    shared = set(cold.ids.tolist()) & set(warm.ids.tolist())
    assert [cold.plain()[node] for node in shared] == pytest.approx([warm.plain()[node] for node in shared], abs=0.003)


def _nearest(store: Store, question: Vector, snapshot: Snapshot) -> Scored:
    gate = VisibilityFilter(snapshot, Filter(Scope(), to_ms(NOON)), store.turns.seen_by(snapshot))
    return store.vectors.nearest(gate, 1, question, BEST)
