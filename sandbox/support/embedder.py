"""The protocol of embedders, and unit vectors, for every part that works with vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Text to unit vectors. If it raises any error, the memory continues with words and tries again later."""

    @property
    def model_id(self) -> str:
        """Identifies provider, model and dimensions; vectors of different ids are never compared."""

    @property
    def dimensions(self) -> int:
        """Length of every vector."""

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, in order; zeros for a text with nothing to embed."""


def unit(rows: NDArray[np.float32]) -> Vector:
    """Each row of the (n, d) array divided by its length; a row of zeros stays zeros.

    Computed in float64, so that no float32 is too small or too large to be squared.
    """
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    norms[norms == 0.0] = 1.0
    units: Vector = (rows / norms[:, np.newaxis]).astype(np.float32)
    return units
