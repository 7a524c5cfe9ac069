"""The optional last leg: a model that reads question and memory together orders the best results.

It may only change the order of the best, never the selection, and never puts a replaced memory before its replacement.
It breaks the law that no model works when something is read, so it is off unless a user configures it.
"""

import asyncio
import logging
import math
import time
from collections.abc import Sequence

from sandbox.extensions.memory.ports import Reranker
from sandbox.extensions.memory.retrieve.adjustments import replacements_first
from sandbox.extensions.memory.retrieve.answer import Recollection
from sandbox.extensions.memory.store import graph
from sandbox.extensions.memory.store.rows import text_of
from sandbox.extensions.memory.store.scored import Scored
from sandbox.extensions.memory.store.sqlite.database import Store

_LEG = "rerank"
RERANKED = 20  # of the best results; a reranker reads these
_PATIENCE = 2.0  # seconds that a question waits at most, whatever the provider's own limit is
_PAUSE = 30  # seconds without requests after a failure

logger = logging.getLogger(__name__)


class Reranking:
    """Orders the best results with a reranker; while it fails, their order does not change."""

    def __init__(self, reranker: Reranker, store: Store) -> None:
        self._reranker = reranker
        self._store = store
        self._retry_at = 0.0

    async def ordered(self, question: str, found: Sequence[Recollection]) -> list[Recollection]:
        """The results, the first ones in the reranker's order; the scores are redistributed among them."""
        best = found[:RERANKED]
        scores = await self._scores(question, best) if len(best) > 1 else None
        if scores is None:
            return list(found)
        places = sorted(range(len(best)), key=lambda place: -scores[place])
        again = [
            best[place]._replace(score=best[rank].score, legs={**best[place].legs, _LEG: rank + 1})
            for rank, place in enumerate(places)
        ]
        return await self._led([*again, *found[RERANKED:]])

    async def _scores(self, question: str, best: Sequence[Recollection]) -> Sequence[float] | None:
        if time.monotonic() < self._retry_at:
            return None
        texts = [text_of(each.node.speaker, each.node.content) for each in best]
        try:
            async with asyncio.timeout(_PATIENCE):
                scores = await self._reranker.rerank(question, texts)
            if len(scores) != len(best) or not all(map(math.isfinite, scores)):
                raise ValueError(f"the reranker gave no {len(best)} finite numbers")
        except Exception as error:  # a provider may raise anything; the order does not change
            logger.warning("the reranker failed (%s); for %d s results keep their order", type(error).__name__, _PAUSE)
            self._retry_at = time.monotonic() + _PAUSE
            return None
        return scores

    async def _led(self, found: Sequence[Recollection]) -> list[Recollection]:
        """The order, with no memory before its replacement."""
        ids = [each.node.id for each in found]
        replaced = await self._store.read(lambda connection: graph.prevailing(connection, ids))
        scores = Scored.of({each.node.id: each.score for each in found})
        led = replacements_first(scores, [(old, new) for old, new, _ in replaced]).plain()
        return sorted((each._replace(score=led[each.node.id]) for each in found), key=lambda each: -each.score)
