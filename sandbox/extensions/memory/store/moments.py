"""What happened in some time, and what turns say."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.scored import Ids

_SQL = load("moments")

_MOST = 2_000  # nodes of a time that are looked at by themselves; of a longer time, what matches best has its share


@dataclass(frozen=True, slots=True)
class Said:
    """What a turn says, analysed. ``event_time`` in milliseconds."""

    event_time: int
    who: str
    terms: frozenset[str]


def within(connection: sqlite3.Connection, after: int, before: int) -> Ids:
    """What happened in some time, in milliseconds; nothing, where very much did."""
    rows = connection.execute(_SQL.in_time, {"after": after, "before": before, "most": _MOST + 1})
    ids = np.fromiter((row[0] for row in rows), np.int64)
    return ids if len(ids) <= _MOST else ids[:0]


def said(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Said]:
    """What those of some nodes say that are turns."""
    rows = connection.execute(_SQL.said, {"ids": json.dumps(list(ids))})
    return {row[0]: Said(row[1], row[2], frozenset(row[3].split())) for row in rows}
