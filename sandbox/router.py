"""Messages in, replies out: the router assigns each to a session, loses none and takes none twice."""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from operator import itemgetter
from secrets import token_hex

from sandbox import checkpoints, journal
from sandbox.bus import KEPT, Bus
from sandbox.checkpoints import Checkpoint, SessionMessage
from sandbox.database import Database
from sandbox.errors import InvalidMessage, StateFull, StateUnusable
from sandbox.events import AgentResponse, Erase, SessionCompleted, UserMessage
from sandbox.process_locks import Owner
from sandbox.protocols import Reply, Turn
from sandbox.secrets import Masked, mask, mask_name, mask_values
from sandbox.secrets.turns import Ending
from sandbox.support.characters import storable
from sandbox.support.times import Clock, from_ms, to_ms
from sandbox.support.trust import Trust, least

logger = logging.getLogger(__name__)

_MOST_ATTEMPTS = 2  # a turn that was cut off is repeated once
_LONGEST = 1_000_000  # characters of a message
_LATEST = 4  # messages; one of them may ask for a secret that the next ones tell
_UNTIL_ERASED = 10  # seconds that a turn waits for the erasure of what its tools stored in an erased session
_CLOCK_WAS_WRONG = timedelta(days=1)  # a message that is further in the future has a wrong time

GIVEN_UP = "A reply was cut off twice and is not tried again; ask once more if you still want it"


class MessageRouter:
    """Stores sessions and turns; messages and replies are events."""

    def __init__(self, database: Database, bus: Bus, owner: Owner, clock: Clock, idle: timedelta) -> None:
        self._database = database
        self._bus = bus
        self._owner = owner
        self._clock = clock
        self._idle = idle
        self._open: set[tuple[str, str]] = set()  # turns of this kernel: user and id

    async def take(
        self,
        text: str,
        *,
        user: str,
        channel: str,
        key: str | None = None,
        trust: Trust = "user",
        speaker: str | None = None,
    ) -> Turn | Reply:
        """Take a message into the session of its channel, or into a new one if that was idle for too long; return when
        it is on the disk, with its secrets masked. The same ``key`` of a user is taken once; a repetition gets the
        reply, if it is still stored. Raises ``InvalidMessage``, ``SecretInId``, ``StateFull``.
        """
        id = journal.checked_id("key", key) if key else token_hex(8)
        called = None if speaker is None else mask_name(storable(speaker)).text
        turn = Turn(id, "", checked(text), self._clock(), journal.checked_id("user", user), channel, trust, called)
        return await self._bus.write(lambda connection: self._take(connection, turn))

    async def finish(self, turn: Turn, reply: Reply, agent: str = "", *, is_heard: bool) -> None:
        """End the turn and publish its reply in one transaction, with the agent's notes; secrets are masked. A reply
        that nobody hears is stored until somebody asks for it. If the session was erased meanwhile, nothing of the turn
        is stored, and what its tools stored is erased before another turn can see it. A turn that cannot be stored
        counts as cut off.
        """

        def write(connection: sqlite3.Connection) -> bool:
            kept, is_erased = _without_secrets(connection, turn.session, reply), False
            if self._close_turn(connection, turn, None if is_heard or kept == Reply(None) else kept):
                if kept.text is not None:
                    self._publish(connection, turn, kept.text, agent)
            elif is_erased := journal.is_erased(connection, turn.session, turn.user):
                self._bus.record(connection, Erase(turn.session, self._clock(), turn.user))
            self._delete_if_over(connection, turn.session)
            return is_erased

        try:
            if await self._bus.write(write, durable=reply.text is not None):
                with suppress(TimeoutError, StateFull, StateUnusable):  # it is retried for longer than anybody waits
                    await asyncio.wait_for(self._bus.settled(), _UNTIL_ERASED)
        finally:
            self._open.discard((turn.user, turn.id))

    async def session_of(self, user: str, key: str) -> str | None:
        """The session of a user's message; None if it was not taken, or is deleted."""
        return await self._database.read(lambda raw: journal.session_of(raw, UserMessage.topic, user, storable(key)))

    async def checkpoint(self, session: str) -> Checkpoint:
        """The checkpoint of the session; an empty one before its first turn and after its end."""
        return await self._database.read(lambda connection: checkpoints.load(connection, session))

    async def take_over(self) -> list[Turn]:
        """Take over the turns that were cut off, for this kernel to repeat: those of dead kernels, and its own that it
        could not finish. A turn that was cut off twice is given up, and the person is told.
        """
        return await self._bus.write(self._take_over)

    async def unfinished(self, user: str | None = None) -> int:
        """The number of turns, of one user or of all, that were cut off and wait."""
        rows = await self._database.read(self._left_behind)
        return sum(user in (None, row["user"]) for row in rows)

    async def missed(self, user: str, channel: str) -> Sequence[Reply]:
        """The replies of turns that ended without a listener; each is given once."""

        def take(connection: sqlite3.Connection) -> list[Reply]:
            sql = "DELETE FROM turns WHERE user = ? AND channel = ? AND reply IS NOT NULL RETURNING at, reply"
            rows = sorted(connection.execute(sql, (user, channel)), key=itemgetter("at"))
            return [journal.decode(Reply, row["reply"]) for row in rows]

        return await self._database.write(take, durable=False)

    async def end(self, user: str, channel: str) -> None:
        """End the session of a channel, if there is one."""
        await self._bus.write(lambda raw: self._end(raw, [row["id"] for row in self._continuable(raw, user, channel)]))

    async def end_all(self, user: str) -> None:
        """End every session of a user in all channels, and delete replies that nobody asked for."""

        def write(connection: sqlite3.Connection) -> None:
            rows = connection.execute("SELECT id FROM sessions WHERE user = ? AND NOT is_over", (user,)).fetchall()
            self._end(connection, [row["id"] for row in rows])
            connection.execute("DELETE FROM turns WHERE user = ? AND reply IS NOT NULL", (user,))

        await self._bus.write(write)

    async def end_idle(self) -> None:
        """End sessions that were idle for too long, and delete replies that nobody asked for in that time."""
        now = self._clock()

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM turns WHERE reply IS NOT NULL AND at < ?", (to_ms(now - KEPT),))
            rows = connection.execute("SELECT id, last_at FROM sessions WHERE NOT is_over").fetchall()
            self._end(connection, [row["id"] for row in rows if self._is_idle(row, now)])

        await self._bus.write(write)

    async def erase(self, session: str, user: str) -> None:
        """Erase every word of a session of the user; the next message begins another one."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM sessions WHERE id = ? AND user = ?", (session, user))
            connection.execute("DELETE FROM turns WHERE session = ? AND user = ?", (session, user))
            connection.execute(
                "DELETE FROM checkpoints WHERE session = ? AND session NOT IN (SELECT id FROM sessions)", (session,)
            )

        await self._database.write(write)

    # --- within a transaction -----------------------------------------------------------------------------------------

    def _take(self, connection: sqlite3.Connection, turn: Turn) -> Turn | Reply:
        known = journal.session_of(connection, UserMessage.topic, turn.user, turn.id)
        if known is not None:
            return Reply(checkpoints.load(connection, known).said(reply_key(turn.id)))
        session = self._session(connection, turn)
        said = _masked(connection, session, "user", turn.text)
        turn = replace(turn, session=session, text=said.text, masked=said.kinds)
        self._touch(connection, turn, turn.at)
        who = (turn.user, turn.channel)
        event = UserMessage(turn.id, turn.session, turn.text, turn.at, *who, turn.trust, turn.speaker)
        self._bus.record(connection, event)
        connection.execute(
            "INSERT INTO turns (session, id, user, channel, at, owner, turn) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (turn.session, turn.id, *who, to_ms(turn.at), self._owner.id, journal.encode(turn)),
        )
        self._open.add((turn.user, turn.id))
        checkpoints.add(connection, session, SessionMessage(turn.id, "user", turn.text), {})
        return turn

    def _session(self, connection: sqlite3.Connection, turn: Turn) -> str:
        """The session of the channel; sessions that were idle for too long end."""
        rows = self._continuable(connection, turn.user, turn.channel)
        current = next((row["id"] for row in rows if not self._is_idle(row, turn.at)), None)
        self._end(connection, [row["id"] for row in rows if row["id"] != current])
        return current or f"{turn.at:%Y%m%d-%H%M}-{token_hex(3)}"

    def _continuable(self, connection: sqlite3.Connection, user: str, channel: str) -> list[sqlite3.Row]:
        """Open sessions, the latest first, without those of other living kernels."""
        rows = connection.execute(
            "SELECT id, owner, last_at FROM sessions WHERE user = ? AND channel = ? AND NOT is_over"
            " ORDER BY last_at DESC",
            (user, channel),
        )
        return [row for row in rows if self._owner.may_take_up(row["owner"])]

    def _is_idle(self, session: sqlite3.Row, now: datetime) -> bool:
        """Whether it was idle for too long; a clock that is set back a little does not end it."""
        return not -_CLOCK_WAS_WRONG < now - from_ms(session["last_at"]) < self._idle

    def _touch(self, connection: sqlite3.Connection, turn: Turn, at: datetime) -> None:
        """Note a message by this kernel; a clock that was set back does not make the session older."""
        connection.execute(
            "INSERT INTO sessions (id, user, channel, owner, last_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET owner = excluded.owner, last_at = max(last_at, excluded.last_at)",
            (turn.session, turn.user, turn.channel, self._owner.id, to_ms(at)),
        )

    def _left_behind(self, connection: sqlite3.Connection) -> list[sqlite3.Row]:
        """Turns without a kernel, in sessions that no other kernel has continued."""
        rows = connection.execute(
            "SELECT t.user, t.id, t.turn, t.attempts, t.owner, s.owner AS holder FROM turns AS t"
            " JOIN sessions AS s ON s.id = t.session WHERE t.reply IS NULL ORDER BY t.at"
        )
        loose = [row for row in rows if (row["user"], row["id"]) not in self._open]
        return [row for row in loose if all(map(self._owner.may_take_up, (row["owner"], row["holder"])))]

    def _take_over(self, connection: sqlite3.Connection) -> list[Turn]:
        taken = []
        for row in self._left_behind(connection):
            turn = journal.decode(Turn, row["turn"])
            if row["attempts"] < _MOST_ATTEMPTS:
                connection.execute(
                    "UPDATE turns SET owner = ?, attempts = attempts + 1 WHERE session = ? AND id = ?",
                    (self._owner.id, turn.session, turn.id),
                )
                self._touch(connection, turn, turn.at)
                self._open.add((turn.user, turn.id))
                taken.append(turn)
            else:
                logger.warning("a turn was cut off twice and is given up; the person is told")
                self._close_turn(connection, turn, Reply(None, GIVEN_UP))
                self._delete_if_over(connection, turn.session)
        return taken

    def _end(self, connection: sqlite3.Connection, sessions: Sequence[str]) -> None:
        for session in sessions:
            connection.execute("UPDATE sessions SET is_over = 1 WHERE id = ?", (session,))
            self._delete_if_over(connection, session)

    def _close_turn(self, connection: sqlite3.Connection, turn: Turn, unheard: Reply | None) -> bool:
        """End the turn; an unheard reply stays. False if the turn does not exist."""
        sql = "DELETE FROM turns" if unheard is None else "UPDATE turns SET turn = '', reply = :reply"
        values = {"session": turn.session, "id": turn.id, "reply": journal.encode(unheard)}
        return connection.execute(f"{sql} WHERE session = :session AND id = :id", values).rowcount > 0

    def _publish(self, connection: sqlite3.Connection, turn: Turn, text: str, agent: str) -> None:
        now, key, trust = self._clock(), reply_key(turn.id), least(turn.trust, "assistant")
        event = AgentResponse(key, turn.session, text, now, turn.user, turn.channel, agent, trust)
        self._bus.record(connection, event)
        self._touch(connection, turn, now)
        said, notes = SessionMessage(key, "assistant", text), {agent: mask_values(turn.notes, ())}
        checkpoints.add(connection, turn.session, said, notes)

    def _delete_if_over(self, connection: sqlite3.Connection, session: str) -> None:
        """Delete a session that is over when its last turn has ended."""
        row = connection.execute(
            "DELETE FROM sessions WHERE id = :session AND is_over"
            " AND NOT EXISTS (SELECT 1 FROM turns WHERE session = :session AND reply IS NULL) RETURNING user",
            {"session": session},
        ).fetchone()
        if row is not None:
            self._bus.record(connection, SessionCompleted(session, self._clock(), row["user"]))
        kept = "SELECT id FROM sessions"
        connection.execute(f"DELETE FROM checkpoints WHERE session = ? AND session NOT IN ({kept})", (session,))


def checked(text: str) -> str:
    """The message in the form that is stored. Raises ``InvalidMessage``."""
    if not text.strip():
        raise InvalidMessage(problem="is empty")
    if len(text) > _LONGEST:
        raise InvalidMessage(problem=f"has {len(text):,} characters, {_LONGEST:,} are the most")
    return storable(text)


def reply_key(turn: str) -> str:
    """The key of the reply to a turn."""
    return f"{turn}-reply"


def _without_secrets(connection: sqlite3.Connection, session: str, reply: Reply) -> Reply:
    text = reply.text and _masked(connection, session, "assistant", reply.text).text
    return Reply(text, reply.problem and mask(reply.problem).text)


def _masked(connection: sqlite3.Connection, session: str, role: str, text: str) -> Masked:
    """The text of a message with secrets masked; an earlier message may have asked for or announced one."""
    ending = Ending()
    for each in checkpoints.load(connection, session).conversation[-_LATEST:]:
        ending = ending.then(each.text, (each.role, None))
    return mask(text, ending.asks((role, None)))
