"""When nodes happened, and what of some time speaks of a question."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.search import WHO_WEIGHT, Gate, Scored, match_any

_SQL = load("moments")

_MOST = 2_000  # nodes of a time that are looked at by themselves; of a longer time, what matches best has its share


@dataclass(frozen=True, slots=True)
class Said:
    """What a turn says, analysed. ``event_time`` in milliseconds."""

    event_time: int
    who: str
    terms: frozenset[str]


def words(gate: Gate, terms: Sequence[str], after: int, before: int, limit: int) -> Scored:
    """The best by bm25 of what happened in some time, in milliseconds; none, where very much happened in it."""
    rows = gate.connection.execute(_SQL.in_time, {"after": after, "before": before, "most": _MOST + 1})
    ids = {row[0] for row in rows}
    if not terms or not ids or len(ids) > _MOST:
        return []
    match = {"match": match_any(terms), "who": WHO_WEIGHT, "first": min(ids), "last": max(ids)}
    ranked = gate.connection.execute(_SQL.words_between, match)
    return gate.first(((row[0], row[1]) for row in ranked if row[0] in ids), limit)


def times(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, int]:
    """When nodes happened, in milliseconds."""
    return {row[0]: row[1] for row in connection.execute(_SQL.times, {"ids": json.dumps(list(ids))})}


def said(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Said]:
    """What those of some nodes say that are turns."""
    rows = connection.execute(_SQL.said, {"ids": json.dumps(list(ids))})
    return {row[0]: Said(row[1], row[2], frozenset(row[3].split())) for row in rows}
