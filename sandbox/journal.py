"""The journal of events, and the handlers that have not received them. Functions of a ``Database``'s transaction."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sandbox.errors import SecretInId
from sandbox.events import Erase, Event
from sandbox.secrets import mask_name, mask_values
from sandbox.support.characters import storable
from sandbox.support.times import from_ms

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

NOT_SUBSCRIBED = "nobody subscribes"
PROCESS_ENDED = "the process ended while it was handled"

_IDS = ("key", "session", "user", "channel", "agent")  # fields of events that are not text

Route = tuple[str, str]
"""A handler, and a topic of its subscription."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A pending delivery to one handler; ``attempts`` counts earlier tries."""

    event: int
    handler: str
    topic: str
    payload: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Parked:
    """A delivery that was given up. ``problem`` is the kind of the last error, or the fate of the process."""

    topic: str
    key: str
    handler: str
    attempts: int
    problem: str
    since: datetime


# --- values as JSON ---------------------------------------------------------------------------------------------------


@cache
def adapter(kind: Any) -> "TypeAdapter[Any]":
    """Reads and writes the dataclass as JSON. Raises ``pydantic.PydanticUserError`` if its fields cannot be stored."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def encode(value: object) -> str:
    """The value as JSON in a form that can be stored."""
    return _json(_plain(value))


def decode(kind: Callable[..., T], text: str) -> T:
    """The value from JSON. Raises ``pydantic.ValidationError``."""
    value: T = adapter(kind).validate_json(text)
    return value


def checked_id(what: str, id: str) -> str:
    """An id in the form that is stored. Raises ``SecretInId``: a masked id could be equal to another."""
    if kinds := mask_name(id).kinds:
        raise SecretInId(what=what, kinds=", ".join(kinds))
    return storable(id)


def _plain(value: object) -> Any:
    kind: Any = type(value)
    return adapter(kind).dump_python(value, mode="json")


def _json(plain: Any) -> str:
    return storable(json.dumps(plain, ensure_ascii=False))


# --- events -----------------------------------------------------------------------------------------------------------


def record(connection: sqlite3.Connection, event: Event, handlers: Iterable[str], owner: str, now: int) -> bool:
    """Store the event for the handlers, with secrets masked; False if its topic and key are known. Without handlers
    topic and key are stored, and no text. Raises ``SecretInId`` for a key or a user with a secret.
    """
    waiting = [(handler, owner) for handler in handlers]
    user, session = checked_id("user", getattr(event, "user", "")), getattr(event, "session", None)
    payload = _json(mask_values(_plain(event), _IDS)) if waiting else None
    cursor = connection.execute(
        "INSERT INTO events (topic, key, user, at, session, payload) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (event.topic, checked_id("key", event.key), user, now, session and mask_name(storable(session)).text, payload),
    )
    if not cursor.rowcount:
        return False
    connection.executemany(f"INSERT INTO deliveries (event, handler, owner) VALUES ({cursor.lastrowid}, ?, ?)", waiting)
    return True


def session_of(connection: sqlite3.Connection, topic: str, user: str, key: str) -> str | None:
    """The session of a recorded event."""
    sql = "SELECT session FROM events WHERE topic = ? AND user = ? AND key = ?"
    row = connection.execute(sql, (topic, user, key)).fetchone()
    return None if row is None else str(row["session"])


def erase(connection: sqlite3.Connection, session: str, user: str) -> None:
    """Delete the pending events of a session that are the user's or have no user, except its ``Erase`` events."""
    which = "session = ? AND user IN (?, '') AND topic <> ? AND payload IS NOT NULL"
    values = (session, user, Erase.topic)
    connection.execute(f"DELETE FROM deliveries WHERE event IN (SELECT seq FROM events WHERE {which})", values)
    connection.execute(f"UPDATE events SET payload = NULL WHERE {which}", values)


def erase_parked(connection: sqlite3.Connection, user: str) -> None:
    """Delete the parked events of a user, except those that ask for an erasure that is still to be done."""
    which = "payload IS NOT NULL AND seq IN (SELECT event FROM deliveries WHERE parked_at IS NOT NULL)"
    sql = f"SELECT seq FROM events WHERE user = ? AND topic <> ? AND {which}"
    rows = [row["seq"] for row in connection.execute(sql, (user, Erase.topic))]
    connection.executemany("DELETE FROM deliveries WHERE event = ?", [(seq,) for seq in rows])
    connection.executemany("UPDATE events SET payload = NULL WHERE seq = ?", [(seq,) for seq in rows])


def forget_name(connection: sqlite3.Connection, session: str) -> None:
    """Delete the record of a session's erasure if nothing else is known of it, because its name may be content."""
    connection.execute(
        "DELETE FROM events WHERE topic = :topic AND session = :session AND payload IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM events AS e WHERE e.session = :session AND e.topic <> :topic)",
        {"topic": Erase.topic, "session": session},
    )


def is_erased(connection: sqlite3.Connection, session: str, user: str) -> bool:
    """Whether the erasure of a user's session was requested."""
    sql = "SELECT 1 FROM events WHERE topic = ? AND session = ? AND user = ?"
    return connection.execute(sql, (Erase.topic, session, user)).fetchone() is not None


def prune(connection: sqlite3.Connection, before: int) -> None:
    """Delete events that all handlers have received, together with the record of their keys."""
    connection.execute("DELETE FROM events WHERE payload IS NULL AND at < ?", (before,))


# --- deliveries -------------------------------------------------------------------------------------------------------


def begin(connection: sqlite3.Connection, handler: str, owner: str, most_attempts: int) -> Delivery | None:
    """The next delivery to the handler. The attempt is recorded first, so that one that kills the process counts.
    Deliveries that were parked are tried again only when no other waits, because the handler may hang.
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
    """End a delivery; the last one of an event deletes its payload."""
    connection.execute("DELETE FROM deliveries WHERE event = ? AND handler = ?", (delivery.event, delivery.handler))
    connection.execute(
        "UPDATE events SET payload = NULL"
        " WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = events.seq)",
        (delivery.event,),
    )


def fail(connection: sqlite3.Connection, delivery: Delivery, problem: str, parked_at: int | None) -> None:
    """Record a failure; with ``parked_at`` the delivery is given up."""
    _note(connection, delivery, delivery.attempts + 1, problem, parked_at)


def put_back(connection: sqlite3.Connection, delivery: Delivery) -> None:
    """Undo the attempt of a delivery that was stopped without a fault of its handler."""
    _note(connection, delivery, delivery.attempts, None)


def park_orphaned(
    connection: sqlite3.Connection, is_alive: Callable[[str], bool], now: int, most_attempts: int
) -> None:
    """Park deliveries of dead kernels: for good if they ended too many processes, else until one adopts them."""
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
    """Adopt the deliveries that were parked for these reasons and have a handler here, to try them once more."""
    connection.executemany(
        "UPDATE deliveries SET owner = ?, parked_at = NULL WHERE parked_at IS NOT NULL AND problem = ?"
        " AND handler = ? AND (SELECT topic FROM events WHERE seq = event) = ?",
        [(owner, problem, *route) for problem in problems for route in routes],
    )


def reasons(connection: sqlite3.Connection) -> set[str]:
    """The reasons of parked deliveries."""
    rows = connection.execute("SELECT DISTINCT problem FROM deliveries WHERE parked_at IS NOT NULL")
    return {str(row["problem"]) for row in rows}


def parked(connection: sqlite3.Connection) -> tuple[Parked, ...]:
    """All parked deliveries of all kernels, in order."""
    rows = connection.execute(
        "SELECT e.topic, e.key, d.handler, d.attempts, d.problem, d.parked_at AS since FROM deliveries AS d"
        " JOIN events AS e ON e.seq = d.event WHERE d.parked_at IS NOT NULL ORDER BY d.event, d.handler"
    )
    return tuple(Parked(**{**row, "since": from_ms(row["since"])}) for row in map(dict, rows))


def pending(connection: sqlite3.Connection) -> int:
    """The number of running and waiting deliveries of all kernels."""
    count: int = connection.execute("SELECT count(*) FROM deliveries WHERE parked_at IS NULL").fetchone()[0]
    return count


def _note(
    connection: sqlite3.Connection, of: Delivery, attempts: int, problem: str | None, parked_at: int | None = None
) -> None:
    connection.execute(
        "UPDATE deliveries SET attempts = ?, problem = ?, parked_at = ? WHERE event = ? AND handler = ?",
        (attempts, problem, parked_at, of.event, of.handler),
    )
