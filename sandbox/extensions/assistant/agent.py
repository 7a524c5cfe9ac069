"""The assistant: a model, its tools, and its own memory of each session."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime, tzinfo
from importlib import import_module
from typing import TYPE_CHECKING

from sandbox.extensions.assistant.history import History
from sandbox.llm import AGENT
from sandbox.protocols import Part, Reply, Tool, Turn
from sandbox.support.errors import MissingPackage
from sandbox.support.openai_server import Model

if TYPE_CHECKING:
    from sandbox.extensions.assistant.agent_loop import AgentLoop


class ModelAgent:
    """Answers turns. Its memory of a session, the history, holds the messages and the answers of its tools."""

    name = AGENT

    def __init__(
        self, model: Model, history: History, tools: Sequence[Tool], instructions: str, zone: tzinfo | None = None
    ) -> None:
        self.model_name = model.name
        self._model = model
        self._history = history
        self._tools = tools
        self._instructions = instructions
        self._zone = zone
        self._loop: AgentLoop | None = None
        self._left_out: set[str] = set()  # sessions that were erased while a turn was running

    async def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Answer the turn, part by part; the last part is the reply, with the text of all deltas. The instructions end
        with the person's date; ``context`` is put before the model in this turn only. Of earlier turns the model sees
        the complete ones: as many items as it noted then. Because it sees their tools' answers, this turn has at most
        their trust. Raises ``ModelFailed``, ``MissingPackage``, ``StateUnusable``, ``StateFull``.
        """
        turn.lower_trust(turn.notes.get("trust", turn.trust))
        loop = await self._connected()
        instructions = "\n\n".join(filter(None, [self._instructions, today(turn.at, self._zone), context]))
        self._left_out.discard(turn.session)
        await self._history.rewind(turn.session, turn.notes.get("items", 0))
        try:
            async with aclosing(loop.answer(self.name, instructions, self._tools, turn)) as parts:
                async for part in parts:
                    if isinstance(part, Reply):
                        turn.notes = {"items": await self._history.size(turn.session), "trust": turn.trust}
                    yield part
        finally:
            if turn.session in self._left_out:
                await self._history.forget(turn.session)

    def leave_out(self, session: str) -> None:
        """Keep nothing of the turn that is running in this session."""
        self._left_out.add(session)

    async def close(self) -> None:
        """Close the connections."""
        if self._loop is not None:
            await self._loop.close()

    async def _connected(self) -> "AgentLoop":
        if self._loop is None:
            await preload()
            from sandbox.extensions.assistant.agent_loop import AgentLoop

            self._loop = self._loop or AgentLoop(self._model, self._history.file)
        return self._loop


def today(at: datetime, zone: tzinfo | None) -> str:
    """The date in the zone; None is this machine's. It stays the same for a day, for the model's prompt cache."""
    there = at.astimezone(zone)
    name = str(zone) if zone is not None else f"UTC{there:%z}"
    return f"Today is {there:%A}, {there.day} {there:%B} {there.year}. The user's time zone is {name}."


async def preload() -> None:
    """Import what the first answer needs, in a thread; this takes two seconds. Raises ``MissingPackage``."""
    try:
        await asyncio.to_thread(import_module, "sandbox.extensions.assistant.agent_loop")
    except ImportError:
        raise MissingPackage("The model that answers", "agents") from None
