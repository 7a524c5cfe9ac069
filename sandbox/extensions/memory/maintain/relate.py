"""Join similar memories by edges.

The edges are a function of the memories: the most similar pairs first, while neither has its full number. So a second
run changes nothing.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from sandbox.extensions.memory.consolidate.related_candidates import MOST_RELATED, RELATED
from sandbox.extensions.memory.maintain.candidates import best_first, nearest
from sandbox.extensions.memory.maintain.step import Night, Tally, each_user, wait_until_embedded
from sandbox.extensions.memory.store import graph, nodes, vectors
from sandbox.extensions.memory.store.graph import NodePair
from sandbox.extensions.memory.store.rows import Home, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.vectors import NodeVectors

_LOOKED_AT = 3  # times as many neighbours as edges, because some have enough edges
_SAME = 0.0015  # strengths are rounded to thousandths
_AT_ONCE = 500  # edges changed in one transaction


async def relate(night: Night, tally: Tally) -> None:
    """Update the edges between similar memories of all users."""
    await wait_until_embedded(night)
    async for user_id in each_user(night):
        await _relate(night, tally, user_id)


async def _relate(night: Night, tally: Tally, user_id: str) -> None:
    known, embedded, conflicts, there = await night.store.read(lambda snapshot: _read(snapshot, user_id, night.now))
    if embedded is None:
        return
    wanted = await asyncio.to_thread(joined, known, embedded, conflicts)
    without_vector = {node.id for node in known} - set(embedded.ids)
    gone = [
        edge
        for pair, (edge, strength) in there.items()
        if without_vector.isdisjoint(pair) and abs(wanted.get(pair, -1.0) - strength) > _SAME
    ]
    kept = there.keys() - {pair for pair, (edge, _) in there.items() if edge in set(gone)}
    new = {pair: similarity for pair, similarity in wanted.items() if pair not in kept}
    tally.counts["related"] += len(new)
    tally.counts["no longer related"] += len(gone)
    if not night.dry_run:
        await _store(night, new, gone)


def _read(
    snapshot: Snapshot, user_id: str, now: int
) -> tuple[list[Node], NodeVectors | None, set[NodePair], dict[NodePair, tuple[int, float]]]:
    """The knowledge with its vectors, its possible conflicts, and its present edges."""
    known = nodes.valid_knowledge(snapshot, user_id, now)
    ids = [node.id for node in known]
    conflicts = {(min(pair), max(pair)) for pair in graph.conflicting(snapshot, ids)}
    return known, vectors.embedded(snapshot, ids), conflicts, graph.related(snapshot, user_id)


def joined(known: Sequence[Node], embedded: NodeVectors, apart: set[NodePair]) -> dict[NodePair, float]:
    """The pairs to join and their cosines: of one home, none ``apart``, at most ``MOST_RELATED`` a memory."""
    homes: dict[Home, list[int]] = defaultdict(list)
    for node in known:
        homes[node.home].append(node.id)
    count = _LOOKED_AT * MOST_RELATED
    found = [
        near for ids in homes.values() for near in nearest(embedded, ids, ids, count, RELATED) if near[:2] not in apart
    ]
    degrees: Counter[int] = Counter()
    taken = {}
    for first, second, score in best_first(found):
        if degrees[first] < MOST_RELATED and degrees[second] < MOST_RELATED:
            taken[first, second] = score
            degrees.update((first, second))
    return taken


async def _store(night: Night, new: Mapping[NodePair, float], gone: Sequence[int]) -> None:
    for start in range(0, len(gone), _AT_ONCE):
        await night.store.write(partial(graph.remove_edges, ids=gone[start : start + _AT_ONCE]))
    pairs = list(new.items())
    for start in range(0, len(pairs), _AT_ONCE):
        await night.store.write(partial(_join, pairs=dict(pairs[start : start + _AT_ONCE]), now=night.now))


def _join(tx: Transaction, pairs: Mapping[NodePair, float], now: int) -> None:
    found = nodes.by_ids(tx, {node for pair in pairs for node in pair})
    stand = {node.id for node in found.values() if node.retired_seq is None and not node.has_faded(now)}
    graph.relate(tx, {pair: similarity for pair, similarity in pairs.items() if stand.issuperset(pair)})
