"""The memory as an extension of the kernel: messages in; context, tools and commands out; the night on schedule.

It is the only file of the memory that knows the kernel. It translates; everything it does is a method of `Memory`.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, Protocol, runtime_checkable

from sandbox.errors import SandboxError, ToolRefused
from sandbox.events import AgentResponse, Erase, SessionCompleted, UserMessage
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError, StoreClosed
from sandbox.extensions.memory.interfaces import commands, tooling
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Refusal
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory.opening import LEARNING, language_model
from sandbox.extensions.memory.reports import MaintenanceReport
from sandbox.protocols import Command, Conversation, ExtensionContext, Tool, Turn
from sandbox.settings import CONFIG
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder
from sandbox.support.trust import FOREIGN

logger = logging.getLogger(__name__)

NIGHT = "run_nightly_maintenance"

_QUIET = 1.0  # seconds of silence before learning from a session that is over
_CATCHING_UP = 10.0  # seconds, at most, until a message of a moment ago has arrived
_UNQUIET = 60.0  # seconds that learning waits for silence; it takes processor time from conversations


class UnknownTask(SandboxError, ValueError):
    """The memory has no task {task!r}; it has {known}."""


@runtime_checkable
class _HasEmbedder(Protocol):
    @property
    def embedder(self) -> Embedder: ...


class MemoryExtension:
    """One open memory in the kernel's home."""

    context_priority = 10

    def __init__(self) -> None:
        self._memory: Memory | None = None
        self._context: ExtensionContext
        self._tools: Sequence[Tool] = ()
        self._open = AsyncExitStack()
        self._sessions: dict[tuple[str, str], str] = {}  # (user, channel) -> the session of the last message
        self._learning: dict[asyncio.Task[None], str] = {}  # of which session
        self._heard_at = 0.0  # when the last message came, by the clock of the event loop
        self._hurry = asyncio.Event()

    @property
    def memory(self) -> Memory:
        """The open memory, for other extensions and the command line. Raises ``StoreClosed``."""
        if self._memory is None:
            raise StoreClosed()
        return self._memory

    # --- start and stop ---------------------------------------------------------------------------------------------

    async def start(self, context: ExtensionContext) -> None:
        """Open the memory, with the embedder of the embedding extension if that one runs."""
        config = Config.load(context.config, file=context.home / CONFIG, within=f"{context.id}.")
        provider = context.dependencies.get("embedding")
        embedder = provider.embedder if isinstance(provider, _HasEmbedder) else None
        model = await self._open.enter_async_context(language_model(context.models.model(LEARNING)))
        opening = Memory.open(
            context.home,
            config=config,
            embedder=embedder,
            model=model,
            clock=context.clock,
            interface="chat",
        )
        self._memory = await self._open.enter_async_context(opening)
        self._context = context
        self._tools = [self._tool(each) for each in tools(config)]
        context.subscribe(UserMessage, self._heard)
        context.subscribe(AgentResponse, self._answered)
        context.subscribe(SessionCompleted, self._completed)
        context.subscribe(Erase, self._erase)

    async def stop(self) -> None:
        """Close the memory after all its writes. Sessions that are being read are left to the night."""
        await self._stop_learning()
        self._memory = None
        await self._open.aclose()

    async def settled(self) -> None:
        """Return when everything that is over was learnt from, without waiting for silence."""
        self._hurry.set()
        try:
            while self._learning:
                done, _ = await asyncio.wait(set(self._learning))
                for task in done:
                    if not task.cancelled():
                        task.result()
        finally:
            self._hurry.clear()

    async def check(self) -> Sequence[Check]:
        """Whether the file and its indexes are in order. The embedding extension reports on itself."""
        reported_there = "embedding" if self._context.dependencies else None
        return [each for each in await self.memory.check() if each.name != reported_there]

    # --- events ------------------------------------------------------------------------------------------------------

    async def _heard(self, event: UserMessage) -> None:
        """Store a message of a person. If it begins another session, the session before is over."""
        self._heard_at = asyncio.get_running_loop().time()
        place = (event.user, event.channel)
        before = self._sessions.get(place)
        if before is not None and before != event.session:
            await self._over(before, event.user)
        message = Message("user", event.text, event.session, event.at, event.speaker, key=event.key, trust=event.trust)
        await self.memory.observe_many([message], scope=_scope(event.user, event.session))
        self._sessions[place] = event.session

    async def _answered(self, event: AgentResponse) -> None:
        message = Message("assistant", event.text, event.session, event.at, key=event.key, trust=event.trust)
        await self.memory.observe_many([message], scope=_scope(event.user, event.session, event.agent))

    async def _completed(self, event: SessionCompleted) -> None:
        await self._over(event.session, event.user)

    async def _erase(self, event: Erase) -> None:
        """Erase, whoever asked for it, and publish nothing: `/memory erase` publishes like everybody else."""
        if not event.session:
            return
        if event.project is not None:
            await self.memory.erase(session=event.session, scope=Scope(event.user, event.project, visibility="project"))
            return
        await self._stop_learning(event.session)
        self._sessions = {place: session for place, session in self._sessions.items() if session != event.session}
        await self.memory.erase(session=event.session, scope=Scope(event.user))

    async def erase(self, scope: Scope, **selection: Any) -> None:
        """Stop learning, then erase like ``Memory.erase``."""
        await self._stop_learning()
        await self.memory.erase(**selection, scope=scope)

    async def _over(self, session: str, user: str) -> None:
        """Learn from a conversation that is over, while others continue."""
        await self.memory.end_session(session, scope=Scope(user))
        task = asyncio.create_task(self._learn(session, user), name="memory-learning")
        self._learning[task] = session
        task.add_done_callback(self._learning.pop)

    async def _learn(self, session: str, user: str) -> None:
        await self._quiet()
        try:
            await self.memory.consolidate(session, scope=Scope(user))
        except MemoryExtensionError as error:  # the session waits for the night
            logger.warning("learning from a conversation failed (%s); the night tries again", type(error).__name__)

    async def _quiet(self) -> None:
        """Return when nobody has said anything for a moment, or after a minute."""
        clock = asyncio.get_running_loop().time
        longest = clock() + _UNQUIET
        while not self._hurry.is_set() and (left := min(self._heard_at + _QUIET, longest) - clock()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), left)

    async def _stop_learning(self, session: str | None = None) -> None:
        """Stop learning from one session or from all; the night continues."""
        stopped = [task for task, of in self._learning.items() if session in (None, of)]
        for task in stopped:
            task.cancel()
        await asyncio.gather(*stopped, return_exceptions=True)

    # --- roles -------------------------------------------------------------------------------------------------------

    async def get_context(self, turn: Turn) -> str | None:
        """The block for a message. If the agent sees the session, the block leaves the session's turns out."""
        block = await self.memory.context(
            turn.text,
            session=turn.session,
            include_session=not turn.sees_session,
            now=self._now().here,
            scope=Scope(turn.user),
        )
        if block is None:
            return None
        for item in block.items:
            if item.trust in FOREIGN:
                turn.lower_trust(item.trust)
        return block.text

    def tools(self) -> Sequence[Tool]:
        """The tools of an assistant."""
        return self._tools

    def guidance(self) -> str:
        """When to save, when to recall, when to ask first."""
        return GUIDANCE

    def commands(self) -> Sequence[Command]:
        """`/memory`."""
        return [Command("memory", commands.USAGE, commands.SUMMARY, self._command)]

    async def execute_task(self, task: str) -> str:
        """The night. Raises ``UnknownTask``."""
        if task != NIGHT:
            raise UnknownTask(task=task, known=NIGHT)
        return _described(await self.memory.maintain())

    # --- helpers -----------------------------------------------------------------------------------------------------

    def _tool(self, tool: tooling.Tool) -> Tool:
        async def run(turn: Turn, arguments: Any) -> Mapping[str, Any]:
            try:
                return await tool.answer(self._call(turn), arguments)
            except Refusal as error:
                raise ToolRefused(problem=error.problem, advice=error.advice) from error

        return Tool(tool.name, tool.description, tool.parameters, run, trust=None)

    def _call(self, turn: Turn) -> tooling.Call:
        message = Message("user", turn.text, turn.session, turn.at, turn.speaker, key=turn.id, trust=turn.trust)
        scope = _scope(turn.user, turn.session)
        return tooling.Call(self.memory, scope, self._now(), turn.trust, turn.lower_trust, message)

    async def _command(self, typed: str, conversation: Conversation) -> str:
        session, user = conversation.session, conversation.user
        if typed.lower().split()[:1] != [commands.ERASE]:
            return await commands.run(self.memory, typed, _scope(user, session), self._now())
        with suppress(TimeoutError):  # so that it reads the messages of a moment ago, too
            await asyncio.wait_for(self._context.bus.settled(), _CATCHING_UP)
        words = typed.split()[1:]
        is_sure = [each.lower() for each in words[-1:]] == ["yes"]
        ids = words[:-1] if is_sure else words
        if len(ids) > 1 or [each.lower() for each in ids] == ["yes"]:
            return commands.USAGE
        id = ids[0] if ids else None
        answer, is_wanted = await commands.erase(self.memory, id, session, user, is_sure=is_sure)
        if is_wanted:
            if id is not None:  # this conversation may contain it, so it ends and a new one begins
                await conversation.begin()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._context.bus.settled(), _CATCHING_UP)
                await self.erase(Scope(user), id=id)
            await self._context.publish(Erase("" if id else session or "", self._context.clock(), user))
        return answer

    def _now(self) -> LocalTime:
        return LocalTime(self._context.clock(), self._context.zone)


def _scope(user: str, session: str | None, agent: str | None = None) -> Scope:
    return Scope(user, agent_id=agent, session_id=session)


def _described(report: MaintenanceReport) -> str:
    """A line about a night: the steps that did something, and the problems."""
    done = []
    for step in report.steps:
        did = [f"{count:,}{'' if what == step.step else f' {what}'}" for what, count in step.counts.items() if count]
        did += [f"{step.status} ({step.note})"] if step.status in ("partial", "failed") else []
        done += [f"{step.step}: {', '.join(did)}"] if did else []
    return "; ".join([*done, f"{report.spent.tokens:,} tokens"] if report.spent.calls else done) or "nothing to do"
