"""Measures over answered questions, and how sure they are: groups of questions drawn again and again (Efron 1979).

Everything is a function of weights, one for each question: ones give the figure, draws of groups its interval, and the
same draws for two configurations the interval of what one gains over the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_DRAWS = 2_000
_LEVEL = (2.5, 97.5)  # percentiles of the draws between which a figure lies


@dataclass(frozen=True, slots=True)
class Row:
    """One question, and the score each measure gave its answer. Questions of a group share a store or a source."""

    id: str
    group: str
    category: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, the bounds of its 95% interval, and how many questions it rests on."""

    value: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the score of that name."""

    name: str

    @property
    def scores(self) -> Sequence[str]:
        """The one it is the mean of."""
        return (self.name,)

    def over(self, rows: Sequence[Row], weights: Array) -> Array:
        """Weighted means."""
        values = np.array([row.scores[self.name] for row in rows])
        return np.asarray(weights @ values / weights.sum(axis=1))


@dataclass(frozen=True, slots=True)
class Auroc:
    """How often ``score`` is higher for a row that is 1 in ``target`` than for one that is 0; a tie counts half."""

    name: str
    score: str
    target: str

    @property
    def scores(self) -> Sequence[str]:
        """Both."""
        return (self.score, self.target)

    def over(self, rows: Sequence[Row], weights: Array) -> Array:
        """The weighted share of pairs that are in order; NaN where there are none."""
        values, is_target = (np.array([row.scores[name] for row in rows]) for name in self.scores)
        yes, no = is_target == 1, is_target == 0
        above = np.sign(values[yes][:, None] - values[no][None, :]) / 2 + 0.5
        ordered = np.einsum("ij,ij->i", weights[:, yes] @ above, weights[:, no])
        with np.errstate(invalid="ignore"):
            return np.asarray(ordered / (weights[:, yes].sum(axis=1) * weights[:, no].sum(axis=1)))


Measure = Mean | Auroc
"""What a figure says about rows: its name, in floors too, the scores a row needs to count, and the value over rows for
each set of weights, which are of shape (sets, rows).
"""


def estimate(measure: Measure, rows: Sequence[Row], seed: int) -> Estimate | None:
    """The figure over the rows it applies to; None where there are none, or only one side of what it compares."""
    return gain(measure, rows, (), seed)


def gain(measure: Measure, rows: Sequence[Row], others: Sequence[Row], seed: int) -> Estimate | None:
    """The figure over ``rows`` minus that over ``others``, the same questions answered by another configuration."""
    ours, theirs = _applying(measure, rows), _applying(measure, others)
    if theirs and [row.id for row in ours] != [row.id for row in theirs]:
        raise ValueError("two configurations can only be compared on the same questions")
    if not ours:
        return None
    weights = np.concatenate([np.ones((1, len(ours))), _drawn([row.group for row in ours], seed)])
    values = measure.over(ours, weights) - (measure.over(theirs, weights) if theirs else 0.0)
    if np.isnan(values[0]):
        return None
    low, high = np.nanpercentile(values[1:], _LEVEL)
    return Estimate(float(values[0]), float(low), float(high), len(ours))


def _applying(measure: Measure, rows: Sequence[Row]) -> list[Row]:
    return sorted((row for row in rows if row.scores.keys() >= set(measure.scores)), key=lambda row: row.id)


def _drawn(groups: Sequence[str], seed: int) -> Array:
    """How often each row is drawn, of shape (draws, rows): as many groups as there are, with replacement."""
    names, index = np.unique(groups, return_inverse=True)
    drawn = np.random.default_rng(seed).multinomial(len(names), np.full(len(names), 1 / len(names)), size=_DRAWS)
    return drawn[:, index].astype(np.float64)
