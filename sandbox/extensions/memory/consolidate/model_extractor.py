"""A language model reads turns and proposes statements; ``review.py`` accepts those that are well worded and supported.

The prompt is ``prompts/extract.jinja2``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sandbox.extensions.memory.asking.ask import Prompt, ask
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.answer_schema import Learnt
from sandbox.extensions.memory.consolidate.constraints import summed
from sandbox.extensions.memory.consolidate.extraction import LONGEST, Extraction, Known, Turn
from sandbox.extensions.memory.consolidate.model_claims import offered_predicates
from sandbox.extensions.memory.consolidate.review import Review, offered
from sandbox.extensions.memory.consolidate.support import Doubtful, margin, small_talk
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.extensions.memory.ingest.embed import embedded
from sandbox.extensions.memory.ports import LanguageModel
from sandbox.extensions.memory.reports import AnswerQuality, Spent
from sandbox.extensions.memory.text.languages import script
from sandbox.support.embedder import Embedder

EXTRACT = Prompt("extract", __package__, Learnt, max_tokens=4000, compact=True)


class ModelExtractor:
    """Reads turns with a language model. An embedder checks whether paraphrases are supported by the turns."""

    def __init__(self, model: LanguageModel, config: Config, embedder: Embedder | None = None) -> None:
        self._model = model
        self._config = config
        self._embedder = embedder

    async def read(self, turns: Sequence[Turn], known: Known) -> Extraction:
        """What is learnt from some turns, as ``own_words.shown`` gives them, with changes of known facts. If an answer
        would be too long, the turns are read in halves.

        Raises ``ModelUnavailable`` and ``BadAnswer``; ``details["read"]`` is a reading that holds the cost.
        """
        if not turns:
            return Extraction(self._model.model_id)
        try:
            return await self._ask(turns, known)
        except BadAnswer as error:
            if error.details["kind"] != "truncated" or len(turns) < 2:
                raise
            so_far: Extraction = error.details["read"]
        middle = len(turns) // 2
        for half in (turns[:middle], turns[middle:]):
            try:
                so_far = joined(so_far, await self.read(half, known))
            except (BadAnswer, ModelUnavailable) as error:
                error.details["read"] = joined(so_far, error.details["read"])
                raise
        return so_far

    async def _ask(self, turns: Sequence[Turn], known: Known) -> Extraction:
        by = self._model.model_id
        try:
            asked = await ask(self._model, EXTRACT, **material(turns, known, self._config))
        except (BadAnswer, ModelUnavailable) as error:
            spent, refused = error.details["spent"], error.details["refused"]
            error.details["read"] = _counted(Extraction(by), AnswerQuality(), Counter(), spent, refused)
            raise
        review = Review(asked.answer, turns, known, self._config)
        extraction = review.extraction(by, await self._near(review.doubtful()))
        return _counted(extraction, review.quality, review.counted, asked.spent, asked.refused)

    async def _near(self, doubtful: Sequence[Doubtful]) -> set[str] | None:
        """The doubtful statements that are near in meaning to their turns; None without an embedder."""
        if self._embedder is None or not doubtful:
            return None if self._embedder is None else set()
        nothing = small_talk(script("\n".join(each.words for each in doubtful)))
        flat = [*nothing, *(text for each in doubtful for text in (each.words, *each.said))]
        try:
            vectors = iter(await embedded(self._embedder, flat))
        except Exception:  # the provider is foreign code
            return None
        quiet = np.stack([next(vectors) for _ in nothing])
        scored = [(each, next(vectors), np.stack([next(vectors) for _ in each.said])) for each in doubtful]
        return {each.content for each, vector, said in scored if margin(vector, said, quiet) >= each.margin}


def material(turns: Sequence[Turn], known: Known, config: Config) -> dict[str, Any]:
    """The material for the prompt."""
    return {
        "turns": turns,
        "known": known,
        "categories": offered(config.categories),
        "predicates": offered_predicates(),
        "longest": LONGEST,
    }


def _counted(
    extraction: Extraction, quality: AnswerQuality, faults: Counter[str], spent: Spent, refused: Mapping[str, int]
) -> Extraction:
    """The extraction with its cost and the faults of the answers."""
    unusable = Counter(refused)
    return replace(
        extraction, spent=spent, quality=quality + AnswerQuality(unusable.total()), faults=dict(unusable + faults)
    )


def joined(first: Extraction, second: Extraction) -> Extraction:
    """Two extractions as one."""
    return Extraction(
        second.by,
        first.proposals + second.proposals,
        {**first.mentions, **second.mentions},
        dict(Counter(first.skipped) + Counter(second.skipped)),
        summed(first.summary, second.summary),
        first.spent + second.spent,
        first.quality + second.quality,
        dict(Counter(first.faults) + Counter(second.faults)),
        first.different_names + second.different_names,
    )
