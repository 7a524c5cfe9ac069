"""Similar memories are joined."""

from pathlib import Path

import numpy as np
from hypothesis import given, strategies as st
from numpy.random import default_rng

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate.related_candidates import MOST_RELATED
from sandbox.extensions.memory.maintain.candidates import nearest
from sandbox.extensions.memory.store import graph
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.vectors import NodeVectors
from tests.memory.conftest import NodeId
from tests.memory.store import raw

_EDGES = "SELECT source_id, target_id, predicate, strength FROM edges WHERE relation = 'related_to' ORDER BY 1, 2"

TEA = ("Ann likes green tea a lot.", "Ann drinks green tea every day.", "Ann drinks green tea every evening.")


async def relate(memory: Memory) -> dict[str, int]:
    return dict((await memory.maintain(only=["relate"])).steps[0].counts)


async def test_near_memories_are_related_once(embedded: Memory, tmp_path: Path) -> None:
    for each in (*TEA, "The server runs on Debian."):
        await embedded.remember(each)
    assert await relate(embedded) == {"related": 3}
    edges = raw.query(tmp_path / "embedded", _EDGES)
    assert {(young, old) for young, old, *_ in edges} == {(2, 1), (3, 1), (3, 2)}
    assert all(0.75 <= strength < 1 and not predicate for *_, predicate, strength in edges)
    assert await relate(embedded) == {}
    assert raw.query(tmp_path / "embedded", _EDGES) == edges


async def test_a_forgotten_memory_is_not_related(embedded: Memory, tmp_path: Path) -> None:
    ids = [await embedded.remember(each) for each in TEA]
    await relate(embedded)
    await embedded.forget(ids[1])
    assert await relate(embedded) == {"no longer related": 2}
    await embedded.restore(ids[1])
    assert await relate(embedded) == {"related": 2}
    assert len(raw.query(tmp_path / "embedded", _EDGES)) == 3


async def test_a_possible_conflict_is_not_changed(embedded: Memory, tmp_path: Path) -> None:
    await embedded.remember("Ann Lee is a citizen of Peru.")
    await embedded.remember("Ann Lee is a citizen of the French Republic.")
    assert await relate(embedded) == {}
    [(_, _, predicate, strength)] = raw.query(tmp_path / "embedded", _EDGES)
    assert (predicate, strength) == ("possible_conflict", 1.0)


async def test_no_memory_has_more_relations_than_the_limit(embedded: Memory, tmp_path: Path) -> None:
    for number in range(12):
        await embedded.remember(f"Ann likes green tea from garden {number}.", key=str(number))
    await relate(embedded)
    ends = [end for edge in raw.query(tmp_path / "embedded", _EDGES) if not edge[2] for end in edge[:2]]
    assert ends
    assert max(ends.count(end) for end in ends) <= MOST_RELATED


async def test_a_new_memory_is_related_if_there_is_room(memory: Memory, store: Store, node_id: NodeId) -> None:
    ids = [await node_id(await memory.remember(f"Fact number {number}.", key=str(number))) for number in range(5)]
    near = [(ids[0], 0.9), (ids[1], 0.8), (ids[2], 0.7)]
    assert await store.write(lambda tx: graph.relate_new(tx, ids[4], near, 2)) == 2
    assert await store.write(lambda tx: graph.relate_new(tx, ids[4], near, 2)) == 0
    assert await store.write(lambda tx: graph.relate_new(tx, ids[3], near, 1)) == 1
    found = await store.read(lambda connection: graph.related(connection, "default"))
    assert {pair: strength for pair, (_, strength) in found.items()} == {
        (ids[0], ids[4]): 0.9,
        (ids[1], ids[4]): 0.8,
        (ids[2], ids[3]): 0.7,
    }


@given(st.integers(2, 400), st.integers(1, 5), st.floats(-0.2, 0.9), st.integers(0, 2**32 - 1))
def test_the_nearest_memories_are_related(rows: int, count: int, minimum: float, seed: int) -> None:
    """Compared with all cosines."""
    vectors = default_rng(seed).standard_normal((rows, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = tuple(range(100, 100 + rows))
    found = nearest(NodeVectors(ids, vectors), ids, ids[:3], count, minimum)
    for row in range(min(3, rows)):
        scores = sorted((float(vectors[row] @ vectors[other]) for other in range(rows) if other != row), reverse=True)
        expected = [score for score in scores[:count] if score >= minimum]
        mine = sorted((near.score for near in found if 100 + row in near[:2]), reverse=True)[: len(expected)]
        assert np.allclose(mine, expected, atol=1e-5)
    assert all(near.first < near.second and near.score >= minimum for near in found)
