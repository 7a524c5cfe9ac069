"""How much came from outside lately."""

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("hourly")
_HOUR = 3_600_000  # milliseconds


def told_from_outside(tx: Transaction, user_id: str) -> int:
    """Statements that a user got in the last hour, and that are the word of tools and pages."""
    found = tx.execute(_SQL.told_from_outside, {"user_id": user_id, "after": tx.now - _HOUR})
    count: int = found.fetchone()[0]
    return count
