"""What kind of answer a question wants: why, when, who, what, or nothing special (specification 004, *Search*).

Its words are data: ``questions.yaml`` in the folder of each language.
"""

from functools import cache
from typing import get_args

import numpy as np

from sandbox.extensions.memory.lexicon import by_language, pattern
from sandbox.extensions.memory.model import Intent
from sandbox.support.embedder import Embedder, Vector

_INTENTS: tuple[Intent, ...] = ("why", "when", "who", "what")
"""Those that words tell; the first whose words a question has is its own."""

_SIMPLE_WORDS = 12  # longer questions, or several at once, are complex


def classify_by_keywords(question: str) -> Intent:
    """The intent by the question words of every language; under a millisecond."""
    folded = question.casefold()
    return next((each for each in _INTENTS if _says(each, folded)), "general")


def is_complex(question: str) -> bool:
    """Whether a question wants more than a fact or two: long, several at once, for several things, or asking to compare
    and explain.
    """
    folded = question.casefold()
    is_long = len(folded.split()) > _SIMPLE_WORDS or folded.count("?") > 1
    return is_long or _says("complex", folded) or _says("several", folded)


def asks_for_several(question: str) -> bool:
    """Whether it asks for several things: which gifts, what kinds, how often, where somebody has been."""
    return _says("several", question.casefold())


def asks_what_happened(question: str) -> bool:
    """Whether it asks what went on, lately or in a time: "what happened in May?", "what's new?"."""
    return _says("what_happened", question.casefold())


def _says(name: str, folded: str) -> bool:
    return bool(pattern("questions", name).search(folded))


@cache
def exemplars() -> tuple[tuple[Intent, str], ...]:
    """Questions whose intents are known, in every language."""
    return tuple(
        (intent, text)
        for groups in by_language("questions", "exemplars").values()
        for intent in get_args(Intent)
        for text in groups[intent]
    )


class EmbeddingIntentClassifier:
    """Nearest exemplar by cosine, in any language the embedder knows; keywords where nothing is near enough."""

    def __init__(self, embedder: Embedder, threshold: float) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._exemplars: Vector | None = None

    async def classify(self, question: str, vector: Vector) -> Intent:
        """The intent of a question with a given unit vector."""
        if self._exemplars is None:
            self._exemplars = await self._embedder.embed_batch([text for _, text in exemplars()])
        similarities = self._exemplars @ vector
        nearest = int(np.argmax(similarities))
        if similarities[nearest] >= self._threshold:
            return exemplars()[nearest][0]
        return classify_by_keywords(question)
