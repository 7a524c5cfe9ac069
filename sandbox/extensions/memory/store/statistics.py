"""Counts of the content of the store, the costs of models, and waiting work."""

from collections import defaultdict
from pathlib import Path

from sandbox.extensions.memory.listings import Spending
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import FirstAnswers, Spent, Statistics
from sandbox.extensions.memory.store.changes import history
from sandbox.extensions.memory.store.indexes import vectors
from sandbox.extensions.memory.store.reading.filters import Filter, visible
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.times import from_ms_or_none

_SQL = load("statistics")


def statistics(snapshot: Snapshot, filter_: Filter, path: Path) -> Statistics:
    """Counts of the memories of a scope's user in the filter's reach. Operations and spending are those of the user;
    the size is that of the whole file.
    """
    scope = filter_.scope
    (seen, user), (entities, _), (own, _) = filter_.reach(), filter_.known_entities(), visible(scope, "s")
    held: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, name, count in snapshot.execute(_SQL.held.format(nodes=seen), user):
        held[kind][name] = count
    counts = snapshot.execute(_SQL.counts.format(entities=entities, sessions=own), user).fetchone()
    writes = history.writes(snapshot, filter_)
    maintained = snapshot.meta("last_maintained_at")
    return Statistics(
        nodes=held["nodes"],
        retired=held["retired"],
        edges=held["edges"],
        embedding_model=vectors.active_model(snapshot),
        **held["counts"],
        **dict(counts),
        database_bytes=sum(each.stat().st_size for each in _files(path)),
        changes=sum(writes.values()),
        last_maintained_at=from_ms_or_none(None if maintained is None else int(maintained)),
        operations=_pairs(snapshot, _SQL.operations, user),
        writes=writes,
        spending={step: Spent(*spent) for step, *spent in snapshot.execute(_SQL.spending, user)},
        violations=_pairs(snapshot, _SQL.violations, user),
        first_answers=FirstAnswers(*snapshot.execute(_SQL.first_answers, user).fetchone()),
    )


def spending(snapshot: Snapshot, scope: Scope, days: int) -> tuple[Spending, ...]:
    """The cost of models for a scope's user on the latest days on which one was asked, the latest first."""
    return tuple(Spending(*row) for row in snapshot.execute(_SQL.spending_by_day, user_id=scope.user_id, days=days))


def pending_sessions(snapshot: Snapshot) -> int:
    """How many sessions wait to be learnt from."""
    return snapshot.number(_SQL.pending_sessions)


def _pairs(snapshot: Snapshot, sql: str, parameters: dict[str, str]) -> dict[str, int]:
    return dict(map(tuple, snapshot.execute(sql, parameters)))


def _files(path: Path) -> list[Path]:
    return [each for each in (path, path.with_name(path.name + "-wal")) if each.exists()]
