"""Memories that nobody uses: they are put away for some time, then purged."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.store import decisions, erasing, nodes
from sandbox.extensions.memory.store.rows import ON_PURPOSE
from sandbox.extensions.memory.store.sql import HOLDS, load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("retention")

EXPIRED = "expired"
"""The reason for retiring an unused memory; ``restore`` brings it back until it is purged."""

_IMPORTANT = 3
"""From this importance on, an unused memory is kept."""

_MAY_GO = f"""NOT n.pinned AND n.decay_rate > 0 AND {HOLDS}
    AND NOT (n.source IN (SELECT value FROM json_each(:on_purpose)) AND n.trust IN ('user', 'confirmed'))"""


def unused(snapshot: Snapshot, days: Mapping[str, int], now: int) -> list[int]:
    """Memories that were unused for as many days as ``days`` gives for their category; with 0, the category is kept."""
    asked = {"days": json.dumps(dict(days)), "day": DAY, "important": _IMPORTANT}
    return _that_may_go(snapshot, _SQL.unused_for, now, asked)


def beyond(snapshot: Snapshot, user_id: str, most: int, now: int) -> list[int]:
    """The excess memories of a user who has more than ``most``, the first to go first, as far as they may go."""
    return _that_may_go(snapshot, _SQL.beyond, now, {"user_id": user_id, "most": most})


def expire(tx: Transaction, ids: Sequence[int], purge_at: int | None, actor: str) -> list[str]:
    """Put memories away, and note that their owners must be told; return their public ids."""
    found = nodes.by_ids(tx, ids)
    for node in found.values():
        nodes.retire(tx, node, by=EXPIRED, event=EXPIRED, actor=actor)
        tx.execute(_SQL.expire, id=node.id, purge_at=purge_at)
        decisions.announce_later(tx, node)
    return [node.public_id for node in found.values()]


def due(snapshot: Snapshot, now: int, limit: int) -> list[int]:
    """Memories that were put away, or waited for consent, and are due to be purged."""
    return [row[0] for row in snapshot.execute(_SQL.due, now=now, limit=limit)]


def purge(tx: Transaction, ids: Sequence[int]) -> None:
    """Delete every version of some memories, and of memories merged into them."""
    every_version = erasing.whole(tx, ids)
    for node in nodes.by_ids(tx, ids).values():
        home = {"id": node.public_id, "visibility": node.visibility, "project": node.project_id}
        tx.log("purged", node.id, node.user_id, was=node.retired_by, **home)
    erasing.erase_nodes(tx, every_version)


def _that_may_go(snapshot: Snapshot, sql: str, now: int, asked: dict[str, Any]) -> list[int]:
    sql = sql.replace("{may_go}", _MAY_GO)
    return [row[0] for row in snapshot.execute(sql, asked, now=now, on_purpose=ON_PURPOSE)]
