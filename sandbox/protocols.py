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
    """One message of a person, and its answer.

    ``trust`` is the lowest trust of what entered the turn so far. ``sees_session`` says whether the agent sees earlier
    messages of the session, so that context providers can leave them out. ``notes`` is what the agent keeps for the
    session: at first its notes with the last reply. ``text`` has its secrets masked; ``masked`` names their kinds.
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
        """Note that text of this trust entered the turn."""
        self.trust = least(self.trust, trust)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool for agents. ``run`` gets arguments that fit ``parameters`` and returns JSON-ready keys and values, or
    raises ``ToolRefused`` with advice. ``trust`` is the trust of its answers; with None, ``run`` lowers the turn's
    itself.
    """

    name: str
    description: str
    parameters: "type[BaseModel]"
    run: Callable[[Turn, Any], Awaitable[Mapping[str, Any]]]
    trust: Trust | None = "tool"


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a person types after a slash; ``run`` gets the text after the name, and the conversation."""

    name: str
    usage: str
    summary: str
    run: Callable[[str, "Conversation"], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """The context for the assistant, and what is missing from it: a line for each provider that failed. ``said`` is the
    stored message, ``masked`` the kinds of the secrets removed from it.
    """

    text: str
    missing: tuple[str, ...] = ()
    said: str = field(default="", compare=False)
    masked: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the reply as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The agent called a tool; ``ok`` is None while it runs."""

    name: str
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole answer; None if no model is configured. ``problem`` says why a model gave none, or why it is cut
    off.
    """

    text: str | None
    problem: str | None = None


Part = Context | Delta | ToolUse | Reply
"""The parts of a turn for its channel, in this order: the context, deltas and tool uses, the reply."""


class Conversation(Protocol):
    """A conversation for a channel."""

    user: str
    model: str | None  # None if no model is configured; messages are still remembered, and context is shown
    commands: Sequence[Command]
    session: str | None  # the current one; None before the first message

    def say(self, text: str, *, key: str | None = None, trust: Trust = "user") -> AsyncGenerator[Part, None]:
        """Take a message and answer it. The first part comes after the message is on the disk. The same ``key`` of a
        user is taken once, in any channel. Raises ``InvalidMessage``, ``SecretInId``, ``StateFull``,
        ``StateUnusable``.
        """

    async def begin(self) -> None:
        """End the session, if there is one; the next message begins another."""

    async def missed(self) -> Sequence[Reply]:
        """Replies of interrupted turns that were finished since; each is given once."""


class Agent(Protocol):
    """Answers messages. ``name`` is its id, ``model_name`` the name of its model for people."""

    name: str
    model_name: str

    def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Deltas and tool uses, then a reply. A turn that was cut off is repeated with the same ``turn.notes``. Raises
        a ``SandboxError`` if there is no reply.
        """


# --- extensions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExtensionContext:
    """The kernel for one extension. ``home`` is shared, so name files by the extension's id. ``config`` is the
    manifest's, overridden by the person's.
    """

    id: str
    home: Path
    config: Mapping[str, Any]
    secrets: Mapping[str, str]  # of the manifest's `secrets`, those that were found
    clock: Clock
    models: "ModelRouter"
    bus: "Bus"
    dependencies: Mapping[str, "Extension"]  # the running ones of `depends_on`
    zone: tzinfo | None = None  # of the person's local times; None is this machine's

    def subscribe(self, event: type[E], handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type, in order, at least once, also after a crash. If it raises, it
        is called again a few times; then the delivery is parked.
        """
        self.bus.subscribe(event, self.id, handler)

    async def publish(self, event: Event) -> None:
        """Publish an event; return when it is on the disk."""
        await self.bus.publish(event)


class Extension(Protocol):
    """The base of every extension. It is created without arguments, started once and stopped once, each in a task of
    its own.
    """

    async def start(self, context: ExtensionContext) -> None:
        """Start. If this raises, the error is shown as the reason why the extension is degraded."""

    async def stop(self) -> None:
        """Release everything, without losing anything acknowledged. If it takes too long, it is abandoned."""

    async def check(self) -> Sequence[Check]:
        """Whether it is in order."""


# --- roles ------------------------------------------------------------------------------------------------------------


class ToolProvider(Protocol):
    """Gives the agent tools."""

    def tools(self) -> Sequence[Tool]:
        """The tools, the same at every call."""

    def guidance(self) -> str:
        """Advice on their use; it becomes a part of the agent's instructions."""


class ContextProvider(Protocol):
    """Puts text before the assistant in every turn. Smaller priorities come first."""

    context_priority: int

    async def get_context(self, turn: Turn) -> str | None:
        """The text; None for nothing. If it raises or takes too long, it is left out and reported."""


class AgentProvider(Protocol):
    """Provides the agent, of which there is one; without it or its model, messages are still remembered."""

    def agent(self, tools: Sequence[Tool], guidance: str) -> Agent | None:
        """The agent, with these tools of other extensions; None if no model is configured."""


class SchedulerProvider(Protocol):
    """Works at the times in `schedules` of its manifest."""

    async def execute_task(self, task: str) -> str:
        """Run the task; return a line for the log, without content. A run that was cut off is repeated once."""


class ChannelProvider(Protocol):
    """Carries a conversation between the kernel and a person."""

    async def converse(self, conversation: Conversation) -> None:
        """Run until the person leaves."""


class CommandProvider(Protocol):
    """Gives people commands."""

    def commands(self) -> Sequence[Command]:
        """The commands, the same at every call."""


ROLES: Mapping[str, type] = {
    role.__name__: role
    for role in (ToolProvider, ContextProvider, AgentProvider, SchedulerProvider, ChannelProvider, CommandProvider)
}
