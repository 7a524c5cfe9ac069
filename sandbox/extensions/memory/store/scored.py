"""Columns of nodes and scores, passed between the parts of a search. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]

_GROWTH = 4  # of the chunks in which a ranking is read


@dataclass(frozen=True, slots=True)
class Scored:
    """``values[i]`` is the score of node ``ids[i]``; both of shape ``(n,)``, no id twice."""

    ids: Ids
    values: Values

    @classmethod
    def of(cls, scores: Mapping[int, float]) -> "Scored":
        """A mapping as columns."""
        return cls(np.fromiter(scores.keys(), np.int64, len(scores)), np.fromiter(scores.values(), float, len(scores)))

    @classmethod
    def pairs(cls, rows: Sequence[tuple[int, float]]) -> "Scored":
        """The rows of a query, in their order."""
        ids, values = zip(*rows, strict=True) if rows else ((), ())
        return cls(np.array(ids, np.int64), np.array(values, float))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, which: "NDArray[np.bool_] | Ids | slice") -> "Scored":
        return Scored(self.ids[which], self.values[which])

    def plain(self) -> dict[int, float]:
        """The columns as a mapping."""
        return dict(zip(self.ids.tolist(), self.values.tolist(), strict=True))

    def valued(self, values: Values) -> "Scored":
        """The same nodes with other scores."""
        return Scored(self.ids, values)

    def at(self, ids: Ids, otherwise: float) -> Values:
        """The scores of some nodes; ``otherwise`` for those without one."""
        if not len(self):
            return np.full(len(ids), otherwise)
        order = np.argsort(self.ids)
        places = order[np.minimum(np.searchsorted(self.ids, ids, sorter=order), len(self) - 1)]
        return np.where(self.ids[places] == ids, self.values[places], otherwise)

    def best_first(self) -> "Scored":
        """The same, best first; of equal ones, the younger node first."""
        return self[np.lexsort((-self.ids, -self.values))]

    def chunks(self, size: int) -> Iterator["Scored"]:
        """All rows in chunks, best first, equal ones in their order: first the best ``size``, then larger and larger
        chunks. Only chunks that are read are sorted.
        """
        done = 0
        while done < len(self):
            upto = min(len(self), done + size)
            best = _best(self.values, upto)
            yield self[best[np.argsort(-self.values[best], kind="stable")][done:]]
            done, size = upto, size * _GROWTH


def _best(values: Values, count: int) -> NDArray[np.intp]:
    """The indexes of the best ``count``, in their order; of equal ones at the limit, the first."""
    if count == len(values):
        return np.arange(count)
    least = np.partition(values, len(values) - count)[len(values) - count]
    better = np.flatnonzero(values > least)
    return np.sort(np.concatenate([better, np.flatnonzero(values == least)[: count - len(better)]]))


def numbers(text: str) -> NDArray[np.int32]:
    """Numbers separated by commas. As one value of a query they take a third of the time of rows."""
    return np.fromstring(text, np.int32, sep=",")


def among(ids: Ids, others: Ids) -> NDArray[np.bool_]:
    """Which ids are among others; for few, in a third of the time of ``numpy.isin``."""
    if not len(others):
        return np.zeros(len(ids), bool)
    known = np.sort(others)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, ids), len(known) - 1)] == ids
    return found


def normalised(scored: Scored) -> Scored:
    """Scores as shares of the best; empty if none is above zero."""
    best = scored.values.max(initial=0.0)
    return scored.valued(scored.values / best) if best > 0 else scored[:0]


def added(parts: Iterable[Scored]) -> Scored:
    """The sum over all parts for each node, ids ascending."""
    ids, values, first = _sorted(parts)
    sums: Values = np.add.reduceat(values, first) if len(first) else values
    return Scored(ids[first], sums)


def either(*parts: Scored) -> Scored:
    """Each node with the score of the first part that has it, ids ascending."""
    ids, values, first = _sorted(parts)
    return Scored(ids[first], values[first])


def joined(parts: Iterable[Scored]) -> Scored:
    """The parts one after the other; no node may be in two of them."""
    return Scored(*_columns(parts))


def _columns(parts: Iterable[Scored]) -> tuple[Ids, Values]:
    given = list(parts)
    return np.concatenate([part.ids for part in given]), np.concatenate([part.values for part in given])


def _sorted(parts: Iterable[Scored]) -> tuple[Ids, Values, NDArray[np.intp]]:
    """All parts sorted by id, equal ones in their order, and the index of the first row of each id."""
    ids, values = _columns(parts)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    is_first = np.empty(len(ids), bool)
    is_first[:1] = True
    np.not_equal(ids[1:], ids[:-1], out=is_first[1:])
    return ids, values[order], np.flatnonzero(is_first)
