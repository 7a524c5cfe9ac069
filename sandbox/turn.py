"""What a channel talks to, and each turn of it: context, the agent with its tools, the reply that is published."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol
from weakref import WeakValueDictionary

from sandbox.checkpoints import Checkpoint, Graph
from sandbox.errors import SandboxError
from sandbox.events import Trust
from sandbox.foreign import attempt
from sandbox.history import History
from sandbox.protocols import Command, Context, ContextProvider, Part, Reply, Turn
from sandbox.router import MessageRouter

logger = logging.getLogger(__name__)


class Responder(Protocol):
    """What answers messages: an agent over a language model, or whatever stands in for one."""

    name: str  # the agent's id
    model_name: str  # what answers, for people

    def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Deltas and tool uses, then a reply. Raises a ``SandboxError`` where there is none."""
        ...

    async def close(self) -> None:
        """Let go of what is held."""
        ...


class TurnRunner:
    """Runs turns, one at a time in each session."""

    def __init__(
        self,
        router: MessageRouter,
        history: History,
        providers: Mapping[str, ContextProvider],
        context_seconds: float,
        agent: Responder | None,
    ) -> None:
        self._router = router
        self._history = history
        self._providers = sorted(providers.items(), key=lambda each: each[1].context_priority)
        self._context_seconds = context_seconds
        self._agent = agent
        self._sessions: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, turn: Turn, *, is_heard: bool = True) -> AsyncGenerator[Part, None]:
        """What there is to show of a turn, as it comes. Leaving it before its end ends the turn without a reply."""
        is_answered = False
        try:
            async with self._sessions.setdefault(turn.session, asyncio.Lock()), aclosing(self._parts(turn)) as parts:
                async for part in parts:
                    if self._agent and isinstance(part, Reply) and part.text is not None:
                        is_answered = True
                        await self._router.answer(turn, self._agent.name, part.text, is_heard=is_heard)
                    yield part
        finally:
            if not is_answered:
                await self._router.close(turn)

    async def _parts(self, turn: Turn) -> AsyncGenerator[Part, None]:
        turn.sees_session = self._agent is not None
        context = await self._gather(turn)
        yield context
        if self._agent is None:
            yield Reply(None)
            return
        try:
            await self._begin(self._agent, turn, context.text)
            async with aclosing(self._agent.answer(turn, context.text)) as parts:
                async for part in parts:
                    yield part
        except SandboxError as error:
            yield Reply(None, str(error))

    async def _begin(self, agent: Responder, turn: Turn, context: str) -> None:
        """Note what the agent remembers of the session before this turn; an earlier try of it is taken back."""
        noted = (await self._router.checkpoint(turn.session)).agents.get(agent.name)
        if noted is not None and noted["turn"] == turn.id:
            await self._history.rewind(turn.session, noted["items"])
        else:
            noted = {"turn": turn.id, "items": await self._history.size(turn.session)}

        def change(before: Checkpoint) -> Checkpoint:
            agents = {**before.agents, agent.name: noted}
            return replace(before, graph=Graph(turn.id, "agent"), context=context, agents=agents)

        await self._router.note(turn.session, change)

    async def _gather(self, turn: Turn) -> Context:
        """What the providers have to say, by priority; what fails or takes too long is left out and named."""
        tasks = [asyncio.create_task(attempt(each.get_context(turn)), name=id) for id, each in self._providers]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=self._context_seconds)
        finally:
            for task in tasks:
                task.cancel()
        texts, missing = [], []
        for task in tasks:
            if not task.done():
                missing.append(f"{task.get_name()} took longer than {self._context_seconds:g} s")
            elif failed := task.exception():
                logger.warning("context: %s %s", task.get_name(), failed)
                missing.append(f"{task.get_name()} {failed}")
            elif text := task.result():
                texts.append(str(text))
        return Context("\n\n".join(texts), tuple(missing))


@dataclass(slots=True)
class Exchange:
    """A ``Conversation`` over the kernel's router and turns."""

    router: MessageRouter
    turns: TurnRunner
    channel: str
    user: str
    speaker: str | None
    model: str | None
    commands: Sequence[Command]
    session: str | None = None

    async def say(self, text: str, *, key: str | None = None, trust: Trust = "user") -> AsyncGenerator[Part, None]:
        """Take a message and answer it; what there is to show, as it comes. Raises ``InvalidMessage``, ``StateFull``,
        ``StateUnusable``.
        """
        taken = await self.router.take(
            text, user=self.user, channel=self.channel, key=key, trust=trust, speaker=self.speaker
        )
        self.session = taken.turn.session
        if taken.earlier is not None:
            yield taken.earlier
            return
        async with aclosing(self.turns.run(taken.turn)) as parts:
            async for part in parts:
                yield part

    async def begin(self) -> None:
        """End the session, if there is one; the next message begins another."""
        await self.router.end(self.user, self.channel)
        self.session = None

    async def missed(self) -> Sequence[Reply]:
        """Replies of turns that were interrupted and finished since; each is given once."""
        return await self.router.missed(self.user, self.channel)
