"""One turn: context is gathered, the agent answers with its tools, and the reply is published."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from sandbox.checkpoints import Checkpoint, Checkpoints, Graph
from sandbox.database import to_ms
from sandbox.errors import SandboxError
from sandbox.protocols import Clock, Context, ContextProvider, Part, Reply, Turn
from sandbox.router import MessageRouter, Taken

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Provider:
    """A context provider and the extension that it belongs to."""

    id: str
    provider: ContextProvider


class Responder(Protocol):
    """What answers messages: an agent over a language model, or whatever stands in for one."""

    @property
    def name(self) -> str:
        """The agent's id."""
        ...

    @property
    def model_name(self) -> str:
        """What answers, for people."""
        ...

    def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Deltas and tool uses, then a reply. Raises a ``SandboxError`` where there is none; what it remembers of the
        session is then as before.
        """
        ...

    async def size(self, session: str) -> int:
        """How many items it remembers of a session."""
        ...

    async def rewind(self, session: str, size: int) -> None:
        """Forget all but the first so many."""
        ...

    async def forget(self, session: str) -> None:
        """Forget the session."""
        ...

    async def close(self) -> None:
        """Let go of what is held."""
        ...


class TurnRunner:
    """Runs turns, one at a time in each session."""

    def __init__(
        self,
        router: MessageRouter,
        checkpoints: Checkpoints,
        providers: Sequence[Provider],
        context_seconds: float,
        agent: Responder | None,
        clock: Clock,
    ) -> None:
        self._router = router
        self._checkpoints = checkpoints
        self._providers = sorted(providers, key=lambda each: each.provider.context_priority)
        self._context_seconds = context_seconds
        self._agent = agent
        self._clock = clock
        self._sessions: dict[str, asyncio.Lock] = {}

    async def run(self, taken: Taken, *, is_heard: bool = True) -> AsyncGenerator[Part, None]:
        """What there is to show of a turn, as it comes. Leaving it before its end ends the turn without a reply."""
        if taken.earlier is not None:
            yield taken.earlier
            return
        lock = self._sessions.setdefault(taken.turn.session, asyncio.Lock())
        async with lock, aclosing(self._run(taken, is_heard)) as parts:
            async for part in parts:
                yield part

    async def _run(self, taken: Taken, is_heard: bool) -> AsyncGenerator[Part, None]:
        turn = taken.turn
        turn.sees_session = self._agent is not None
        context = await self._gather(turn)
        yield context
        checkpoint = replace(taken.checkpoint, graph=Graph(turn.id, "context"), context=context.text)
        if self._agent is None:
            await self._router.close(turn, checkpoint)
            yield Reply(None)
            return
        checkpoint = await self._begin(self._agent, turn, checkpoint)
        reply: Reply | None = None
        try:
            async with aclosing(self._agent.answer(turn, context.text)) as parts:
                async for part in parts:
                    if isinstance(part, Reply):
                        reply = part
                    else:
                        yield part
        except SandboxError as error:
            reply = Reply(None, str(error))
        finally:
            if reply is None or reply.text is None:
                problem = "interrupted" if reply is None else reply.problem and "failed"
                await asyncio.shield(self._router.close(turn, checkpoint, problem))
        if reply is not None:
            if reply.text is not None:
                await self._router.answer(turn, self._agent.name, reply.text, checkpoint, is_heard=is_heard)
            yield reply

    async def _begin(self, agent: Responder, turn: Turn, checkpoint: Checkpoint) -> Checkpoint:
        """Note what the agent remembers of the session before this turn; an earlier try of it is taken back."""
        noted = checkpoint.agents.get(agent.name)
        if noted is not None and noted["turn"] == turn.id:
            await agent.rewind(turn.session, noted["items"])
        else:
            noted = {"turn": turn.id, "items": await agent.size(turn.session)}
        begun = replace(checkpoint, graph=Graph(turn.id, "agent"), agents={**checkpoint.agents, agent.name: noted})
        await self._checkpoints.save(turn.session, begun, to_ms(self._clock()))
        return begun

    async def _gather(self, turn: Turn) -> Context:
        """What the providers have to say, by priority; what fails or takes too long is left out and named."""
        tasks = [asyncio.create_task(each.provider.get_context(turn), name=each.id) for each in self._providers]
        if tasks:
            await asyncio.wait(tasks, timeout=self._context_seconds)
        texts, missing = [], []
        for task in tasks:
            if not task.done():
                task.cancel()
                missing.append(f"{task.get_name()} took longer than {self._context_seconds:g} s")
            elif error := task.exception():
                logger.warning("context of %s: %s", task.get_name(), type(error).__name__)
                missing.append(f"{task.get_name()} failed ({type(error).__name__})")
            elif text := task.result():
                texts.append(text)
        return Context("\n\n".join(texts), tuple(missing))
