"""From a question to a query: its terms, entities, intent and time."""

import asyncio
import logging
import time
from datetime import datetime
from functools import partial

from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import MOST_CHARACTERS, Scope
from sandbox.extensions.memory.ports import WordEmbedder, checked, model_of
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery, analyse, both_ends
from sandbox.extensions.memory.store import entities, search, vectors
from sandbox.extensions.memory.store.sqlite.database import Store, off_loop
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.characters import storable
from sandbox.support.embedder import Embedder, Vector

_PATIENCE = 2.0  # seconds that a question waits for its vector
_WARM_AFTER = 1.0  # seconds after the first question; loading slows down questions that follow at once
_PAUSE = 30  # seconds without requests after a failure

logger = logging.getLogger(__name__)


class Understanding:
    """Analyses questions and embeds them. ``problem`` says why the last question has no vector."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._retry_at = 0.0
        self._warming: asyncio.Task[None] | None = None
        self.problem: str | None = None

    async def query(self, question: str, now: datetime | None = None) -> Query:
        """Analyse a question: terms, possible names, intent, complexity, vector, and the time it names, given ``now``.
        Of a long prompt, the beginning and the end are read (``both_ends``).
        """
        if self._warming is None and self._embedder is not None:
            self._warming = asyncio.create_task(self._warm(), name="memory-warming")
        asked = await self.as_stored(question)
        return analyse(asked, await self._embed(both_ends(asked)), now)

    async def as_stored(self, question: str) -> str:
        """A question in the form that would be stored, without secrets, because a provider sees it, too. A text longer
        than any turn is cut to its beginning and its end.
        """
        text = storable(both_ends(question, MOST_CHARACTERS))
        return (await off_loop(len(text), partial(secrets.mask, text))).text

    def resolve(self, snapshot: Snapshot, query: Query, scope: Scope) -> ResolvedQuery:
        """What a query means in one memory: its entities, the model of the vectors, and its rare words."""
        named = entities.in_sentence(snapshot, scope, query.runs)
        weighted, model = self._weighted(snapshot, query, scope.user_id), self._answering_model(snapshot)
        return ResolvedQuery(query, named, model, weighted, search.has_knowledge(snapshot), scope.user_id)

    async def close(self) -> None:
        """Stop loading vectors into memory."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)

    def _weighted(self, snapshot: Snapshot, query: Query, user_id: str) -> Vector | None:
        """The question's vector, with more weight for rare words if the embedder can do that."""
        if query.vector is None or not query.words or not isinstance(self._embedder, WordEmbedder):
            return query.vector
        asked = {term for _, found in query.words for term in found}
        rarity = self._store.words.everything.rarity(snapshot, asked, user_id)
        weights = [sum(rarity[term] for term in found) / len(found) for _, found in query.words]
        vector = self._embedder.embed_words([word for word, _ in query.words], weights)
        return query.vector if vector is None or not vector.any() else vector

    async def _warm(self) -> None:
        """Load the vectors into memory, after the first question was answered from the disk."""
        await asyncio.sleep(_WARM_AFTER)
        await self._store.quiet()

        def read(snapshot: Snapshot) -> None:
            model = self._answering_model(snapshot)
            if model is not None:
                self._store.vectors.warm(snapshot, model)

        await self._store.read(read)

    def _answering_model(self, snapshot: Snapshot) -> int | None:
        model = model_of(self._embedder) if self._embedder else None
        return vectors.answering_model(snapshot, model) if model else None

    async def _embed(self, question: str) -> Vector | None:
        """The question's vector; None, with a note of the reason, if words have to answer alone."""
        if self._embedder is None or time.monotonic() < self._retry_at:
            return None
        try:
            async with asyncio.timeout(_PATIENCE):
                vector: Vector = checked(await self._embedder.embed_batch([question]), 1, self._embedder)[0]
        except Exception as error:  # a provider may raise anything; words answer without it
            logger.warning(
                "the embedding provider failed (%s); for %d s only words are searched", type(error).__name__, _PAUSE
            )
            self.problem, self._retry_at = str(error) or type(error).__name__, time.monotonic() + _PAUSE
            return None
        self.problem = None
        return vector
