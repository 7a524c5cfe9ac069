"""Where sessions stand with learning: what of them was read, by whom, and what waits."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("sessions")


@dataclass(frozen=True, slots=True)
class Session:
    """A session and its watermark: ``read_to`` is the last turn that was read (0: none), ``last`` the last there is."""

    user_id: str
    session_id: str
    project_id: str | None
    agent_id: str | None
    actor_id: str | None
    visibility: Visibility
    last: int
    read_to: int
    read_by: str | None
    attempts: int
    retry_at: int | None
    problem: str | None

    @property
    def scope(self) -> Scope:
        """Whose it is; what is learnt from it is as visible as it."""
        return Scope(
            user_id=self.user_id,
            project_id=self.project_id,
            agent_id=self.agent_id,
            actor_id=self.actor_id,
            session_id=self.session_id,
            visibility=self.visibility,
        )


def pending(
    connection: sqlite3.Connection,
    *,
    now: int | None,
    user_id: str | None = None,
    session_id: str | None = None,
    reread: bool = False,
    limit: int = -1,
) -> list[Session]:
    """Sessions something can be learnt from, the oldest first; with ``reread``, those too that only rules have read.
    Those that failed wait until they are due at ``now``, None: are not waited for.
    """
    parameters = {
        "user_id": user_id,
        "session_id": session_id,
        "reread": reread,
        "due": now is not None,
        "now": now,
        "limit": limit,
    }
    return [_session(row) for row in connection.execute(_SQL.pending, parameters)]


def session(connection: sqlite3.Connection, user_id: str, session_id: str) -> Session | None:
    """One session; None where nothing was ever said in it."""
    row = connection.execute(_SQL.session, {"user_id": user_id, "session_id": session_id}).fetchone()
    return None if row is None else _session(row)


def endings(
    connection: sqlite3.Connection, user_id: str, session_ids: Collection[str], characters: int
) -> dict[str, str]:
    """The last words said in each of some sessions, so many characters of them."""
    parameters = {"user_id": user_id, "sessions": json.dumps(list(session_ids)), "characters": characters}
    return {row["session_id"]: row["words"] for row in connection.execute(_SQL.endings, parameters)}


def unread(connection: sqlite3.Connection, of: Session, after: int) -> list[Node]:
    """The turns of a session behind a watermark that somebody said and that are still believed, in order."""
    parameters = {"user_id": of.user_id, "session_id": of.session_id, "after": after, "last": of.last}
    return [
        Node.from_row(row) for row in connection.execute(_SQL.unread.replace("{columns}", NODE_COLUMNS), parameters)
    ]


def end(tx: Transaction, session_id: str, scope: Scope) -> None:
    """Nothing more is said in a session, as far as is known; one that is not there needs no end."""
    tx.execute(_SQL.end_session, {"user_id": scope.user_id, "session_id": session_id, "now": tx.now})


def mark(
    tx: Transaction, of: Session, by: str, *, attempts: int = 0, retry_at: int | None = None, problem: str | None = None
) -> None:
    """A session was read to its end as ``of`` knows it. ``problem`` says why not by whom it should have been."""
    tx.execute(
        _SQL.mark,
        {
            "user_id": of.user_id,
            "session_id": of.session_id,
            "now": tx.now,
            "last": of.last,
            "by": by,
            "attempts": attempts,
            "retry_at": retry_at,
            "problem": problem,
        },
    )


def fail(tx: Transaction, of: Session, retry_at: int, problem: str) -> None:
    """A session could not be read now."""
    tx.execute(
        _SQL.fail, {"user_id": of.user_id, "session_id": of.session_id, "retry_at": retry_at, "problem": problem}
    )


def learnt_by_rules(connection: sqlite3.Connection, of: Session) -> list[Node]:
    """What rules learnt from nothing but this session, and nobody has vouched for or changed since."""
    sql = _SQL.learnt_by_rules.replace("{columns}", NODE_COLUMNS)
    parameters = {"user_id": of.user_id, "session_id": of.session_id}
    return [Node.from_row(row) for row in connection.execute(sql, parameters)]


def troubles(connection: sqlite3.Connection) -> dict[str, int]:
    """How many sessions could not be read as they should have been, by what stood in the way."""
    return {row[0]: row[1] for row in connection.execute(_SQL.troubles)}


def _session(row: sqlite3.Row) -> Session:
    return Session(
        row["user_id"],
        row["session_id"],
        row["project_id"],
        row["agent_id"],
        row["actor_id"],
        row["visibility"],
        row["last_node_id"] or 0,
        row["consolidated_node_id"] or 0,
        row["consolidated_by"],
        row["attempts"],
        row["retry_at"],
        row["problem"],
    )
