"""The state of each session, so that another kernel can continue after one that died."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sandbox.journal import decode, encode

Step = Literal["taken", "agent", "answered"]


@dataclass(frozen=True, slots=True)
class Graph:
    """Which turn a session is at, and how far it came."""

    turn: str
    step: Step


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """One message of a conversation, by its key."""

    key: str
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One session: the turn it is at, the context its agent was given, what was said, and what each agent keeps."""

    graph: Graph = Graph("", "answered")
    context: str = ""
    conversation: tuple[SessionMessage, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def said(self, key: str) -> str | None:
        """The text of a message, if it was said in this session."""
        return next((each.text for each in self.conversation if each.key == key), None)


Change = Callable[[Checkpoint], Checkpoint]
"""From where a session stands to where it will, whatever others noted meanwhile."""


def load(connection: sqlite3.Connection, session: str) -> Checkpoint:
    """Where the session stands; an empty one before its first turn and after its end."""
    row = connection.execute("SELECT data FROM checkpoints WHERE session = ?", (session,)).fetchone()
    return decode(Checkpoint, row["data"]) if row else Checkpoint()


def update(connection: sqlite3.Connection, session: str, change: Change) -> Checkpoint:
    """Note where the session stands now; there is one checkpoint a session, until it is complete."""
    now = change(load(connection, session))
    connection.execute("INSERT OR REPLACE INTO checkpoints (session, data) VALUES (?, ?)", (session, encode(now)))
    return now
