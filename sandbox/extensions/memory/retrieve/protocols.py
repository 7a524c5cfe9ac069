"""The parts of a search: its context, and the small protocols of legs and adjustments.

A new leg is a file in ``legs/`` and a line in ``LEGS``; a new adjustment is a file in ``adjustments/`` and a line in
``ADJUSTMENTS``. The ablation switches off each part listed there and in ``EVIDENCE``, one by one, by the setting
``without``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery
from sandbox.extensions.memory.store.indexes.scored import Scored
from sandbox.extensions.memory.store.reading.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.database import Store

T = TypeVar("T")

_NOTHING = Scored.of({})


class Edge(NamedTuple):
    """How a node was reached: over edges of a relation, so many, from a seed."""

    relation: str
    seed: int
    hops: int


@dataclass(frozen=True, slots=True)
class SearchContext:
    """One search over one snapshot: everything a leg or an adjustment works with."""

    store: Store
    config: Config
    resolved: ResolvedQuery
    visibility: VisibilityFilter
    breadth: int
    """How many nodes a leg ranks."""
    knowledge: VisibilityFilter | None
    """Lets knowledge alone through, where the best of it is wanted beside the best of all; None where it is not."""
    knowledge_limit: int
    """How many nodes of knowledge a leg ranks."""
    walked: list[tuple[int, Edge]] = field(default_factory=list)
    """The edges over which legs and adjustments came to a node. They note them here, for who asks why it was found."""
    found: dict[str, Scored] = field(default_factory=dict)
    """What each leg before this one found, by its name; nothing of a leg that is left out."""
    results: dict[Callable[..., Any], Any] = field(default_factory=dict)
    """What ``shared`` functions gave in this search."""

    def has(self, part: str) -> bool:
        """Whether a part of the search works: the setting ``without`` does not name it."""
        return part not in self.config.without

    @property
    def query(self) -> Query:
        """The question."""
        return self.resolved.query

    @property
    def entities(self) -> Mapping[int, frozenset[str]]:
        """Entities named in the question, and everything they are called, as it stands in ``who``."""
        return self.resolved.entities

    @property
    def names(self) -> frozenset[str]:
        """Everything that the named entities are called."""
        return frozenset().union(*self.entities.values())

    def found_by(self, leg: str) -> Scored:
        """What a leg found, best first."""
        return self.found.get(leg, _NOTHING)


def shared(work: Callable[[SearchContext], T]) -> Callable[[SearchContext], T]:
    """``work``, done once in a search, however many legs and adjustments need its result."""

    @wraps(work)
    def once(context: SearchContext) -> T:
        if work not in context.results:
            context.results[work] = work(context)
        result: T = context.results[work]
        return result

    return once


class Part(Protocol):
    """A leg or an adjustment."""

    name: str
    """What results, measurements and the setting ``without`` call it."""


class Leg(Part, Protocol):
    """One way to find memories."""

    finds: str
    """What people are told that it found a memory by, in a word or three."""

    def find(self, context: SearchContext) -> Scored:
        """What this leg finds, best first, each with its score. A leg that only orders gives them ``by_rank``."""
        ...

    def strengths(self, context: SearchContext) -> Scored:
        """How strongly this leg speaks for what it found, for its best about 1, and for what other legs found, where it
        can say that: the scores it gave, unless a leg knows better.
        """
        return context.found[self.name]


def by_rank(ranking: Sequence[int]) -> Scored:
    """Scores for nodes that are only ordered: 1 for the first, falling evenly."""
    return Scored(np.array(ranking, np.int64), 1 - np.arange(len(ranking)) / max(len(ranking), 1))


class Adjustment(Part, Protocol):
    """One reason to raise or lower what the legs found."""

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """The scores, adjusted."""
        ...
