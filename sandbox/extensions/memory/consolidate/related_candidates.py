"""Find memories that are similar to new statements, before the transaction that stores them; the transaction only adds
the edges.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.extensions.memory.ingest.embed import embedded
from sandbox.extensions.memory.model import KNOWLEDGE, Scope
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import graph, nodes, search, vectors
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Vector

logger = logging.getLogger(__name__)

RELATED = 0.75  # cosine from which two learnt memories are related; four in five such pairs are
MOST_RELATED = 3  # relations of one memory
_PATIENCE = 5.0  # seconds that a session waits for its vectors

Cosines = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class StatementNeighbours:
    """For some statements, by index: their unit vectors, of shape (statements, dimensions), by a model; the ids of
    known memories near each; and the indexes of other statements near it. Each gets at most ``limit`` edges.
    """

    model: str
    vectors: Vector
    known: Sequence[Cosines]
    among: Sequence[Cosines]
    limit: int

    def join(self, tx: Transaction, placed: Mapping[int, int]) -> None:
        """Store the vectors of the statements that were stored (ids by index), and add edges to their valid
        neighbours.
        """
        if not placed or vectors.answering_model(tx, self.model) is None:
            return
        vectors.store(tx, self.model, {node: self.vectors[place] for place, node in placed.items()})
        near = {node: found for place, node in placed.items() if (found := self._near(place, placed))}
        ends = {*near, *(other for found in near.values() for other in found)}
        holding = nodes.still_valid(tx, ends, tx.now) if near else set()
        for node in [node for node in near if node in holding]:
            best = sorted(near[node].items(), key=lambda pair: (-pair[1], pair[0]))
            graph.relate_new(tx, node, [pair for pair in best if pair[0] in holding], self.limit)

    def _near(self, place: int, placed: Mapping[int, int]) -> dict[int, float]:
        beside = {placed[other]: cosine for other, cosine in self.among[place].items() if other in placed}
        return {**self.known[place], **beside}


class Neighbours:
    """Finds the neighbours of statements. A provider that failed is not asked again in this run; the night adds the
    missing edges.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._embedder = runtime.embedder

    async def of(self, drafts: Sequence[Draft], scope: Scope) -> StatementNeighbours | None:
        """The neighbours of statements that will be stored in the place of ``scope``; None without vectors."""
        if self._embedder is None or not drafts:
            return None
        try:
            async with asyncio.timeout(_PATIENCE):
                found = await embedded(self._embedder, [text_of(each.speaker, each.content) for each in drafts])
        except Exception as error:  # a provider may raise anything
            logger.warning(
                "the embedding provider failed (%s); the night compares the meaning of what is learnt now",
                type(error).__name__,
            )
            self._embedder = None
            return None
        model, now = self._embedder.model_id, self._runtime.now_ms()
        filter_ = Filter(scope, now, types=KNOWLEDGE, quarantined=False, in_home=True)
        known = await self._runtime.store.read(lambda snapshot: self._known(snapshot, model, found, filter_))
        if known is None:
            return None
        return StatementNeighbours(model, found, known, self._among(found), MOST_RELATED)

    def _known(self, snapshot: Snapshot, model: str, found: Vector, filter_: Filter) -> list[Cosines] | None:
        number = vectors.answering_model(snapshot, model)
        if number is None:
            return None
        alike = self._runtime.store.vectors.alike(snapshot, filter_, number, found, RELATED)
        there = {node for each in alike for node in each.ids.tolist()}
        permitted = search.allowed(snapshot, there, filter_) if there else set()
        return [{node: cosine for node, cosine in each.plain().items() if node in permitted} for each in alike]

    def _among(self, found: Vector) -> list[Cosines]:
        if len(found) == 1:
            return [{}]
        cosines = found @ found.T
        np.fill_diagonal(cosines, -1.0)
        near = (np.flatnonzero(row >= RELATED) for row in cosines)
        return [dict(zip(at.tolist(), row[at].tolist(), strict=True)) for at, row in zip(near, cosines, strict=True)]
