"""Pairs of memories that a night has looked at."""

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("pairs")


class Seen(NamedTuple):
    """A pair by its node ids, the older first, and what was seen of it."""

    first: int
    second: int
    fingerprint: str


def fresh(snapshot: Snapshot, user_id: str, step: str, since: int) -> set[Seen]:
    """What ``step`` has looked at since some moment (milliseconds)."""
    rows = snapshot.execute(_SQL.fresh, {"user_id": user_id, "step": step, "since": since})
    return {Seen(*row) for row in rows}


def count(snapshot: Snapshot, user_id: str, step: str, since: int) -> int:
    """How many pairs ``step`` has looked at since some moment (milliseconds)."""
    number: int = snapshot.execute(_SQL.count, {"user_id": user_id, "step": step, "since": since}).fetchone()[0]
    return number


def note(tx: Transaction, user_id: str, step: str, seen: Iterable[Seen], now: int) -> None:
    """Remember that ``step`` has looked at some pairs."""
    tx.executemany(
        _SQL.note,
        (
            {"user_id": user_id, "step": step, "now": now, "first": a, "second": b, "fingerprint": fingerprint}
            for a, b, fingerprint in seen
        ),
    )


def forget(tx: Transaction, user_id: str, step: str, before: int) -> None:
    """Let go what was looked at before some moment (milliseconds)."""
    tx.execute(_SQL.forget, {"user_id": user_id, "step": step, "before": before})
