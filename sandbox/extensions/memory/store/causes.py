"""Which turns follow each other, and which brought about which."""

import json
from dataclasses import dataclass

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("causes")


@dataclass(frozen=True, slots=True)
class Following:
    """Two turns, the second said right after the first, or ``between_them`` what somebody else said. ``edge`` is the id
    of the temporal edge to the second; ``asks`` where one of them is a question, ``stand`` where people or assistants
    said both and both are believed.
    """

    edge: int
    user_id: str
    first_id: int
    second_id: int
    first_public_id: str
    second_public_id: str
    first: str
    second: str
    between_them: str
    asks: bool
    stand: bool


def following(snapshot: Snapshot, after: int, limit: int) -> list[Following]:
    """Pairs of turns of everybody in the order in which they were stored, behind an edge."""
    rows = snapshot.execute(_SQL.following, {"after": after, "limit": limit})
    return [Following(**row) for row in map(dict, rows)]


def add_cause(tx: Transaction, pair: Following, *, first_is_cause: bool, confidence: float) -> bool:
    """Join cause and effect, the edge leading from the cause; whether it is new."""
    ids = (pair.first_id, pair.second_id) if first_is_cause else (pair.second_id, pair.first_id)
    parameters = {
        "cause": ids[0],
        "effect": ids[1],
        "confidence": confidence,
        "evidence": json.dumps([pair.first_public_id, pair.second_public_id]),
        "now": tx.now,
    }
    return tx.execute(_SQL.cause, parameters).rowcount > 0
