"""Events as frozen values. An event names its topic; ``pydantic`` can write its fields as JSON."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from sandbox.support.trust import Trust


class Event(Protocol):
    """Any frozen dataclass with a topic and a key. The bus takes an event with the same topic and key once, for each
    ``user`` if it has one. An event with a ``session`` can be erased.
    """

    topic: ClassVar[str]

    @property
    def key(self) -> str:
        """Identifies an event among those of its topic."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A message of a session; its ``key`` is the same at every delivery."""

    key: str
    session: str
    text: str
    at: datetime
    user: str
    channel: str


@dataclass(frozen=True, slots=True)
class UserMessage(_Message):
    """A person's message; ``speaker`` is the person's name."""

    topic: ClassVar[str] = "user_message"

    trust: Trust = "user"
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class AgentResponse(_Message):
    """The assistant's answer. ``trust`` is the lowest trust of the texts it rests on."""

    topic: ClassVar[str] = "agent_response"

    agent: str
    trust: Trust = "assistant"


@dataclass(frozen=True, slots=True)
class _OfSession:
    """An event about a whole session, which may happen more than once; each has its time."""

    session: str
    at: datetime
    user: str

    @property
    def key(self) -> str:
        """Two events of one session at different times have different keys."""
        return f"{self.user} {self.session} {self.at.isoformat()}"


@dataclass(frozen=True, slots=True)
class SessionCompleted(_OfSession):
    """A conversation is over: another one began, or it was idle for too long."""

    topic: ClassVar[str] = "session.completed"


@dataclass(frozen=True, slots=True)
class Erase(_OfSession):
    """Erase a conversation: its text in the journal, checkpoints and an agent's own memory, and what was learnt from
    it. Whoever wants that publishes this event, and erases its own data when it receives the event, like all others. A
    handler publishes nothing. With a ``project``, the conversation of that name in the project is meant. Without a
    session, an extension erases what it keeps of the user outside of sessions, such as the lines that were typed.
    """

    topic: ClassVar[str] = "erase"

    project: str | None = None
