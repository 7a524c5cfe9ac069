"""Which memories fill which field of a user's profile."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.extensions.memory.profile import Field, Filling
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Draft, Node
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("profiles")


class Filled(NamedTuple):
    """A memory, and what it says of a field."""

    node: Node
    filling: Filling


def fill(tx: Transaction, node_id: int, draft: Draft) -> None:
    """Let a memory fill the field that its draft says something of, if it does. The only way into a profile."""
    if draft.fills is None:
        return
    field, value, is_told = draft.fills.field, draft.fills.value, draft.fills.is_told
    parameters = {"field": field, "value": value, "is_told": is_told, "user_id": draft.scope.user_id}
    tx.execute(_SQL.fill, {"node_id": node_id, **parameters})


def filling(connection: sqlite3.Connection, fields: Sequence[Field], filter_: Filter) -> list[Filled]:
    """What fills some fields of the profile of the filter's user, of what the filter allows."""
    condition, parameters = filter_.condition()
    asked = {**parameters, "fields": json.dumps(fields)}
    rows = connection.execute(_SQL.filling.replace("{condition}", condition), asked).fetchall()
    found = nodes.by_ids(connection, {row["id"] for row in rows})
    return [Filled(found[row["id"]], Filling(row["field"], row["value"], bool(row["is_told"]))) for row in rows]


def rivals(tx: Transaction, draft: Draft) -> list[tuple[str, Node]]:
    """Believed memories that tell what the field is that a draft fills, each with that value, the latest first."""
    if draft.fills is None:
        return []
    sql = _SQL.rivals.replace("{columns}", NODE_COLUMNS)
    rows = tx.execute(sql, {**nodes.home(draft, tx.now), "field": draft.fills.field})
    return [(row[0], Node._make(row[1:])) for row in rows]
