"""What the memory learnt by itself, among what was found."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import INSIGHT

_SQL = load("learnt")


def insights(connection: sqlite3.Connection, ids: Iterable[int]) -> list[int]:
    """Those of some nodes that were concluded rather than told."""
    if connection.execute(_SQL.concluded).fetchone() is None:
        return []
    return [row["id"] for row in connection.execute(_SQL.insights, {"ids": json.dumps(list(ids)), "category": INSIGHT})]


def among(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, list[int]]:
    """Those of some nodes that a reader of conversations learnt, and the turns each rests on."""
    found: dict[int, list[int]] = defaultdict(list)
    for node, turn in connection.execute(_SQL.among, {"ids": json.dumps(list(ids))}):
        found[node].append(turn)
    return dict(found)
