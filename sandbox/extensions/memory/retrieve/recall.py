"""The pipeline from a question to its recollections: understand, legs, fuse, adjust, answer. No step calls a language
model.

Start here: ``Recall.search`` is the whole pipeline. ``legs.py`` and ``adjustments.py`` list its parts.
"""

from collections.abc import Generator
from datetime import datetime

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve import fusion
from sandbox.extensions.memory.retrieve.adjustments import ADJUSTMENTS
from sandbox.extensions.memory.retrieve.fusion import Recollection as Recollection
from sandbox.extensions.memory.retrieve.legs import LEGS
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.query import LIMIT_SIMPLE, ResolvedQuery
from sandbox.extensions.memory.retrieve.question_period import narrowed, with_time_of_event
from sandbox.extensions.memory.retrieve.spread import EVIDENCE
from sandbox.extensions.memory.retrieve.understand import Understanding
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.database import Store, result_of
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.embedder import Embedder

PARTS = (*EVIDENCE, *(leg.name for leg in LEGS), *(each.name for each in ADJUSTMENTS))
"""What ``Config.without`` can switch off: the evidence inside legs, every leg, and every adjustment."""

_CANDIDATES = 100  # best matches, from which evidence spreads


class Recall:
    """Answers questions over one store. If ``embedder`` is None or fails, it answers by words alone."""

    def __init__(self, store: Store, embedder: Embedder | None, config: Config) -> None:
        self._store = store
        self._config = config
        self.understanding = Understanding(store, embedder)
        self._legs = [leg for leg in LEGS if leg.name not in config.without]
        self._adjustments = [each for each in ADJUSTMENTS if each.name not in config.without]

    async def find(
        self,
        question: str,
        filter_: Filter,
        limit: int | None = None,
        now: datetime | None = None,
        threshold: float | None = None,
    ) -> list[Recollection]:
        """The best memories for a question at ``now``. Without ``limit``, the question's complexity gives the number;
        with ``threshold``, a memory needs at least this cosine. For an empty question, the latest memories.
        """
        if not question.strip():
            return await self._store.read(lambda snapshot: fusion.latest(snapshot, filter_, limit or LIMIT_SIMPLE))
        query = await self.understanding.query(question, now)
        limit = limit or query.limit
        most = limit if threshold is None else max(limit, _CANDIDATES)

        def read(snapshot: Snapshot) -> list[Recollection]:
            resolved = self.understanding.resolve(snapshot, query, filter_.scope)
            return result_of(self.search(snapshot, resolved, filter_, most, explained=True))

        found = await self._store.read(read)
        if threshold is not None:
            found = [each for each in found if (each.similarity or 0.0) >= threshold]
        return found[:limit]

    def search(
        self,
        snapshot: Snapshot,
        resolved: ResolvedQuery,
        filter_: Filter,
        limit: int,
        *,
        knowledge_limit: int = 0,
        explained: bool = False,
    ) -> Generator[None, None, list[Recollection]]:
        """The best memories that the filter allows, best first, and the best ``knowledge_limit`` facts and opinions,
        which the many turns could otherwise displace; over one snapshot, in steps between which other tasks may run.
        ``explained`` adds the edges.
        """
        filter_ = narrowed(snapshot, filter_, resolved.query)
        visibility = VisibilityFilter(snapshot, filter_, self._store.node_cache.seen_by(snapshot))
        breadth = max(limit, _CANDIDATES)
        knowledge = None
        if knowledge_limit and resolved.has_knowledge:
            knowledge = VisibilityFilter(snapshot, filter_.among(*resolved.query.shown), visibility.nodes)
        context = with_time_of_event(
            SearchContext(self._store, self._config, resolved, visibility, breadth, knowledge, knowledge_limit)
        )
        for leg in self._legs:
            context.found[leg.name] = leg.find(context)
            yield
        scores = fusion.fuse(context, self._legs)
        yield
        for adjustment in self._adjustments:
            scores = adjustment.apply(context, scores)
        yield
        return fusion.recollections(context, scores, limit, explained=explained)
