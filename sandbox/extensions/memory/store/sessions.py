"""The state of learning for each session: the turns read, by whom, and what waits."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.listings import SessionReport
from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.extensions.memory.store.reading.filters import visible
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.support.times import from_ms

_SQL = load("sessions")

_END = 2**63  # behind every time

LONGEST_PAUSE = 7 * DAY  # until a session that failed is tried again


@dataclass(frozen=True, slots=True)
class Session:
    """A session in one home, and its watermark: ``read_to`` is the last turn that was read (0: none), ``last`` the last
    there is. What is said in several homes under one name is a session in each.
    """

    id: int
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
        """Whose it is; what is learnt from it is as visible as every turn of it. Who said it to everybody was an
        administrator.
        """
        return Scope(
            user_id=self.user_id,
            project_id=self.project_id,
            agent_id=self.agent_id,
            actor_id=self.actor_id,
            session_id=self.session_id,
            visibility=self.visibility,
            administrator=self.visibility == "global",
        )


def pending(
    snapshot: Snapshot,
    *,
    now: int | None,
    user_id: str | None = None,
    session_id: str | None = None,
    reread: bool = False,
    limit: int = -1,
) -> list[Session]:
    """Sessions something can be learnt from, the oldest first; with ``reread``, those too that only rules have read.
    Those that failed wait until they are due at ``now``, None: are not waited for. Who would wait longer than anybody
    does failed by a clock that was ahead, and is due.
    """
    parameters = {
        "user_id": user_id,
        "session_id": session_id,
        "reread": reread,
        "due": now is not None,
        "longest_pause": LONGEST_PAUSE,
        "now": now,
        "limit": limit,
    }
    return [_session(row) for row in snapshot.execute(_SQL.pending, parameters)]


def homes(snapshot: Snapshot, scope: Scope, session_id: str) -> list[Session]:
    """A session of the scope's project, in each home it was said in; none where nothing was ever said in it."""
    rows = snapshot.execute(_SQL.homes, _of_project(scope, session_id))
    return [_session(row) for row in rows]


def again(snapshot: Snapshot, of: Session) -> Session | None:
    """A session as it is now; None where it was erased."""
    parameters = {"id": of.id, "user_id": of.user_id, "session_id": of.session_id}
    row = snapshot.execute(_SQL.again, parameters).fetchone()
    return None if row is None else _session(row)


def listed(snapshot: Snapshot, scope: Scope, limit: int, offset: int, cursor: str | None) -> tuple[SessionReport, ...]:
    """Conversations the scope may see turns of, the latest first. Raises ``InvalidArgument`` for what is no cursor."""
    condition, parameters = visible(scope)
    sql = _SQL.listed.replace("{visible}", condition)
    last, id = (None, None) if cursor is None else _place(cursor)
    rows = snapshot.execute(sql, {**parameters, "limit": limit, "offset": offset, "last": last, "id": id})
    return tuple(
        SessionReport(
            row["session_id"],
            row["turns"],
            from_ms(row["first"]),
            from_ms(row["last"]),
            row["source"],
            bool(row["waits"]),
        )
        for row in rows
    )


def _place(cursor: str) -> tuple[int, str]:
    """When the last turn of a conversation was said, and its id."""
    last, _, id = cursor.partition(".")
    try:
        place = int(last, 16), bytes.fromhex(id).decode(errors="replace")
    except ValueError:
        place = _END, ""
    if not id or abs(place[0]) >= _END:
        raise InvalidArgument(
            argument="cursor", value=cursor, expected="give the `cursor` of the last session on the previous page"
        )
    return place


def endings(snapshot: Snapshot, scope: Scope, session_ids: Collection[str], characters: int) -> dict[str, str]:
    """The last words said in each of some sessions of the scope's project, so many characters of them."""
    whose = {"user_id": scope.user_id, "project_id": scope.project_id}
    parameters = {**whose, "sessions": json.dumps(list(session_ids)), "characters": characters}
    return {row["session_id"]: row["words"] for row in snapshot.execute(_SQL.endings, parameters)}


def unread(snapshot: Snapshot, of: Session, after: int) -> list[Node]:
    """The turns of a session behind a watermark that somebody said and that are still believed, in order."""
    parameters = {**_home(of), "after": after, "last": of.last}
    return [Node.from_row(row) for row in snapshot.execute(_SQL.unread.replace("{columns}", NODE_COLUMNS), parameters)]


def preceding(snapshot: Snapshot, of: Session, after: int, count: int) -> list[Node]:
    """The last turns of a session up to a watermark, in order, at most ``count``."""
    parameters = {"user_id": of.user_id, "session_id": of.session_id, "after": after, "count": count}
    found = snapshot.execute(_SQL.preceding.replace("{columns}", NODE_COLUMNS), parameters)
    return [Node.from_row(row) for row in found][::-1]


def end(tx: Transaction, session_id: str, scope: Scope) -> None:
    """Nothing more is said in a session of the scope's project, as far as is known; one that is not there needs no
    end.
    """
    tx.execute(_SQL.end_session, {**_of_project(scope, session_id), "now": tx.now})


def mark(
    tx: Transaction, of: Session, by: str, *, attempts: int = 0, retry_at: int | None = None, problem: str | None = None
) -> None:
    """A session was read to its end as ``of`` knows it. ``problem`` says why not by whom it should have been."""
    tx.execute(
        _SQL.mark,
        {
            "id": of.id,
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
    tx.execute(_SQL.fail, {"id": of.id, "retry_at": retry_at, "problem": problem})


def learnt_by_rules(snapshot: Snapshot, of: Session) -> list[Node]:
    """What rules learnt from nothing but this session, and nobody has vouched for or changed since."""
    sql = _SQL.learnt_by_rules.replace("{columns}", NODE_COLUMNS)
    return [Node.from_row(row) for row in snapshot.execute(sql, _home(of))]


def troubles(snapshot: Snapshot) -> dict[str, int]:
    """How many sessions could not be read as they should have been, by what stood in the way."""
    return {row[0]: row[1] for row in snapshot.execute(_SQL.troubles)}


def _of_project(scope: Scope, session_id: str) -> dict[str, object]:
    return {"user_id": scope.user_id, "project_id": scope.project_id, "session_id": session_id}


def _home(of: Session) -> dict[str, object]:
    return {**_of_project(of.scope, of.session_id), "visibility": of.visibility}


def _session(row: sqlite3.Row) -> Session:
    return Session(
        row["id"],
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
