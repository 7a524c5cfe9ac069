"""The journal of events: the events, and the handlers that have not had them yet. Functions of a transaction of
``Database``.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sandbox.errors import SecretInId
from sandbox.events import Erase, Event
from sandbox.secrets import mask_id, mask_values
from sandbox.support.characters import storable
from sandbox.support.times import from_ms

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

NOT_SUBSCRIBED = "nobody subscribes"
PROCESS_ENDED = "the process ended while it was handled"

_IDS = ("key", "session", "user", "channel", "agent")  # fields of events that are no text

Route = tuple[str, str]
"""A handler, and a topic it is told of."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one handler has still to be told; ``attempts`` is how often it was tried before."""

    event: int
    handler: str
    topic: str
    payload: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Parked:
    """An event a handler was given up on. ``problem`` is the kind of the last error, or what became of the process."""

    topic: str
    key: str
    handler: str
    attempts: int
    problem: str
    since: datetime


# --- values as JSON ---------------------------------------------------------------------------------------------------


@cache
def adapter(kind: Any) -> "TypeAdapter[Any]":
    """What writes and reads the dataclass. Raises ``pydantic.PydanticUserError`` where its fields cannot be."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def encode(value: object) -> str:
    """The value as JSON that can be stored."""
    return _json(_plain(value))


def decode(kind: Callable[..., T], text: str) -> T:
    """The value of that kind again. Raises ``pydantic.ValidationError``."""
    value: T = adapter(kind).validate_json(text)
    return value


def sure(what: str, id: str) -> str:
    """An id as it can be stored. Raises ``SecretInId``: with a part left out two could be one."""
    if kinds := mask_id(id).kinds:
        raise SecretInId(what=what, kinds=", ".join(kinds))
    return storable(id)


def _plain(value: object) -> Any:
    kind: Any = type(value)
    return adapter(kind).dump_python(value, mode="json")


def _json(plain: Any) -> str:
    return storable(json.dumps(plain, ensure_ascii=False))


# --- what happened ----------------------------------------------------------------------------------------------------


def record(connection: sqlite3.Connection, event: Event, handlers: Iterable[str], owner: str, now: int) -> bool:
    """Keep the event for the handlers, secrets masked; False where its topic and key are known. Nobody to tell: only
    these are kept. Raises ``SecretInId`` for a key or a user with a secret.
    """
    waiting = [(handler, owner) for handler in handlers]
    user, session = sure("user", getattr(event, "user", "")), getattr(event, "session", None)
    payload = _json(mask_values(_plain(event), _IDS)) if waiting else None
    cursor = connection.execute(
        "INSERT INTO events (topic, key, user, at, session, payload) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (event.topic, sure("key", event.key), user, now, session and mask_id(storable(session)).text, payload),
    )
    if not cursor.rowcount:
        return False
    connection.executemany(f"INSERT INTO deliveries (event, handler, owner) VALUES ({cursor.lastrowid}, ?, ?)", waiting)
    return True


def session_of(connection: sqlite3.Connection, topic: str, user: str, key: str) -> str | None:
    """The session of an event that was recorded."""
    sql = "SELECT session FROM events WHERE topic = ? AND user = ? AND key = ?"
    row = connection.execute(sql, (topic, user, key)).fetchone()
    return None if row is None else str(row["session"])


def erase(connection: sqlite3.Connection, session: str) -> None:
    """Drop what was said in a session and is still to be told; that it is to be erased is still told."""
    which = "session = ? AND topic <> ? AND payload IS NOT NULL"
    values = (session, Erase.topic)
    connection.execute(f"DELETE FROM deliveries WHERE event IN (SELECT seq FROM events WHERE {which})", values)
    connection.execute(f"UPDATE events SET payload = NULL WHERE {which}", values)


def erase_parked(connection: sqlite3.Connection, user: str) -> None:
    """Drop what a user said and somebody was given up to be told of."""
    which = "user = ? AND payload IS NOT NULL AND seq IN (SELECT event FROM deliveries WHERE parked_at IS NOT NULL)"
    rows = [row["seq"] for row in connection.execute(f"SELECT seq FROM events WHERE {which}", (user,))]
    connection.executemany("DELETE FROM deliveries WHERE event = ?", [(seq,) for seq in rows])
    connection.executemany("UPDATE events SET payload = NULL WHERE seq = ?", [(seq,) for seq in rows])


def forget_name(connection: sqlite3.Connection, session: str) -> None:
    """Forget that a session was erased of which nothing else was ever told: its name may tell as much."""
    connection.execute(
        "DELETE FROM events WHERE topic = :topic AND session = :session AND payload IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM events AS e WHERE e.session = :session AND e.topic <> :topic)",
        {"topic": Erase.topic, "session": session},
    )


def is_erased(connection: sqlite3.Connection, session: str) -> bool:
    """Whether somebody asked for the session to be erased."""
    sql = "SELECT 1 FROM events WHERE topic = ? AND session = ?"
    return connection.execute(sql, (Erase.topic, session)).fetchone() is not None


def prune(connection: sqlite3.Connection, before: int) -> None:
    """Forget events that everybody was told of, and with them that their keys were taken."""
    connection.execute("DELETE FROM events WHERE payload IS NULL AND at < ?", (before,))


# --- who has still to be told -----------------------------------------------------------------------------------------


def begin(connection: sqlite3.Connection, handler: str, owner: str, most_attempts: int) -> Delivery | None:
    """What the handler is told now, which is written down before: a process that does not survive it has tried, too.
    What was parked before is tried again when nothing else waits, since a handler may hang at it.
    """
    for comparison in ("<", ">="):
        row = connection.execute(
            "SELECT d.event, d.handler, e.topic, e.payload, d.attempts FROM deliveries AS d JOIN events AS e"
            " ON e.seq = d.event WHERE d.handler = ? AND d.owner = ? AND d.parked_at IS NULL"
            f" AND d.attempts {comparison} ? ORDER BY d.event LIMIT 1",
            (handler, owner, most_attempts),
        ).fetchone()
        if row is not None:
            _note(connection, begun := Delivery(*row), begun.attempts + 1, PROCESS_ENDED)
            return begun
    return None


def finish(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """The handler is done; the last one takes the payload along."""
    connection.execute("DELETE FROM deliveries WHERE event = ? AND handler = ?", (delivery.event, delivery.handler))
    connection.execute(
        "UPDATE events SET payload = NULL WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = ?1)",
        (delivery.event,),
    )


def fail(connection: sqlite3.Connection, delivery: Delivery, problem: str, parked_at: int | None) -> None:
    """The handler failed once more; with ``parked_at`` it is given up."""
    _note(connection, delivery, delivery.attempts + 1, problem, parked_at)


def put_back(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """The handler was stopped for no fault of its own: as if it had not begun."""
    _note(connection, delivery, delivery.attempts, None)


def leave(connection: sqlite3.Connection, is_alive: Callable[[str], bool], now: int, most_attempts: int) -> None:
    """Park what the dead left behind, so that it is seen where nobody adopts it: what ended so many processes, and
    the rest for anybody who subscribes.
    """
    owners = connection.execute("SELECT DISTINCT owner FROM deliveries WHERE parked_at IS NULL").fetchall()
    connection.executemany(
        "UPDATE deliveries SET parked_at = ?, problem = CASE WHEN attempts >= ? AND problem = ? THEN problem ELSE ? END"
        " WHERE owner = ? AND parked_at IS NULL",
        [
            (now, most_attempts, PROCESS_ENDED, NOT_SUBSCRIBED, row["owner"])
            for row in owners
            if not is_alive(row["owner"])
        ],
    )


def adopt(connection: sqlite3.Connection, routes: Iterable[Route], owner: str, problems: Iterable[str]) -> None:
    """Own what was parked for these reasons and can be delivered here, to be tried once more."""
    connection.executemany(
        "UPDATE deliveries SET owner = ?, parked_at = NULL WHERE parked_at IS NOT NULL AND problem = ?"
        " AND handler = ? AND (SELECT topic FROM events WHERE seq = event) = ?",
        [(owner, problem, *route) for problem in problems for route in routes],
    )


def reasons(connection: sqlite3.Connection) -> set[str]:
    """Why something is parked."""
    rows = connection.execute("SELECT DISTINCT problem FROM deliveries WHERE parked_at IS NOT NULL")
    return {str(row["problem"]) for row in rows}


def parked(connection: sqlite3.Connection) -> tuple[Parked, ...]:
    """Everything that was given up, by whichever kernel, in order."""
    rows = connection.execute(
        "SELECT e.topic, e.key, d.handler, d.attempts, d.problem, d.parked_at AS since FROM deliveries AS d"
        " JOIN events AS e ON e.seq = d.event WHERE d.parked_at IS NOT NULL ORDER BY d.event, d.handler"
    )
    return tuple(Parked(**{**row, "since": from_ms(row["since"])}) for row in map(dict, rows))


def pending(connection: sqlite3.Connection) -> int:
    """How many deliveries are under way or waiting, of whichever kernel."""
    count: int = connection.execute("SELECT count(*) FROM deliveries WHERE parked_at IS NULL").fetchone()[0]
    return count


def _note(
    connection: sqlite3.Connection, of: Delivery, attempts: int, problem: str | None, parked_at: int | None = None
) -> None:
    connection.execute(
        "UPDATE deliveries SET attempts = ?, problem = ?, parked_at = ? WHERE event = ? AND handler = ?",
        (attempts, problem, parked_at, of.event, of.handler),
    )
