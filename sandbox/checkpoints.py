"""The state of each session, so that another kernel can continue after one that died."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sandbox.journal import decode, encode


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """One message of a conversation, by its key."""

    key: str
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One session: its messages, and the notes of each agent."""

    conversation: tuple[SessionMessage, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def said(self, key: str) -> str | None:
        """The text of a message of this session; None if it has none with this key."""
        return next((each.text for each in self.conversation if each.key == key), None)


def load(connection: sqlite3.Connection, session: str) -> Checkpoint:
    """The checkpoint of a session; an empty one before its first turn and after its end."""
    row = connection.execute("SELECT data FROM checkpoints WHERE session = ?", (session,)).fetchone()
    return decode(Checkpoint, row["data"]) if row else Checkpoint()


def add(connection: sqlite3.Connection, session: str, said: SessionMessage, notes: Mapping[str, Any]) -> None:
    """Add a message to the checkpoint of a session, with new notes by agent."""
    before = load(connection, session)
    now = encode(Checkpoint((*before.conversation, said), {**before.agents, **notes}))
    connection.execute("INSERT OR REPLACE INTO checkpoints (session, data) VALUES (?, ?)", (session, now))
