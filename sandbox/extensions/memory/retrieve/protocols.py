"""The parts of a search: its context, its legs and its adjustments.

A new leg is a class in ``legs.py`` and a line in ``LEGS``; a new adjustment is a function in ``adjustments.py`` and a
line in ``ADJUSTMENTS``. The ablation switches off each part listed there and in ``EVIDENCE``, one by one, by the
setting ``without``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery
from sandbox.extensions.memory.store.columns import Scored
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.database import Store

T = TypeVar("T")

_NOTHING = Scored.of({})


class Edge(NamedTuple):
    """How a node was reached: from a seed, over so many edges of a relation."""

    relation: str
    seed: int
    hops: int


@dataclass(frozen=True, slots=True)
class SearchContext:
    """One search over one snapshot: everything that a leg or an adjustment needs."""

    store: Store
    config: Config
    resolved: ResolvedQuery
    visibility: VisibilityFilter
    breadth: int
    """The number of nodes that a leg ranks."""
    knowledge: VisibilityFilter | None
    """A filter for knowledge alone, if the search wants the best knowledge beside the best of all; otherwise None."""
    knowledge_limit: int
    """The number of knowledge nodes that a leg ranks."""
    walked: list[tuple[int, Edge]] = field(default_factory=list)
    """The edges over which legs and adjustments reached a node, noted here for explanations."""
    found: dict[str, Scored] = field(default_factory=dict)
    """The results of the legs before this one, by name; none for a leg that is switched off."""
    results: dict[Callable[..., Any], Any] = field(default_factory=dict)
    """The results of ``shared`` functions in this search."""

    def is_on(self, part: str) -> bool:
        """Whether a part of the search is on: the setting ``without`` does not name it."""
        return part not in self.config.without

    @property
    def query(self) -> Query:
        """The question."""
        return self.resolved.query

    @property
    def entities(self) -> Mapping[int, frozenset[str]]:
        """The entities that the question names, with all their names in the stemmed form of ``who``."""
        return self.resolved.entities

    @property
    def names(self) -> frozenset[str]:
        """All names of the named entities."""
        return frozenset().union(*self.entities.values())

    def found_by(self, leg: str) -> Scored:
        """The results of a leg, best first."""
        return self.found.get(leg, _NOTHING)


def shared(work: Callable[[SearchContext], T]) -> Callable[[SearchContext], T]:
    """Run ``work`` once in a search, however many legs and adjustments need its result."""

    @wraps(work)
    def once(context: SearchContext) -> T:
        if work not in context.results:
            context.results[work] = work(context)
        result: T = context.results[work]
        return result

    return once


class Leg(Protocol):
    """One way to find memories."""

    name: str
    """Its name in results, measurements and the setting ``without``."""
    finds: str
    """How it found a memory, in one to three words for people."""
    weight: float = 0.1
    """Its share in the sum of the legs' scores, where the best score of each leg is about 1 (adr/0016)."""

    def find(self, context: SearchContext) -> Scored:
        """The leg's results, best first, each with its score. A leg that only orders uses ``by_rank``."""

    def strengths(self, context: SearchContext) -> Scored:
        """The strength of this leg's evidence, about 1 for its best result, also for results of other legs if it can
        judge them. The default is its scores.
        """
        return context.found[self.name]


def by_rank(ranking: Sequence[int]) -> Scored:
    """Scores for nodes that only have an order: 1 for the first, then evenly less."""
    return Scored(np.array(ranking, np.int64), 1 - np.arange(len(ranking)) / max(len(ranking), 1))


class Adjustment(NamedTuple):
    """One reason to raise or lower scores after fusion, under its name in measurements."""

    name: str
    apply: Callable[[SearchContext, Scored], Scored]
