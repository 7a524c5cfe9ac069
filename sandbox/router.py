"""Messages in, replies out: to which session each belongs, and that neither is lost nor taken twice."""

import re
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from sandbox import checkpoints
from sandbox.bus import Bus
from sandbox.checkpoints import Checkpoint, Graph, Said
from sandbox.database import Database, from_ms, to_ms
from sandbox.errors import InvalidMessage
from sandbox.events import AgentResponse, SessionCompleted, Trust, UserMessage, least
from sandbox.owners import Owner
from sandbox.protocols import Clock, Reply, Turn

T = TypeVar("T")

_MOST_ATTEMPTS = 2  # a turn that was cut off is done again once
_LONGEST = 1_000_000  # characters of a message
_SQL_TURNS = (
    "SELECT t.id, t.session, t.at, t.owner, t.attempts, t.trust, s.user, s.channel"
    " FROM turns AS t JOIN sessions AS s ON s.id = t.session"
)
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")  # SQLite text ends at NUL; lone surrogates are no UTF-8


@dataclass(frozen=True, slots=True)
class Taken:
    """A message that is on the disk. ``earlier`` is the reply it already had, where it was delivered before."""

    turn: Turn
    checkpoint: Checkpoint
    earlier: Reply | None = None


class MessageRouter:
    """Keeps sessions and turns; what it takes and what it answers are events."""

    def __init__(self, database: Database, bus: Bus, owner: Owner, clock: Clock, idle: timedelta) -> None:
        self._database = database
        self._bus = bus
        self._owner = owner
        self._clock = clock
        self._idle_ms = round(idle.total_seconds() * 1000)

    async def take(
        self,
        text: str,
        *,
        user: str,
        channel: str,
        key: str | None = None,
        trust: Trust = "user",
        speaker: str | None = None,
    ) -> Taken:
        """Take a message into the session of its channel, a new one where that was idle for too long; returns once it
        is on the disk. The same ``key`` is taken once. Raises ``InvalidMessage``, ``StateFull``.
        """
        now = self._clock()
        turn = Turn(key or secrets.token_hex(8), "", checked(text), now, user, channel, trust, speaker)
        return await self._write(lambda connection: self._take(connection, turn))

    async def answer(self, turn: Turn, agent: str, reply: str, checkpoint: Checkpoint, *, is_heard: bool) -> None:
        """Publish the reply and mark the turn as done, together. ``is_heard`` says whether somebody waits for it."""
        now, trust = self._clock(), least(turn.trust, "assistant")
        event = AgentResponse(reply_key(turn.id), turn.session, reply, now, turn.user, turn.channel, agent, trust)
        said = (*checkpoint.conversation, Said(event.key, "assistant", reply))
        after = replace(checkpoint, graph=Graph(turn.id, "answered"), conversation=said)

        def write(connection: sqlite3.Connection) -> None:
            self._bus.record(connection, event)
            checkpoints.save(connection, turn.session, after, to_ms(now))
            _touch(connection, turn.session, to_ms(now))
            _settle(connection, turn, "done" if is_heard else "missed")

        await self._write(write)

    async def close(self, turn: Turn, checkpoint: Checkpoint, problem: str | None = None) -> None:
        """The turn is over without a reply: there is no model, or it failed."""
        after = replace(checkpoint, graph=Graph(turn.id, "answered"))

        def write(connection: sqlite3.Connection) -> None:
            checkpoints.save(connection, turn.session, after, to_ms(self._clock()))
            _settle(connection, turn, "failed" if problem else "done", problem)

        await self._database.write(write, durable=False)

    async def cut_off(self) -> list[Taken]:
        """Turns that kernels left behind which are dead, to be done again by this one; what was cut off twice is given
        up.
        """
        return await self._database.write(self._take_over)

    async def unfinished(self) -> int:
        """How many turns were cut off and not taken up yet."""

        def count(connection: sqlite3.Connection) -> int:
            rows = connection.execute("SELECT owner FROM turns WHERE state = 'running'").fetchall()
            return sum(not self._owner.is_alive(row["owner"]) for row in rows)

        return await self._database.read(count)

    async def missed(self, user: str, channel: str) -> Sequence[Reply]:
        """Replies that were finished while nobody listened; each is given once."""

        def read(connection: sqlite3.Connection) -> list[Reply]:
            rows = connection.execute(_SQL_TURNS + " WHERE t.state = 'missed' ORDER BY t.at").fetchall()
            replies = []
            for row in rows:
                if (row["user"], row["channel"]) == (user, channel):
                    replies.append(_earlier(connection, row["session"], row["id"]))
                    _settle(connection, _turn(row), "done")
            return replies

        return await self._database.write(read, durable=False)

    async def session(self, user: str, channel: str) -> str | None:
        """The session a message would go into now; None where it would begin one."""
        now = to_ms(self._clock())
        return await self._database.read(lambda connection: self._current(connection, user, channel, now))

    async def end(self, user: str, channel: str) -> None:
        """End the session of a channel, if there is one."""
        now = self._clock()

        def write(connection: sqlite3.Connection) -> None:
            for row in _open_sessions(connection, user, channel):
                if self._is_ours(row):
                    self._complete(connection, row["id"], user, now)

        await self._write(write)

    async def end_idle(self) -> int:
        """End every session in which nothing was said for too long; how many that were."""
        now = self._clock()

        def write(connection: sqlite3.Connection) -> int:
            rows = connection.execute(
                "SELECT id, user FROM sessions WHERE ended_at IS NULL AND last_at <= ?", (to_ms(now) - self._idle_ms,)
            ).fetchall()
            for row in rows:
                self._complete(connection, row["id"], row["user"], now)
            return len(rows)

        return await self._write(write)

    async def _write(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """A transaction that records events; also where nobody waits for it any more, they are told."""
        try:
            return await self._database.write(function)
        finally:
            self._bus.wake()

    def _take(self, connection: sqlite3.Connection, turn: Turn) -> Taken:
        known = connection.execute(_SQL_TURNS + " WHERE t.id = ?", (turn.id,)).fetchone()
        if known is not None:
            earlier = _earlier(connection, known["session"], turn.id)
            return Taken(_turn(known, turn.text), Checkpoint(Graph(turn.id, "answered")), earlier)
        turn = replace(turn, session=self._session(connection, turn))
        connection.execute(
            "INSERT INTO turns (id, session, at, owner, trust, state) VALUES (?, ?, ?, ?, ?, 'running')",
            (turn.id, turn.session, to_ms(turn.at), self._owner.id, turn.trust),
        )
        message = UserMessage(
            turn.id, turn.session, turn.text, turn.at, turn.user, turn.channel, turn.trust, turn.speaker
        )
        self._bus.record(connection, message)
        before = checkpoints.load(connection, turn.session) or Checkpoint(Graph(turn.id, "taken"))
        said = (*before.conversation, Said(turn.id, "user", turn.text))
        checkpoint = replace(before, graph=Graph(turn.id, "taken"), context="", conversation=said)
        checkpoints.save(connection, turn.session, checkpoint, to_ms(turn.at))
        return Taken(turn, checkpoint)

    def _session(self, connection: sqlite3.Connection, turn: Turn) -> str:
        """The session of the channel; the ones that were idle for too long end."""
        now = to_ms(turn.at)
        current = self._current(connection, turn.user, turn.channel, now)
        for row in _open_sessions(connection, turn.user, turn.channel):
            if row["id"] != current and self._is_ours(row):
                self._complete(connection, row["id"], turn.user, turn.at)
        if current is None:
            current = f"{turn.at:%Y%m%d-%H%M}-{secrets.token_hex(3)}"
            connection.execute(
                "INSERT INTO sessions (id, user, channel, owner, started_at, last_at) VALUES (?, ?, ?, ?, ?, ?)",
                (current, turn.user, turn.channel, self._owner.id, now, now),
            )
        connection.execute("UPDATE sessions SET owner = ? WHERE id = ?", (self._owner.id, current))
        _touch(connection, current, now)
        return current

    def _current(self, connection: sqlite3.Connection, user: str, channel: str, now: int) -> str | None:
        rows = [row for row in _open_sessions(connection, user, channel) if self._is_ours(row)]
        return next((row["id"] for row in rows if now - row["last_at"] < self._idle_ms), None)

    def _is_ours(self, session: sqlite3.Row) -> bool:
        """Another kernel that is alive keeps its own conversation with the same person."""
        return session["owner"] == self._owner.id or not self._owner.is_alive(session["owner"])

    def _complete(self, connection: sqlite3.Connection, session: str, user: str, now: datetime) -> None:
        connection.execute("UPDATE sessions SET ended_at = ? WHERE id = ?", (to_ms(now), session))
        self._bus.record(connection, SessionCompleted(session, now, user))
        _drop_when_over(connection, session)

    def _take_over(self, connection: sqlite3.Connection) -> list[Taken]:
        rows = connection.execute(_SQL_TURNS + " WHERE t.state = 'running' ORDER BY t.at").fetchall()
        left_behind = [row for row in rows if not self._owner.is_alive(row["owner"])]
        taken = (self._take_again(connection, row) for row in left_behind)
        return [each for each in taken if each is not None]

    def _take_again(self, connection: sqlite3.Connection, row: sqlite3.Row) -> Taken | None:
        checkpoint = checkpoints.load(connection, row["session"])
        text = checkpoint.said(row["id"]) if checkpoint else None
        if checkpoint is None or text is None or row["attempts"] >= _MOST_ATTEMPTS:
            _settle(connection, _turn(row), "failed", "it was cut off twice")
            return None
        connection.execute(
            "UPDATE turns SET owner = ?, attempts = attempts + 1 WHERE id = ?", (self._owner.id, row["id"])
        )
        return Taken(_turn(row, text), checkpoint)


def checked(text: str) -> str:
    """The message as it can be stored: NUL and lone surrogates replaced. Raises ``InvalidMessage``."""
    if not text.strip():
        raise InvalidMessage(problem="is empty")
    if len(text) > _LONGEST:
        raise InvalidMessage(problem=f"has {len(text):,} characters, {_LONGEST:,} are the most")
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def reply_key(turn: str) -> str:
    """The key of the reply to a turn."""
    return f"{turn}-reply"


def _turn(row: sqlite3.Row, text: str = "") -> Turn:
    return Turn(row["id"], row["session"], text, from_ms(row["at"]), row["user"], row["channel"], row["trust"])


def _earlier(connection: sqlite3.Connection, session: str, turn: str) -> Reply:
    """The reply a turn had, as far as it is still kept."""
    checkpoint = checkpoints.load(connection, session)
    return Reply(checkpoint.said(reply_key(turn)) if checkpoint else None)


def _open_sessions(connection: sqlite3.Connection, user: str, channel: str) -> list[sqlite3.Row]:
    return connection.execute(
        "SELECT id, owner, last_at FROM sessions WHERE user = ? AND channel = ? AND ended_at IS NULL"
        " ORDER BY last_at DESC",
        (user, channel),
    ).fetchall()


def _touch(connection: sqlite3.Connection, session: str, now: int) -> None:
    """Something was said; a clock that was set back does not make a session older."""
    connection.execute("UPDATE sessions SET last_at = max(last_at, ?) WHERE id = ?", (now, session))


def _settle(connection: sqlite3.Connection, turn: Turn, state: str, problem: str | None = None) -> None:
    connection.execute("UPDATE turns SET state = ?, problem = ? WHERE id = ?", (state, problem, turn.id))
    _drop_when_over(connection, turn.session)


def _drop_when_over(connection: sqlite3.Connection, session: str) -> None:
    """What was said in a session is kept until it has ended and every turn of it has been answered and heard."""
    wanted = connection.execute(
        "SELECT 1 FROM sessions WHERE id = :session AND ended_at IS NULL"
        " UNION ALL SELECT 1 FROM turns WHERE session = :session AND state IN ('running', 'missed')",
        {"session": session},
    ).fetchone()
    if wanted is None:
        checkpoints.drop(connection, session)
