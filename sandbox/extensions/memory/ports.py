"""What the memory needs from outside, as protocols."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Text to unit vectors. Any error it raises means "not now": the memory goes on with words and tries again."""

    @property
    def model_id(self) -> str:
        """Names the model and its dimensions; vectors of different ids are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    async def embed(self, text: str) -> Vector:
        """Unit vector of shape ``(dimensions,)``; zeros where the text has nothing to embed."""
        ...

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, in order."""
        ...

    async def health_check(self) -> bool:
        """Whether an embedding can be had now."""
        ...


def model_of(embedder: Embedder) -> str | None:
    """Its model's id; None while it cannot tell, as before the first answer of a server."""
    try:
        return embedder.model_id
    except Exception:  # of a provider, which is somebody else's code
        return None


@runtime_checkable
class WordEmbedder(Protocol):
    """An embedder whose texts are sums of words, so that the telling words of a question can weigh more."""

    def embed_words(self, words: Sequence[str], weights: Sequence[float]) -> Vector | None:
        """Unit vector of shape ``(dimensions,)``, each word by its weight; None while it cannot be had at once."""
        ...


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens; an estimate for any model but its own."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        ...


class LanguageModel(Protocol):
    """What learning will ask between conversations; nothing on the way from a prompt to its context does."""

    @property
    def model_id(self) -> str:
        """Names the model in the log of what it proposed."""
        ...


class Clock(Protocol):
    """Tells the time, so that tests and the demo can let weeks pass."""

    def __call__(self) -> datetime:
        """An aware datetime."""
        ...


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)
