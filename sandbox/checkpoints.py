"""Where each open session stands, so that a kernel that died goes on where it was (specification 002, section 15)."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sandbox.database import Database

Step = Literal["taken", "context", "agent", "answered"]


@dataclass(frozen=True, slots=True)
class Graph:
    """Which turn a session is at, and how far it came."""

    turn: str
    step: Step


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation, by its key."""

    key: str
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One session: the turn it is at, the context its agent was given, what was said, and what each agent keeps."""

    graph: Graph
    context: str = ""
    conversation: tuple[Said, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def said(self, key: str) -> str | None:
        """The text of a message, if it was said in this session."""
        return next((each.text for each in self.conversation if each.key == key), None)


class Checkpoints:
    """One checkpoint a session, while the session is open."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, session: str) -> Checkpoint | None:
        """Where the session stands; None before its first turn and after its end."""
        return await self._database.read(lambda connection: load(connection, session))

    async def save(self, session: str, checkpoint: Checkpoint, now: int) -> None:
        """Survives the death of the process from the moment this returns."""
        await self._database.write(lambda connection: save(connection, session, checkpoint, now), durable=False)


def load(connection: sqlite3.Connection, session: str) -> Checkpoint | None:
    """The same within a transaction of the caller's."""
    row = connection.execute("SELECT data FROM checkpoints WHERE session = ?", (session,)).fetchone()
    if row is None:
        return None
    data = json.loads(row["data"])
    said = tuple(Said(**each) for each in data["conversation"])
    return Checkpoint(Graph(**data["graph"]), data["context"], said, data["agents"])


def save(connection: sqlite3.Connection, session: str, checkpoint: Checkpoint, now: int) -> None:
    """The same within a transaction of the caller's."""
    connection.execute(
        "INSERT INTO checkpoints (session, data, updated_at) VALUES (:session, :data, :now)"
        " ON CONFLICT (session) DO UPDATE SET data = :data, updated_at = :now",
        {"session": session, "data": json.dumps(asdict(checkpoint)), "now": now},
    )


def drop(connection: sqlite3.Connection, session: str) -> None:
    """The session is over, or to be erased."""
    connection.execute("DELETE FROM checkpoints WHERE session = ?", (session,))
