"""Logistic regression over sets of features, with a penalty on large weights."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

_STEPS = 12  # of Newton's method
_INNER = 50  # of conjugate gradients in each
_EXACT = 1e-3  # of the gradient, where a step ends

Numbers = NDArray[np.float64]


def learn(rows: Sequence[Collection[str]], is_true: Sequence[bool], *, rarest: int, penalty: float) -> dict[str, float]:
    """The weight of each feature that at least ``rarest`` rows have. The penalty is half of ``penalty`` times the
    square of each weight. Newton's method, each step by conjugate gradients (Lin, Weng, Keerthi 2008).
    """
    counts = Counter(feature for row in rows for feature in row)
    names = sorted(feature for feature, count in counts.items() if count >= rarest)
    place = {name: at for at, name in enumerate(names)}
    found = [[place[feature] for feature in row if feature in place] for row in rows]
    columns = np.array([at for row in found for at in row], dtype=np.intp)
    lengths = np.array([len(row) for row in found])
    of_row = np.repeat(np.arange(len(rows)), lengths)
    truth = np.array(is_true, dtype=float)

    def scores(weights: Numbers) -> Numbers:
        return np.asarray(np.bincount(of_row, weights[columns], len(rows)), dtype=float)

    def back(errors: Numbers) -> Numbers:
        return np.asarray(np.bincount(columns, np.repeat(errors, lengths), len(names)), dtype=float)

    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-scores(weights)))
        spread = chance * (1 - chance)
        residual = back(truth - chance) - penalty * weights
        step, along, length = np.zeros(len(names)), residual, residual @ residual
        goal = length * _EXACT**2
        for _ in range(_INNER):
            if length <= goal:
                break
            bent = back(spread * scores(along)) + penalty * along
            share = length / (along @ bent)
            step, residual = step + share * along, residual - share * bent
            length, before = residual @ residual, length
            along = residual + length / before * along
        weights = weights + step
    return dict(zip(names, weights.tolist(), strict=True))
