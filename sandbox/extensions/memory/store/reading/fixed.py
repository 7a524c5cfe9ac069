"""The memories of the block that does not change during a conversation."""

import json
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sessions import of_project
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.trust import FOREIGN

_SQL = load("fixed")

Beginning = tuple[int, int]
"""The last line of the log before a conversation, and its time (milliseconds)."""


def began(snapshot: Snapshot, scope: Scope) -> Beginning | None:
    """The beginning of a scope's conversation; None if it has no turn yet."""
    row = snapshot.execute(_SQL.began, of_project(scope, scope.session_id)).fetchone()
    return None if row is None else (row[0], row[1])


def now(snapshot: Snapshot, filter_: Filter) -> Beginning:
    """The beginning of a conversation that starts now."""
    return snapshot.number("SELECT max(seq) FROM changes"), filter_.now


def known_then(snapshot: Snapshot, categories: Sequence[str], beginning: Beginning, filter_: Filter) -> list[Node]:
    """All memories of some categories that were known then, in the order of the categories and by age, without those of
    tools and pages and without those forgotten since.
    """
    seq, at = beginning
    then = replace(filter_, believed_seq=seq, world=at, learnt_later=False, quarantined=False)
    asked = {"categories": json.dumps(list(categories)), "foreign": json.dumps(FOREIGN)}
    return [Node.from_row(row) for row in snapshot.select(_SQL.fixed, then.condition(), **asked)]
