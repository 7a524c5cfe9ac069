"""Sessions: the chain of their turns, and the state of learning: the turns read, by whom, and what waits."""

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.listings import SessionReport
from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.filters import Filter, whose
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.times import from_ms

_SQL = load("sessions")

_END = 2**63  # after every time
_OPENING = 160  # characters

LONGEST_PAUSE = 7 * DAY  # until a session that failed is tried again


class Session(NamedTuple):
    """A session in one home, and its watermark: ``read_to`` is the last turn that was read (0: none), ``last`` the last
    turn. Turns of one session name in several homes make a session in each.
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
        """The scope of what is learnt from it: its owner, the visibility of its turns; global by an administrator."""
        return Scope(
            user_id=self.user_id,
            project_id=self.project_id,
            agent_id=self.agent_id,
            actor_id=self.actor_id,
            session_id=self.session_id,
            visibility=self.visibility,
            administrator=self.visibility == "global",
        )


class NewTurn(NamedTuple):
    """A stored episode and its place in its conversation."""

    node_id: int
    session_id: str | None
    speaker: str | None
    event_time: int


def link_turns(tx: Transaction, turns: Sequence[NewTurn], scope: Scope) -> None:
    """Link new episodes with their session, the turn before, and their speaker."""
    _link_sessions(tx, _grouped(turns, lambda turn: turn.session_id), scope)
    _link_speakers(tx, _grouped(turns, lambda turn: turn.speaker), scope)


def _link_sessions(tx: Transaction, sessions: Mapping[str, Sequence[NewTurn]], scope: Scope) -> None:
    last = dict(tx.execute(_SQL.last_episodes, whose(scope), sessions=sessions).fetchall())
    chains = ([last.get(session), *(turn.node_id for turn in turns)] for session, turns in sessions.items())
    pairs = (pair for chain in chains for pair in itertools.pairwise(chain) if pair[0] is not None)
    tx.insert(_SQL.follow, ((earlier, later, "temporal", tx.now, tx.now) for earlier, later in pairs))
    tx.insert(_SQL.touch_session, (_session_row(session, turns, scope) for session, turns in sessions.items()))


def _session_row(session_id: str, turns: Sequence[NewTurn], scope: Scope) -> tuple[object, ...]:
    times = [turn.event_time for turn in turns]
    home = (scope.user_id, session_id, scope.project_id, scope.agent_id, scope.actor_id, scope.visibility)
    return (*home, min(times), max(times), turns[-1].node_id, len(turns))


def _link_speakers(tx: Transaction, speakers: Mapping[str, Sequence[NewTurn]], scope: Scope) -> None:
    linked: dict[int, dict[int, int]] = defaultdict(dict)
    for speaker, turns in speakers.items():
        entity_id = entities.speaker(tx, speaker, turns[0].event_time, scope, turns[0].node_id)
        linked[entity_id].update((turn.node_id, turn.event_time) for turn in turns)
    entities.link_all(tx, linked, "speaker")


def _grouped(turns: Sequence[NewTurn], name: Callable[[NewTurn], str | None]) -> dict[str, list[NewTurn]]:
    groups: dict[str, list[NewTurn]] = defaultdict(list)
    for turn in turns:
        if (key := name(turn)) is not None:
            groups[key].append(turn)
    return groups


class ReadingFailure(NamedTuple):
    """Why the intended reader could not read a session, how often it has tried, and when it tries again."""

    attempts: int = 0
    retry_at: int | None = None
    problem: str | None = None


READ = ReadingFailure()
"""No failure."""


def pending(snapshot: Snapshot, *, now: int | None, user_id: str | None = None, reread: bool = False) -> list[Session]:
    """Sessions that wait to be learnt from, the oldest first; with ``reread``, also those that only rules have read. A
    session that failed waits until it is due at ``now`` (None: it does not wait). If it would wait longer than the
    longest pause, the clock was ahead, and it is due.
    """
    asked = {"user_id": user_id, "reread": reread, "due": now is not None, "now": now}
    return [Session(*row) for row in snapshot.execute(_SQL.pending, asked, longest_pause=LONGEST_PAUSE)]


def homes(snapshot: Snapshot, scope: Scope, session_id: str) -> list[Session]:
    """A session of the scope's project in each home of its turns; empty if it has none."""
    return [Session(*row) for row in snapshot.execute(_SQL.homes, of_project(scope, session_id))]


def refreshed(snapshot: Snapshot, of: Session) -> Session | None:
    """A session in its present state; None if it was erased."""
    row = snapshot.execute(_SQL.refreshed, id=of.id, user_id=of.user_id, session_id=of.session_id).fetchone()
    return None if row is None else Session(*row)


def listed(
    snapshot: Snapshot, filter_: Filter, limit: int, offset: int, cursor: str | None
) -> tuple[SessionReport, ...]:
    """Conversations in the filter's reach, the latest first. Raises ``InvalidArgument`` for a bad cursor."""
    last, id = (None, None) if cursor is None else _place(cursor)
    rows = snapshot.select(
        _SQL.listed, filter_.reach(), limit=limit, offset=offset, last=last, id=id, characters=_OPENING
    )
    return tuple(
        SessionReport(session, turns, from_ms(first), from_ms(last), source, bool(waits), opening, project)
        for session, project, turns, first, last, source, waits, opening in rows
    )


def _place(cursor: str) -> tuple[int, str]:
    """The time of a conversation's last turn, and its id."""
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
    """The last ``characters`` of the text of some sessions of the scope's project."""
    rows = snapshot.execute(_SQL.endings, whose(scope), sessions=session_ids, characters=characters)
    return {row["session_id"]: row["words"] for row in rows}


def unread(snapshot: Snapshot, of: Session, after: int) -> list[Node]:
    """The believed turns of a session after a watermark, in order."""
    return [
        Node._make(row)
        for row in snapshot.execute(_SQL.unread, of_project(of.scope, of.session_id), after=after, last=of.last)
    ]


def preceding(snapshot: Snapshot, of: Session, after: int, count: int) -> list[Node]:
    """The last turns of a session up to a watermark, in order, at most ``count``."""
    found = snapshot.execute(_SQL.preceding, user_id=of.user_id, session_id=of.session_id, after=after, count=count)
    return [Node._make(row) for row in found][::-1]


def end(tx: Transaction, session_id: str, scope: Scope) -> None:
    """Mark a session of the scope's project as over; an unknown session is ignored."""
    tx.execute(_SQL.end_session, of_project(scope, session_id), now=tx.now)


def mark(tx: Transaction, of: Session, by: str, failure: ReadingFailure = READ) -> None:
    """Move the watermark to the last turn that ``of`` knows; ``failure`` is that of the intended reader."""
    tx.execute(_SQL.mark, {"id": of.id, "now": tx.now, "last": of.last, "by": by, **failure._asdict()})


def fail(tx: Transaction, of: Session, retry_at: int, problem: str) -> None:
    """Record that a session could not be read now."""
    tx.execute(_SQL.fail, id=of.id, retry_at=retry_at, problem=problem)


def learnt_by_rules(snapshot: Snapshot, of: Session) -> list[Node]:
    """Memories that rules learnt from this session alone, and that nobody has confirmed or changed since."""
    return [Node._make(row) for row in snapshot.execute(_SQL.learnt_by_rules, of_project(of.scope, of.session_id))]


def troubles(snapshot: Snapshot, *, reread: bool) -> dict[str, int]:
    """How many sessions the intended reader could not read, by problem; with ``reread`` that is a model, which also
    reads what rules have read.
    """
    return {row[0]: row[1] for row in snapshot.execute(_SQL.troubles, reread=reread)}


def of_project(scope: Scope, session_id: str | None) -> dict[str, object]:
    """A session of the scope's project, as parameters of SQL."""
    return {**whose(scope), "session_id": session_id}
