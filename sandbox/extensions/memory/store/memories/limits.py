"""The facts that may be stored for a user in a day, and the facts from outside in an hour."""

import json

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import TooManyFacts
from sandbox.extensions.memory.store.rows import LEARNT
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

_SQL = load("limits")


def check_facts(tx: Transaction, user_id: str, limit: int) -> None:
    """Raise ``TooManyFacts`` if assistants have stored more than ``limit`` facts of a user today (UTC)."""
    asked = {"user_id": user_id, "since": tx.now // DAY * DAY, "learnt": json.dumps(LEARNT)}
    stored = tx.number(_SQL.stored_today, asked)
    if stored > limit:  # including the one that is being stored
        raise TooManyFacts(stored=stored - 1, limit=limit)


_HOUR = 3_600_000  # milliseconds


def stored_from_outside(tx: Transaction, user_id: str) -> int:
    """How many statements of tools and pages were stored for a user in the last hour."""
    return tx.number(_SQL.stored_from_outside, {"user_id": user_id, "after": tx.now - _HOUR})
