"""The contract between the kernel and its extensions, on one page.

An extension is a folder with a ``manifest.yaml`` and a class. The manifest says which of the roles below the class
plays; the kernel checks both when it loads the extension, and knows no extension by name.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sandbox.events import Event
from sandbox.support.diagnosis import Check
from sandbox.support.times import Clock
from sandbox.support.trust import Trust, least

if TYPE_CHECKING:
    from pydantic import BaseModel

    from sandbox.bus import Bus
    from sandbox.llm import ModelRouter

E = TypeVar("E", bound=Event)

# --- values -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Turn:
    """One message of a person, and what answers it.

    ``trust`` is that of the least trusted thing that went into the turn so far. ``sees_session`` says whether the
    agent is shown what was said before in this session, so that no context provider has to. ``notes`` is what the
    agent keeps of the session: at first what it noted with its last reply. In ``text`` secrets are masked; ``masked``
    names their kinds.
    """

    id: str
    session: str
    text: str
    at: datetime
    user: str = "default"
    channel: str = "direct"
    trust: Trust = "user"
    speaker: str | None = None
    sees_session: bool = False
    notes: Mapping[str, Any] = field(default_factory=dict)
    masked: tuple[str, ...] = ()

    def lower_trust(self, trust: Trust) -> None:
        """Something that is trusted only so far went into the turn."""
        self.trust = least(self.trust, trust)


@dataclass(frozen=True, slots=True)
class Tool:
    """What an agent may call. ``run`` gets arguments that fit ``parameters`` and answers with JSON-ready keys and
    values, or raises ``ToolRefused`` with advice. ``trust`` is that of its answers; None: ``run`` lowers the turn's.
    """

    name: str
    description: str
    parameters: "type[BaseModel]"
    run: Callable[[Turn, Any], Awaitable[Mapping[str, Any]]]
    trust: Trust | None = "tool"


@dataclass(frozen=True, slots=True)
class Command:
    """What a person may type after a slash: ``run`` gets what stands behind the name, and the conversation."""

    name: str
    usage: str
    summary: str
    run: Callable[[str, "Conversation"], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """What was put before the assistant, and what is missing from it: a line for each provider that failed. ``said`` is
    the message as it is kept, and ``masked`` the kinds of secrets that were left out of it.
    """

    text: str
    missing: tuple[str, ...] = ()
    said: str = field(default="", compare=False)
    masked: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the reply, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The agent called a tool; ``ok`` is None while it runs."""

    name: str
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole answer; None where no model is configured. ``problem`` says why there is none where there is one, or
    why it is cut off.
    """

    text: str | None
    problem: str | None = None


Part = Context | Delta | ToolUse | Reply
"""What a turn gives its channel, in this order: the context, deltas and tool uses, the reply."""


class Conversation(Protocol):
    """What a channel talks to."""

    user: str
    model: str | None  # None: nothing is configured, messages are remembered and context is shown
    commands: Sequence[Command]
    session: str | None  # the current one; None before the first message

    def say(self, text: str, *, key: str | None = None, trust: Trust = "user") -> AsyncGenerator[Part, None]:
        """Take a message and answer it. The first part comes after the message is on the disk. The same ``key`` of a
        user is taken once, whatever the channel. Raises ``InvalidMessage``, ``StateFull``.
        """

    async def begin(self) -> None:
        """End the session, if there is one; the next message begins another."""

    async def missed(self) -> Sequence[Reply]:
        """Replies of turns that were interrupted and finished since; each is given once."""


class Agent(Protocol):
    """What answers messages. ``name`` is its id, ``model_name`` what answers, for people."""

    name: str
    model_name: str

    def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Deltas and tool uses, then a reply. A turn that was cut off is answered again, with the same ``turn.notes``.
        Raises a ``SandboxError`` where there is no reply.
        """


# --- extensions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExtensionContext:
    """The kernel as one extension sees it. ``home`` is shared: name files by the extension's id. ``config`` is the
    manifest's with what the person set over it.
    """

    id: str
    home: Path
    config: Mapping[str, Any]
    secrets: Mapping[str, str]  # those of the manifest's `secrets` that could be found
    clock: Clock
    models: "ModelRouter"
    bus: "Bus"
    dependencies: Mapping[str, "Extension"]  # those of `depends_on` that are running
    zone: tzinfo | None = None  # of the person's local times; None: this machine's

    def subscribe(self, event: type[E], handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type, in order, at least once, also after a crash. While it raises
        it is tried again, then the event is parked.
        """
        self.bus.subscribe(event, self.id, handler)

    async def publish(self, event: Event) -> None:
        """Tell everybody who subscribed; returns once it is on the disk."""
        await self.bus.publish(event)


class Extension(Protocol):
    """What every extension is. It is made without arguments, started once and stopped once, in tasks of their own."""

    async def start(self, context: ExtensionContext) -> None:
        """Get ready. What this raises is why the extension is shown as degraded."""

    async def stop(self) -> None:
        """Let go of everything; nothing of what was acknowledged may be lost. What takes too long is left behind."""

    async def check(self) -> Sequence[Check]:
        """Whether it is in order."""


# --- roles ------------------------------------------------------------------------------------------------------------


class ToolProvider(Protocol):
    """Gives the agent tools."""

    def tools(self) -> Sequence[Tool]:
        """The tools, the same at every call."""

    def guidance(self) -> str:
        """What the agent should know about using them; it becomes part of its instructions."""


class ContextProvider(Protocol):
    """Puts something before the assistant at every turn. Smaller priorities stand first."""

    context_priority: int

    async def get_context(self, turn: Turn) -> str | None:
        """The text, None for nothing. What takes too long or raises is left out and reported."""


class AgentProvider(Protocol):
    """Answers the person. There is one; without it, or a model for it, messages are remembered all the same."""

    def agent(self, tools: Sequence[Tool], guidance: str) -> Agent | None:
        """Who answers, with these tools of other extensions; None where no model is configured."""


class SchedulerProvider(Protocol):
    """Works at the times its manifest names under `schedules`."""

    async def execute_task(self, task: str) -> str:
        """Do it, and say in a line, without content, what was done: it is logged and kept. A run that was cut off is
        run again, once.
        """


class ChannelProvider(Protocol):
    """Carries a conversation between the kernel and a person."""

    async def converse(self, conversation: Conversation) -> None:
        """Until the person leaves."""


class CommandProvider(Protocol):
    """Gives people commands."""

    def commands(self) -> Sequence[Command]:
        """The commands, the same at every call."""


ROLES: Mapping[str, type] = {
    role.__name__: role
    for role in (ToolProvider, ContextProvider, AgentProvider, SchedulerProvider, ChannelProvider, CommandProvider)
}
