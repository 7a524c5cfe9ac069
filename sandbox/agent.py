"""The assistant: a model, its tools, and its own memory of each session."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from importlib import import_module
from typing import TYPE_CHECKING

from sandbox.errors import MissingPackage
from sandbox.history import History
from sandbox.llm import Model
from sandbox.protocols import Part, Reply, Tool, Turn

if TYPE_CHECKING:
    from sandbox.agent_loop import AgentLoop


class Agent:
    """Answers turns. What it sees of a session is what was said in it, and what its tools answered: its history."""

    def __init__(self, model: Model, history: History, tools: Sequence[Tool], instructions: str, name: str) -> None:
        self.model_name = model.name
        self.name = name
        self._model = model
        self._history = history
        self._tools = tools
        self._instructions = instructions
        self._loop: AgentLoop | None = None

    async def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """Answer the turn, as it is written; the last part is the reply: all deltas together. ``context`` is put before
        the model in this turn only.

        Unless the reply came, the history is then as it was before: also after an error, and when the caller leaves.
        Raises ``ModelFailed``, ``MissingPackage``, ``StateUnusable``, ``StateFull``.
        """
        loop = await self._connected()
        instructions = "\n\n".join(filter(None, [self._instructions, context]))
        size, is_whole = await self._history.size(turn.session), False
        try:
            async with aclosing(loop.answer(self.name, instructions, self._tools, turn)) as parts:
                async for part in parts:
                    is_whole = isinstance(part, Reply)
                    yield part
        finally:
            if not is_whole:
                await self._history.rewind(turn.session, size)

    async def close(self) -> None:
        """Let the connections go."""
        if self._loop is not None:
            await self._loop.close()

    async def _connected(self) -> "AgentLoop":
        if self._loop is None:
            await preload()
            from sandbox.agent_loop import AgentLoop

            self._loop = self._loop or AgentLoop(self._model, self._history.file)
        return self._loop


async def preload() -> None:
    """Import what the first answer needs, in a thread: that takes two seconds. Raises ``MissingPackage``."""
    try:
        await asyncio.to_thread(import_module, "sandbox.agent_loop")
    except ImportError:
        raise MissingPackage from None
