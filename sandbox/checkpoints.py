"""The state of each session, so that another kernel can continue after one that died."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sandbox.journal import decode, encode

Step = Literal["taken", "agent", "answered"]


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """The current turn of a session, and its step."""

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
    """One session: its messages, the notes of each agent, how far its current turn is, and the context for its agent.
    The kernel does not read the last two, because a turn that was cut off is repeated from its beginning.
    """

    progress: TurnProgress = TurnProgress("", "answered")
    context: str = ""
    conversation: tuple[SessionMessage, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def said(self, key: str) -> str | None:
        """The text of a message of this session; None if it has none with this key."""
        return next((each.text for each in self.conversation if each.key == key), None)


CheckpointChange = Callable[[Checkpoint], Checkpoint]
"""A function from the present checkpoint to the next, whatever others wrote in between."""


def load(connection: sqlite3.Connection, session: str) -> Checkpoint:
    """The checkpoint of a session; an empty one before its first turn and after its end."""
    row = connection.execute("SELECT data FROM checkpoints WHERE session = ?", (session,)).fetchone()
    return decode(Checkpoint, row["data"]) if row else Checkpoint()


def update(connection: sqlite3.Connection, session: str, change: CheckpointChange) -> Checkpoint:
    """Change the checkpoint of a session. Each session has one until it is complete."""
    now = change(load(connection, session))
    connection.execute("INSERT OR REPLACE INTO checkpoints (session, data) VALUES (?, ?)", (session, encode(now)))
    return now
