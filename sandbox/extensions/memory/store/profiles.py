"""Which memories fill which field of a user's profile."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.extensions.memory.model import Trust
from sandbox.extensions.memory.profile import Field
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("profiles")


class Filled(NamedTuple):
    """What a memory says of a field, how far it is trusted, and since when that holds (milliseconds)."""

    id: int
    field: Field
    value: str
    is_told: bool
    trust: Trust
    valid_from: int


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
    return [Filled(*row) for row in connection.execute(_SQL.filling.replace("{condition}", condition), asked)]


def rivals(tx: Transaction, draft: Draft) -> list[tuple[str, Node]]:
    """Believed memories that tell what the field is that a draft fills, each with that value, the latest first."""
    if draft.fills is None:
        return []
    rows = tx.execute(_SQL.rivals, {**nodes.home(draft, tx.now), "field": draft.fills.field}).fetchall()
    found = nodes.by_ids(tx.connection, [row["id"] for row in rows])
    return [(row["value"], found[row["id"]]) for row in rows]
