"""The pipeline from a question to what is remembered: understand, four legs, fuse, refine. No model call on the way.

Start here: ``Recall.recall`` is the whole of it.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Generator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from statistics import fmean

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import CognitiveType, Intent, Scope
from sandbox.extensions.memory.ports import Reranker, WordEmbedder, model_of
from sandbox.extensions.memory.retrieve import learnt, legs
from sandbox.extensions.memory.retrieve.dated import narrowed, prefer
from sandbox.extensions.memory.retrieve.edges import walked
from sandbox.extensions.memory.retrieve.events import placed
from sandbox.extensions.memory.retrieve.fuse import add, fuse, ranks
from sandbox.extensions.memory.retrieve.intent import EmbeddingIntentClassifier, classify_by_keywords, is_complex
from sandbox.extensions.memory.retrieve.legs import SearchContext
from sandbox.extensions.memory.retrieve.newer import newer_first
from sandbox.extensions.memory.retrieve.query import LIMIT_SIMPLE, Query, ResolvedQuery, analyse, both_ends
from sandbox.extensions.memory.retrieve.recollection import Recollection as Recollection
from sandbox.extensions.memory.retrieve.refine import lead, ordered
from sandbox.extensions.memory.retrieve.rerank import Reranking
from sandbox.extensions.memory.store import entities, nodes, search, vectors
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.pace import off_loop, result_of
from sandbox.extensions.memory.store.scored import Ids, Scored, among, joined
from sandbox.support.characters import storable
from sandbox.support.embedder import Embedder, Vector

KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion")
"""What is shown unasked; procedures are fetched on demand (specification 002, section 12)."""

_PATIENCE = 2.0  # seconds a question waits for its vector
_WARM_AFTER = 0.3  # seconds after the first question
_PAUSE = 30  # seconds in which a provider that failed is not asked again

logger = logging.getLogger(__name__)


class Recall:
    """Answers questions over one store. ``embedder`` None, or failing: words alone."""

    def __init__(
        self, store: Store, embedder: Embedder | None, config: Config, reranker: Reranker | None = None
    ) -> None:
        self._reranking = Reranking(reranker, store, config.rerank_candidates) if reranker else None
        self._store = store
        self._embedder = embedder
        self._config = config
        self._intents = EmbeddingIntentClassifier(embedder, config.intent_similarity_threshold) if embedder else None
        self._rank_weights = {
            "fts": config.rrf_weight_fts,
            "vector": config.rrf_weight_vector,
            "graph": config.rrf_weight_graph,
            "entity": config.rrf_weight_entity,
        }
        self._score_weights = {
            "fts": config.score_weight_fts,
            "vector": config.score_weight_vector,
            "graph": config.score_weight_graph,
            "entity": config.score_weight_entity,
        }
        self._retry_at = 0.0
        self._warming: asyncio.Task[None] | None = None
        self.problem: str | None = None

    async def find(
        self, question: str, filter_: Filter, limit: int | None = None, now: datetime | None = None
    ) -> list[Recollection]:
        """The best memories for a question, asked ``now``, by its complexity where no ``limit`` is given; for an empty
        one, the latest.
        """
        if checked_question(question).strip():
            query = await self.understand(question, now)
            limit = limit or query.limit
            wide = limit if self._reranking is None else max(limit, self._config.rerank_candidates)
            found = await self.recall(query, filter_, wide, explained=True)
            return (await self.reranked(query, found))[:limit]
        return await self._store.read(lambda connection: _latest(connection, filter_, limit or LIMIT_SIMPLE))

    async def understand(self, question: str, now: datetime | None = None) -> Query:
        """The question analysed: terms, possible names, intent, complexity, vector; what time it speaks of, ``now``.
        Of a long prompt the beginning and the end are read (``both_ends``).
        """
        if self._warming is None and self._embedder is not None:
            self._warming = asyncio.create_task(self._warm(), name="memory-warming")
        asked = await self.as_stored(question)
        read = both_ends(asked)
        vector, intent = await self._embed(read)
        return analyse(asked, intent, is_complex(read), vector, now)

    async def as_stored(self, question: str) -> str:
        """A question as it would be stored, since it reaches a provider, too, only without secrets. Of what is longer
        than any turn, the beginning and the end."""
        text = storable(both_ends(checked_question(question), self._config.max_content_characters))
        return (await off_loop(len(text), partial(secrets.mask, text))).text

    @property
    def reranks(self) -> bool:
        """Whether what is found is read again before it is given."""
        return self._reranking is not None

    async def reranked(self, query: Query, found: list[Recollection]) -> list[Recollection]:
        """What was found, the best of it in the order a reranker gives it, where there is one."""
        return found if self._reranking is None else await self._reranking.ordered(query.text, found)

    async def recall(
        self, query: Query, filter_: Filter, limit: int, *, knowledge_limit: int = 0, explained: bool = False
    ) -> list[Recollection]:
        """The best memories the filter allows, best first, and the best ``knowledge_limit`` facts and opinions with
        them, lest the many turns crowd these out; ``explained``: with the edges that brought them.
        """

        def read(connection: sqlite3.Connection) -> list[Recollection]:
            meant = self.meant(connection, query, filter_.scope)
            return result_of(
                self.search(connection, meant, filter_, limit, knowledge_limit=knowledge_limit, explained=explained)
            )

        return await self._store.read(read)

    def meant(self, connection: sqlite3.Connection, query: Query, scope: Scope) -> ResolvedQuery:
        """What a question means to a memory, in a reader's thread: for one search or several."""
        named = entities.in_sentence(connection, scope, query.runs)
        telling, knows = self._telling(connection, query), search.has_knowledge(connection)
        return ResolvedQuery(query, named, self._answering(connection), telling, knows)

    def search(
        self,
        connection: sqlite3.Connection,
        meant: ResolvedQuery,
        filter_: Filter,
        limit: int,
        *,
        knowledge_limit: int = 0,
        explained: bool = False,
    ) -> Generator[None, None, list[Recollection]]:
        """What ``recall`` gives, over one snapshot, in steps between which others may be served."""
        filter_ = narrowed(connection, filter_, meant.query)
        gate = search.VisibilityFilter(connection, filter_, self._store.turns.seen_by(connection))
        known = None
        if knowledge_limit and meant.knows:
            known = search.VisibilityFilter(connection, replace(filter_, types=KNOWLEDGE), gate.turns)
        breadth = max(limit, self._config.candidates)
        ask = placed(SearchContext(self._store, self._config, meant, gate, breadth, known, knowledge_limit))
        near = legs.nearest(ask)
        yield
        worded = legs.words(ask, near)
        yield
        relations = legs.asked(ask)
        chained = legs.walk(ask, worded.found, relations)
        rankings = {
            "fts": worded.found,
            "vector": near.ids,
            "graph": np.array(list(chained), np.int64),
            "entity": legs.entity(ask, relations),
        }
        if self._config.fusion == "ranks":
            scores = fuse(rankings, self._rank_weights, self._config.rrf_k)
        else:
            strengths = {
                "fts": worded.strengths,
                "vector": legs.meaning(ask, near, worded.strengths.ids),
                "graph": legs.by_rank(rankings["graph"]),
                "entity": legs.by_rank(rankings["entity"]),
            }
            scores = add(strengths, self._score_weights)
        yield
        scores = prefer(gate, ask.query, scores, self._config)
        scores = newer_first(ask, scores)
        if not knowledge_limit:  # else its turns may not be shown
            scores = learnt.beside_turns(ask, scores)
        scores = learnt.concluded_last(ask, scores)
        scores = legs.related_first(learnt.fading_behind(ask, scores), relations)
        replaced = legs.prevailing(ask, scores.ids)
        led = lead(scores, [(old, new) for old, new, _ in replaced])
        best = _best(ask, ordered(led), limit)
        yield
        found = self._recollections(ask, best, rankings, near)
        if not explained:
            return found
        raised = set(led.ids[led.values > scores.values].tolist())
        leading = [(new, legs.Edge(relation, old, 1)) for old, new, relation in replaced if new in raised]
        edges = walked(ask, best.ids, worded.seeds, [*chained.items(), *leading])
        return [each._replace(edges=edges[each.node.id]) for each in found]

    def _recollections(
        self, ask: SearchContext, best: Scored, rankings: Mapping[str, Ids], near: Scored
    ) -> list[Recollection]:
        """What was found, best first, and why."""
        stored, places = nodes.by_ids(ask.gate.connection, best.ids.tolist()), ranks(rankings, best.ids)
        similarity = self._similarities(ask, best.ids[among(best.ids, near.ids)])
        nearness = near.plain()
        return [
            Recollection(stored[node], score, places[node], similarity.get(node), nearness.get(node))
            for node, score in best.plain().items()
            if node in stored
        ]

    def _telling(self, connection: sqlite3.Connection, query: Query) -> Vector | None:
        """The question's vector, its rare words weighing more where the embedder can do that."""
        if query.vector is None or not query.words or not isinstance(self._embedder, WordEmbedder):
            return query.vector
        rarity = self._store.frequencies.rarity(connection, {term for _, found in query.words for term in found})
        weights = [fmean(rarity[term] for term in found) for _, found in query.words]
        vector = self._embedder.embed_words([word for word, _ in query.words], weights)
        return query.vector if vector is None or not vector.any() else vector

    def _similarities(self, ask: SearchContext, found: Ids) -> dict[int, float]:
        """The cosine of the question as it stands and what the vectors found."""
        model, vector = ask.meant.model, ask.query.vector
        if vector is None or model is None or not len(found):
            return {}
        return self._store.vectors.cosines(ask.gate.connection, model, vector, found).plain()

    async def close(self) -> None:
        """Stop reading vectors ahead."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)

    async def _warm(self) -> None:
        """Bring the vectors into memory once the first question has had its answer from disk."""
        await asyncio.sleep(_WARM_AFTER)
        await self._store.quiet()

        def read(connection: sqlite3.Connection) -> None:
            model = self._answering(connection)
            if model is not None:
                self._store.vectors.warm(connection, model)

        await self._store.read(read)

    def _answering(self, connection: sqlite3.Connection) -> int | None:
        model = model_of(self._embedder) if self._embedder else None
        return vectors.answering_model(connection, model) if model else None

    async def _embed(self, question: str) -> tuple[Vector | None, Intent]:
        """The question's vector and intent; words alone, and a note why, where the provider cannot answer now."""
        if self._embedder is None or self._intents is None or time.monotonic() < self._retry_at:
            return None, classify_by_keywords(question)
        try:
            async with asyncio.timeout(_PATIENCE):
                vector = checked(await self._embedder.embed(question), self._embedder.dimensions)
                intent = await self._intents.classify(question, vector)
        except Exception as error:  # a provider may raise anything; words answer without it
            logger.warning("searching with words alone for %d s: %s", _PAUSE, type(error).__name__)
            self.problem, self._retry_at = str(error) or type(error).__name__, time.monotonic() + _PAUSE
            return None, classify_by_keywords(question)
        self.problem = None
        return vector, intent


def checked_question(question: str) -> str:
    """The question, where it is text."""
    if not isinstance(question, str):
        raise InvalidArgument(argument="question", value=type(question).__name__, expected="give text")
    return question


def checked(vector: Vector, dimensions: int) -> Vector:
    """The vector, where it is one of finite numbers and of the length it should have."""
    if np.shape(vector) != (dimensions,) or not np.isfinite(vector).all():
        raise ValueError(f"the provider gave no finite vector of {dimensions} dimensions")
    return vector


def _best(ask: SearchContext, found: Scored, limit: int) -> Scored:
    """The first ``limit``, and of the rest the first that are known, where those are wanted."""
    if ask.known is None:
        return found[:limit]
    crowded = found[limit:]
    crowded = crowded[~ask.gate.turns.rows(crowded.ids)["is_turn"]]
    return joined([found[:limit], crowded[ask.known.permitted(crowded.ids)][: ask.knowledge_limit]])


def _latest(connection: sqlite3.Connection, filter_: Filter, limit: int) -> list[Recollection]:
    latest = search.recent(connection, filter_, limit)
    found = nodes.by_ids(connection, latest)
    return [Recollection(found[node], 1 / rank, {"recent": rank}, None) for rank, node in enumerate(latest, start=1)]
