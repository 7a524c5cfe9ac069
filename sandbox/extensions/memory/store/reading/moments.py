"""Memories from a period of time, and the text of turns."""

import json
from collections.abc import Iterable, Set
from itertools import chain
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.store.indexes.scored import Ids
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SQL = load("moments")

_MOST = 2_000  # memories of a period that are read as a whole; from a longer period, only the best matches count


class TurnTerms(NamedTuple):
    """The analysed text of a turn: its terms in order. ``event_time`` in milliseconds."""

    event_time: int
    who: str
    terms: list[str]


def within(snapshot: Snapshot, after: int, before: int) -> Ids:
    """The memories from a period in milliseconds; none if there are very many."""
    parameters = {"after": after, "before": before, "most": _MOST}
    is_much = snapshot.execute(_SQL.one_more_in_time, parameters).fetchone() is not None
    return np.fromiter(() if is_much else chain.from_iterable(snapshot.plain(_SQL.in_time, parameters)), np.int64)


def said(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, TurnTerms]:
    """The texts of those nodes that are turns."""
    rows = snapshot.plain(_SQL.said, {"ids": json.dumps(list(ids))})
    return {node: TurnTerms(event_time, who, terms.split()) for node, event_time, who, terms in rows}


def saying(snapshot: Snapshot, ids: Iterable[int], some: Set[str]) -> Ids:
    """The nodes that are turns and contain one of ``some`` terms."""
    rows = snapshot.plain(_SQL.terms, {"ids": json.dumps(list(ids))})
    return np.array([node for node, terms in rows if not some.isdisjoint(terms.split())], np.int64)
