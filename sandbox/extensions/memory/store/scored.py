"""Nodes and a number for each, in columns: what a search passes on. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]

_GROWTH = 4  # of the chunks a ranking is read in


@dataclass(frozen=True, slots=True)
class Scored:
    """``values[i]`` is the score of node ``ids[i]``; both of shape ``(n,)``, no id twice."""

    ids: Ids
    values: Values

    @classmethod
    def of(cls, scores: Mapping[int, float]) -> "Scored":
        """The same as columns."""
        return cls(np.fromiter(scores.keys(), np.int64, len(scores)), np.fromiter(scores.values(), float, len(scores)))

    @classmethod
    def pairs(cls, rows: Sequence[tuple[int, float]]) -> "Scored":
        """Rows of a query, in their order."""
        ids, values = zip(*rows, strict=True) if rows else ((), ())
        return cls(np.array(ids, np.int64), np.array(values, float))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, which: "NDArray[np.bool_] | Ids | slice") -> "Scored":
        return Scored(self.ids[which], self.values[which])

    def plain(self) -> dict[int, float]:
        """The same as a mapping."""
        return dict(zip(self.ids.tolist(), self.values.tolist(), strict=True))

    def valued(self, values: Values) -> "Scored":
        """The same nodes with other scores."""
        return Scored(self.ids, values)

    def at(self, ids: Ids, otherwise: float) -> Values:
        """The scores of some nodes; ``otherwise`` for those that have none."""
        if not len(self):
            return np.full(len(ids), otherwise)
        order = np.argsort(self.ids)
        places = order[np.minimum(np.searchsorted(self.ids, ids, sorter=order), len(self) - 1)]
        return np.where(self.ids[places] == ids, self.values[places], otherwise)

    def chunks(self, size: int) -> Iterator["Scored"]:
        """All of it best first, of equals those that stand first: the best ``size``, then ever more at a time. What is
        not read is not sorted.
        """
        done = 0
        while done < len(self):
            upto = min(len(self), done + size)
            best = _best(self.values, upto)
            yield self[best[np.argsort(-self.values[best], kind="stable")][done:]]
            done, size = upto, size * _GROWTH


def _best(values: Values, count: int) -> NDArray[np.intp]:
    """Where the best ``count`` stand, in the order they stand in; of those that equal the last the first."""
    if count == len(values):
        return np.arange(count)
    least = np.partition(values, len(values) - count)[len(values) - count]
    better = np.flatnonzero(values > least)
    return np.sort(np.concatenate([better, np.flatnonzero(values == least)[: count - len(better)]]))


def normalised(scored: Scored) -> Scored:
    """Scores as shares of the best; none where nothing is above zero."""
    best = scored.values.max(initial=0.0)
    return scored.valued(scored.values / best) if best > 0 else scored[:0]


def added(parts: Iterable[Scored]) -> Scored:
    """What each node has in all parts together, ids ascending."""
    ids, values = _columns(parts)
    found, places = np.unique(ids, return_inverse=True)
    sums: Values = np.bincount(places, values, len(found)).astype(float)
    return Scored(found, sums)


def either(*parts: Scored) -> Scored:
    """Every node with what it has in the first part that has it, ids ascending."""
    ids, values = _columns(parts)
    found, first = np.unique(ids, return_index=True)
    return Scored(found, values[first])


def joined(parts: Iterable[Scored]) -> Scored:
    """The parts one after the other; no node may be in two of them."""
    return Scored(*_columns(parts))


def _columns(parts: Iterable[Scored]) -> tuple[Ids, Values]:
    given = list(parts)
    return np.concatenate([part.ids for part in given]), np.concatenate([part.values for part in given])
