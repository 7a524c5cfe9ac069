"""What the memory learnt by itself, among what was found."""

import json
from collections import defaultdict
from collections.abc import Iterable

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import INSIGHT
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("learnt")


def insights(snapshot: Snapshot, ids: Iterable[int]) -> list[int]:
    """Those of some nodes that were concluded rather than told."""
    if snapshot.execute(_SQL.concluded).fetchone() is None:
        return []
    return [row["id"] for row in snapshot.execute(_SQL.insights, {"ids": json.dumps(list(ids)), "category": INSIGHT})]


def among(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, list[int]]:
    """Those of some nodes that a reader of conversations learnt, and the turns each rests on."""
    found: dict[int, list[int]] = defaultdict(list)
    for node, turn in snapshot.execute(_SQL.among, {"ids": json.dumps(list(ids))}):
        found[node].append(turn)
    return dict(found)
