"""Rows of numbers to unit vectors."""

import numpy as np
from numpy.typing import NDArray

from sandbox.support.embedder import Vector


def unit(rows: NDArray[np.float32]) -> Vector:
    """Each row of the (n, d) array divided by its length; a row of zeros stays zeros.

    Computed in float64, so that no float32 is too small or too large to be squared.
    """
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    norms[norms == 0.0] = 1.0
    units: Vector = (rows / norms[:, np.newaxis]).astype(np.float32)
    return units
