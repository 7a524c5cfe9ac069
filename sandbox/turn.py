"""A channel's conversation and each turn of it: context, the agent with its tools, the published reply."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from sandbox.errors import SandboxError, described
from sandbox.guarded_calls import attempt
from sandbox.protocols import Agent, Command, Context, ContextProvider, Part, Reply, Turn
from sandbox.router import GIVEN_UP, MessageRouter
from sandbox.support.errors import MissingPackage
from sandbox.support.trust import Trust

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class TurnRunner:
    """Runs turns, one at a time in each session."""

    _router: MessageRouter
    _providers: Mapping[str, ContextProvider]
    _context_seconds: float
    _agent: Agent | None
    _sessions: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def run(self, turn: Turn, *, is_heard: bool = True) -> AsyncGenerator[Part, None]:
        """The parts of a turn as they come. A caller that leaves early ends the turn without a reply."""
        is_over = False
        try:
            async with self._sessions.setdefault(turn.session, asyncio.Lock()), aclosing(self._parts(turn)) as parts:
                async for part in parts:
                    if isinstance(part, Reply):
                        is_over = True
                        part = await self._stored(turn, part, is_heard=is_heard)
                    yield part
        finally:
            if not is_over:
                await self._router.finish(turn, Reply(None, None if is_heard else GIVEN_UP), is_heard=is_heard)

    async def _stored(self, turn: Turn, reply: Reply, *, is_heard: bool) -> Reply:
        """The reply, stored; if it cannot be stored, with the reason, and the turn is repeated when there is space."""
        try:
            agent = self._agent.name if self._agent else ""
            await self._router.finish(turn, reply, agent, is_heard=is_heard)
        except Exception as error:
            logger.warning("a reply was not stored: %s", described(error))
            return replace(reply, problem=_problem(error, self._agent))
        return reply

    async def _parts(self, turn: Turn) -> AsyncGenerator[Part, None]:
        turn.sees_session = self._agent is not None
        context = await self._gather(turn)
        yield context
        if self._agent is None:
            yield Reply(None)
            return
        try:
            turn.notes = (await self._router.checkpoint(turn.session)).agents.get(self._agent.name, {})
            async with aclosing(self._agent.answer(turn, context.text)) as parts:
                async for part in parts:
                    yield part
        except Exception as error:
            yield Reply(None, _problem(error, self._agent))

    async def _gather(self, turn: Turn) -> Context:
        """The texts of the providers, by priority; one that fails or takes too long is left out and named."""
        providers = sorted(self._providers.items(), key=lambda each: each[1].context_priority)
        calls = (attempt(each.get_context(turn), self._context_seconds) for _, each in providers)
        texts, missing = [], []
        for (id, _), said in zip(providers, await asyncio.gather(*calls, return_exceptions=True), strict=True):
            if isinstance(said, BaseException):
                logger.warning("a turn has no context of the extension %s, which %s", id, said)
                missing.append(f"{id} {said}")
            elif said:
                texts.append(said)
        return Context("\n\n".join(texts), tuple(missing), turn.text, turn.masked)


def _problem(error: Exception, agent: Agent | None) -> str:
    is_ours = isinstance(error, SandboxError | MissingPackage)
    return str(error) if is_ours else f"{agent and agent.name} failed ({described(error)})"


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
        """Take a message and answer it, part by part. Raises like ``Conversation.say``."""
        taken = await self.router.take(
            text, user=self.user, channel=self.channel, key=key, trust=trust, speaker=self.speaker
        )
        if isinstance(taken, Reply):
            self.session = self.session or await self.router.session_of(self.user, key or "")
            yield taken
            return
        self.session = taken.session
        async with aclosing(self.turns.run(taken)) as parts:
            async for part in parts:
                yield part

    async def begin(self) -> None:
        """End the session, if there is one; the next message begins another."""
        await self.router.end(self.user, self.channel)
        self.session = None

    async def missed(self) -> Sequence[Reply]:
        """Replies of interrupted turns that were finished since; each is given once."""
        return await self.router.missed(self.user, self.channel)
