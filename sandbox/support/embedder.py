"""The protocol of embedders, for every part that works with vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Text to unit vectors. Any error it raises means "not now": the memory goes on with words and tries again."""

    @property
    def model_id(self) -> str:
        """Names the provider, the model and its dimensions; vectors of different ids are never compared."""
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
