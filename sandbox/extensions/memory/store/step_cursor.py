"""How far each step of the night has come, so that the next one goes on there."""

from dataclasses import dataclass

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("marks")

EVERYBODY = ""
"""The user of a step that looks at what concerns everybody at once."""


@dataclass(frozen=True, slots=True)
class Mark:
    """``position`` is the last id that was looked at, ``at`` when the step was last done with what there was."""

    position: int
    at: int


def mark(snapshot: Snapshot, user_id: str, step: str) -> Mark | None:
    """How far a step has come; None where it never ran."""
    row = snapshot.execute(_SQL.mark, {"user_id": user_id, "step": step}).fetchone()
    return None if row is None else Mark(row["position"], row["at"])


def set_mark(tx: Transaction, user_id: str, step: str, position: int, at: int) -> None:
    """A step has come this far."""
    tx.execute(_SQL.set_mark, {"user_id": user_id, "step": step, "position": position, "at": at})
