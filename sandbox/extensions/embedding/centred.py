"""Vectors of a model without what all its texts have in common.

In many models every two texts are alike: the cosine of unrelated turns is .84 by multilingual-e5-small, and .18 by
all-MiniLM-L6-v2. So no threshold fits both. Without the mean of some unrelated texts, unrelated texts are far from
each other in every model, and related ones stand out more (Mu and Viswanath 2018, "All-but-the-Top").
"""

from collections.abc import Sequence
from pathlib import Path

from sandbox.extensions.embedding.openai import OpenAIEmbedder
from sandbox.support.embedder import Vector, unit

_UNRELATED = Path(__file__).with_name("unrelated.txt")


class CentredEmbedder:
    """Embeds by another embedder. With its first texts it lets that one embed sixteen short, unrelated ones, and
    subtracts the mean of these from every vector.
    """

    def __init__(self, of: OpenAIEmbedder) -> None:
        self._of = of
        self._mean: Vector | None = None

    @property
    def model_id(self) -> str:
        """That of the other one, and ``/centred``. Raises ``DimensionsUnknown`` if that one does."""
        return f"{self._of.model_id}/centred"

    @property
    def dimensions(self) -> int:
        """Length of every vector. Raises ``DimensionsUnknown`` if the other one does."""
        return self._of.dimensions

    async def embed(self, text: str) -> Vector:
        """Unit vector of shape ``(dimensions,)``; zeros for a blank text. Raises what ``embed_batch`` raises."""
        vector: Vector = (await self.embed_batch([text]))[0]
        return vector

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``. Raises the errors of the other embedder."""
        mean, unrelated = self._mean, _unrelated() if self._mean is None else ()
        vectors = await self._of.embed_batch([*unrelated, *texts])
        if mean is None:
            mean = self._mean = vectors[: len(unrelated)].mean(axis=0)
        vectors = vectors[len(unrelated) :]
        vectors[vectors.any(axis=1)] -= mean
        return unit(vectors)

    async def health_check(self) -> bool:
        """Whether the other embedder answers; never raises."""
        return await self._of.health_check()

    async def close(self) -> None:
        """Close the other embedder."""
        await self._of.close()


def _unrelated() -> Sequence[str]:
    return _UNRELATED.read_text(encoding="utf-8").splitlines()
