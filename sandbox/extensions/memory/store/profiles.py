"""Which memories fill which field of a user's profile."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.profile import Field, Filling
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, Draft, Node
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("profiles")


class Filled(NamedTuple):
    """What a memory says of a field, and since when that holds (milliseconds)."""

    id: int
    field: Field
    value: str
    is_told: bool
    valid_from: int


class Before(NamedTuple):
    """What was known before memories filled fields; ``own`` is the user's name where that is clear."""

    id: int
    content: str
    subject: str | None
    own: str | None


def fill(tx: Transaction, node_id: int, user_id: str, fills: Iterable[Filling]) -> None:
    """Let a memory fill the fields that it says something of. The only way into a profile."""
    for each in fills:
        parameters = {"field": each.field, "value": each.value, "is_told": each.is_told, "user_id": user_id}
        tx.execute(_SQL.fill, {"node_id": node_id, **parameters})


def before(snapshot: Snapshot, user_id: str, after: int, now: int, limit: int) -> list[Before]:
    """What a user knew behind a node before memories filled fields, what fills none and holds at ``now``, in order; of
    what the memory learnt by itself only what the user said, and no insights.
    """
    whose = {"user_id": user_id, "after": after, "now": now, "limit": limit}
    rows = snapshot.execute(_SQL.before, {**whose, "left_out": INSIGHT, "learnt": json.dumps(LEARNT)})
    return [Before(*row) for row in rows]


def filling(snapshot: Snapshot, fields: Sequence[Field], filter_: Filter) -> list[Filled]:
    """What fills some fields of the profile of the filter's user, of what the filter allows."""
    condition, parameters = filter_.condition()
    asked = {**parameters, "fields": json.dumps(fields)}
    return [Filled(*row) for row in snapshot.execute(_SQL.filling.replace("{condition}", condition), asked)]


def rivals(tx: Transaction, draft: Draft, field: Field) -> list[tuple[str, Node]]:
    """Believed memories of a draft's home that tell what a field is, each with that value, the latest first."""
    rows = tx.execute(_SQL.rivals, {**nodes.home(draft, tx.now), "field": field}).fetchall()
    found = nodes.by_ids(tx, [row["id"] for row in rows])
    return [(row["value"], found[row["id"]]) for row in rows]
