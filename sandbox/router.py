"""Messages in, replies out: to which session each belongs, and that neither is lost nor taken twice."""

import logging
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sandbox import checkpoints, journal
from sandbox.bus import KEPT, Bus
from sandbox.checkpoints import Checkpoint, Graph, Said, Step
from sandbox.database import Database, storable, to_ms
from sandbox.errors import InvalidMessage
from sandbox.events import AgentResponse, SessionCompleted, Trust, UserMessage, least
from sandbox.owners import Owner
from sandbox.protocols import Clock, Reply, Turn

logger = logging.getLogger(__name__)

_MOST_ATTEMPTS = 2  # a turn that was cut off is done again once
_LONGEST = 1_000_000  # characters of a message


@dataclass(frozen=True, slots=True)
class Taken:
    """A message that is on the disk. ``earlier`` is the reply it already had, where it was delivered before."""

    turn: Turn
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
        is on the disk. The same ``key`` of a user is taken once. Raises ``InvalidMessage``, ``StateFull``.
        """
        id = storable(key) if key else secrets.token_hex(8)
        turn = Turn(id, "", checked(text), self._clock(), user, channel, trust, speaker)
        return await self._bus.write(lambda connection: self._take(connection, turn))

    async def answer(self, turn: Turn, agent: str, reply: str, *, is_heard: bool) -> None:
        """Publish the reply and be done with the turn, together. ``is_heard`` says whether somebody waits for it."""
        now, trust = self._clock(), least(turn.trust, "assistant")
        event = AgentResponse(reply_key(turn.id), turn.session, reply, now, turn.user, turn.channel, agent, trust)

        def write(connection: sqlite3.Connection) -> None:
            self._bus.record(connection, event)
            self._touch(connection, turn.session, now)
            _note(connection, turn, "answered", Said(event.key, "assistant", reply))
            self._settle(connection, turn, None if is_heard else reply)

        await self._bus.write(write)

    async def close(self, turn: Turn) -> None:
        """The turn is over without a reply: there is no model, it failed, or nobody waits for it any more."""

        def write(connection: sqlite3.Connection) -> None:
            _note(connection, turn, "answered")
            self._settle(connection, turn)

        await self._bus.write(write, durable=False)

    async def checkpoint(self, session: str) -> Checkpoint:
        """Where the session stands; an empty one before its first turn and after its end."""
        return await self._database.read(lambda connection: checkpoints.load(connection, session))

    async def note(self, session: str, change: checkpoints.Change) -> None:
        """Note where the session stands; survives the death of the process from the moment this returns."""
        await self._database.write(lambda connection: checkpoints.update(connection, session, change), durable=False)

    async def cut_off(self) -> list[Turn]:
        """Turns that kernels left behind which are dead, to be done again by this one; what was cut off twice is given
        up.
        """
        return await self._bus.write(self._take_over)

    async def unfinished(self) -> int:
        """How many turns were cut off and not taken up yet."""
        return len(await self._database.read(self._left_behind))

    async def missed(self, user: str, channel: str) -> Sequence[Reply]:
        """Replies that were finished while nobody listened; each is given once."""
        which = "FROM turns WHERE user = ? AND channel = ? AND reply IS NOT NULL"

        def take(connection: sqlite3.Connection) -> list[Reply]:
            rows = connection.execute(f"SELECT reply {which} ORDER BY at", (user, channel)).fetchall()
            connection.execute(f"DELETE {which}", (user, channel))
            return [Reply(row["reply"]) for row in rows]

        return await self._database.write(take, durable=False)

    async def end(self, user: str, channel: str) -> None:
        """End the session of a channel, if there is one."""
        await self._bus.write(lambda raw: self._end(raw, [row["id"] for row in self._ours(raw, user, channel)]))

    async def end_idle(self) -> None:
        """End every session in which nothing was said for too long, and forget replies nobody asked for that long."""
        now = self._clock()

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM turns WHERE reply IS NOT NULL AND at < ?", (to_ms(now - KEPT),))
            idle = "SELECT id FROM sessions WHERE NOT is_over AND last_at <= ?"
            self._end(connection, [row["id"] for row in connection.execute(idle, (to_ms(now) - self._idle_ms,))])

        await self._bus.write(write)

    async def erase(self, session: str) -> None:
        """Every word of the session goes."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM turns WHERE session = ?", (session,))
            connection.execute("DELETE FROM checkpoints WHERE session = ?", (session,))

        await self._database.write(write)

    # --- within a transaction -----------------------------------------------------------------------------------------

    def _take(self, connection: sqlite3.Connection, turn: Turn) -> Taken:
        known = journal.session_of(connection, UserMessage.topic, turn.user, turn.id)
        if known is not None:
            earlier = checkpoints.load(connection, known).said(reply_key(turn.id))
            return Taken(replace(turn, session=known), Reply(earlier))
        turn = replace(turn, session=self._session(connection, turn))
        who = (turn.user, turn.channel)
        event = UserMessage(turn.id, turn.session, turn.text, turn.at, *who, turn.trust, turn.speaker)
        self._bus.record(connection, event)
        connection.execute(
            "INSERT INTO turns (session, id, user, channel, at, owner, turn) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (turn.session, turn.id, *who, to_ms(turn.at), self._owner.id, journal.encode(turn)),
        )
        _note(connection, turn, "taken", Said(turn.id, "user", turn.text))
        return Taken(turn)

    def _session(self, connection: sqlite3.Connection, turn: Turn) -> str:
        """The session of the channel; the ones that were idle for too long end."""
        now, rows = to_ms(turn.at), self._ours(connection, turn.user, turn.channel)
        current = next((row["id"] for row in rows if now - row["last_at"] < self._idle_ms), None)
        self._end(connection, [row["id"] for row in rows if row["id"] != current])
        if current is None:
            current = f"{turn.at:%Y%m%d-%H%M}-{secrets.token_hex(3)}"
            connection.execute(
                "INSERT INTO sessions (id, user, channel, owner, last_at) VALUES (?, ?, ?, ?, ?)",
                (current, turn.user, turn.channel, self._owner.id, now),
            )
        self._touch(connection, current, turn.at)
        return current

    def _ours(self, connection: sqlite3.Connection, user: str, channel: str) -> list[sqlite3.Row]:
        """Sessions that go on, the latest first, but for those of kernels that are alive: they keep theirs."""
        rows = connection.execute(
            "SELECT id, owner, last_at FROM sessions WHERE user = ? AND channel = ? AND NOT is_over"
            " ORDER BY last_at DESC",
            (user, channel),
        )
        return [row for row in rows if self._may_own(row["owner"])]

    def _may_own(self, owner: str) -> bool:
        return owner == self._owner.id or not self._owner.is_alive(owner)

    def _touch(self, connection: sqlite3.Connection, session: str, at: datetime) -> None:
        """Something is said, by this kernel; a clock that was set back does not make a session older."""
        sql = "UPDATE sessions SET owner = ?, last_at = max(last_at, ?) WHERE id = ?"
        connection.execute(sql, (self._owner.id, to_ms(at), session))

    def _left_behind(self, connection: sqlite3.Connection) -> list[sqlite3.Row]:
        """Turns of kernels that are dead, in sessions that no other has taken up since."""
        rows = connection.execute(
            "SELECT t.session, t.id, t.turn, t.attempts, t.owner, s.owner AS holder FROM turns AS t"
            " JOIN sessions AS s ON s.id = t.session WHERE t.reply IS NULL ORDER BY t.at"
        )
        return [row for row in rows if not self._owner.is_alive(row["owner"]) and self._may_own(row["holder"])]

    def _take_over(self, connection: sqlite3.Connection) -> list[Turn]:
        taken = []
        for row in self._left_behind(connection):
            turn = journal.decode(Turn, row["turn"])
            if row["attempts"] < _MOST_ATTEMPTS:
                connection.execute(
                    "UPDATE turns SET owner = ?, attempts = attempts + 1 WHERE session = ? AND id = ?",
                    (self._owner.id, turn.session, turn.id),
                )
                self._touch(connection, turn.session, turn.at)
                taken.append(turn)
            else:
                logger.warning("a turn that was cut off twice is given up")
                self._settle(connection, turn)
        return taken

    def _end(self, connection: sqlite3.Connection, sessions: Sequence[str]) -> None:
        for session in sessions:
            connection.execute("UPDATE sessions SET is_over = 1 WHERE id = ?", (session,))
            self._complete(connection, session)

    def _settle(self, connection: sqlite3.Connection, turn: Turn, unheard: str | None = None) -> None:
        """The turn is over, but for a reply that is still to be heard."""
        which = (turn.session, turn.id)
        if unheard is None:
            connection.execute("DELETE FROM turns WHERE session = ? AND id = ?", which)
        else:
            connection.execute("UPDATE turns SET reply = ?, turn = '' WHERE session = ? AND id = ?", (unheard, *which))
        self._complete(connection, turn.session)

    def _complete(self, connection: sqlite3.Connection, session: str) -> None:
        """A session that is over is complete when its last turn is; then nothing of it is kept."""
        row = connection.execute(
            "SELECT user FROM sessions WHERE id = :session AND is_over"
            " AND NOT EXISTS (SELECT 1 FROM turns WHERE session = :session AND reply IS NULL)",
            {"session": session},
        ).fetchone()
        if row is not None:
            self._bus.record(connection, SessionCompleted(session, self._clock(), row["user"]))
            connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
        kept = "SELECT id FROM sessions"
        connection.execute(f"DELETE FROM checkpoints WHERE session = ? AND session NOT IN ({kept})", (session,))


def checked(text: str) -> str:
    """The message as it can be stored. Raises ``InvalidMessage``."""
    if not text.strip():
        raise InvalidMessage(problem="is empty")
    if len(text) > _LONGEST:
        raise InvalidMessage(problem=f"has {len(text):,} characters, {_LONGEST:,} are the most")
    return storable(text)


def reply_key(turn: str) -> str:
    """The key of the reply to a turn."""
    return f"{turn}-reply"


def _note(connection: sqlite3.Connection, turn: Turn, step: Step, *said: Said) -> None:
    """Where the session stands now."""

    def change(before: Checkpoint) -> Checkpoint:
        return replace(before, graph=Graph(turn.id, step), conversation=(*before.conversation, *said))

    checkpoints.update(connection, turn.session, change)
