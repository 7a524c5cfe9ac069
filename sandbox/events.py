"""Events as frozen values. An event names its topic; ``pydantic`` can write its fields as JSON."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from sandbox.support.trust import Trust


class Event(Protocol):
    """Any frozen dataclass with a topic and a key. The bus takes an event of the same topic and key once, of each
    ``user`` where it has one; what it has a ``session`` for can be erased.
    """

    topic: ClassVar[str]

    @property
    def key(self) -> str:
        """Names this one event among those of its topic."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A message of a session; ``key`` is the same however often it is delivered."""

    key: str
    session: str
    text: str
    at: datetime
    user: str
    channel: str


@dataclass(frozen=True, slots=True)
class UserMessage(_Message):
    """A person said something; ``speaker`` is what they are called."""

    topic: ClassVar[str] = "user_message"

    trust: Trust = "user"
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class AgentResponse(_Message):
    """The assistant answered. ``trust`` is that of the least trusted thing its answer rests on."""

    topic: ClassVar[str] = "agent_response"

    agent: str
    trust: Trust = "assistant"


@dataclass(frozen=True, slots=True)
class _OfSession:
    """Something that happens to a session as a whole, perhaps more than once, each at its time."""

    session: str
    at: datetime
    user: str

    @property
    def key(self) -> str:
        """Of the same session at another time it is another event."""
        return f"{self.user} {self.session} {self.at.isoformat()}"


@dataclass(frozen=True, slots=True)
class SessionCompleted(_OfSession):
    """A conversation is over: another one began, or nothing was said in it for long."""

    topic: ClassVar[str] = "session.completed"


@dataclass(frozen=True, slots=True)
class Erase(_OfSession):
    """Whatever was kept of a conversation must go: its text in the journal, checkpoints and an agent's own memory, and
    what was learnt from it. Who wants that publishes this, and erases on being told like everybody else; who is told
    publishes nothing. Of a ``project``, it is the conversation that goes by that name there. Without a session
    something else of the user goes, which only typed lines hold still.
    """

    topic: ClassVar[str] = "erase"

    project: str | None = None
