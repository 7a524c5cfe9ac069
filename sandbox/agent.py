"""The assistant: a model, its tools, and its own memory of each session."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import MissingPackage
from sandbox.history import History
from sandbox.llm import Model
from sandbox.protocols import Delta, Reply, Tool, ToolUse, Turn

if TYPE_CHECKING:
    from sandbox.agent_loop import AgentLoop


class Agent:
    """Answers turns. What it sees of a session is what was said in it, and what its tools answered; ``history`` is the
    file that keeps this, one for all sessions.
    """

    def __init__(
        self, model: Model, history: Path, tools: Sequence[Tool], instructions: str, name: str = "orchestrator"
    ) -> None:
        self.model = model
        self.name = name
        self._tools = tools
        self._instructions = instructions
        self._history = History(history)
        self._loop: AgentLoop | None = None
        self._connecting = asyncio.Lock()

    @property
    def model_name(self) -> str:
        """What answers, for people."""
        return self.model.name

    async def answer(self, turn: Turn, context: str) -> AsyncGenerator[Delta | ToolUse | Reply, None]:
        """Answer the turn, as it is written; the last part is the reply: all deltas together. ``context`` is put before
        the model in this turn only.

        Unless the reply came, the agent's memory of the session is then as it was before: also after an error, and
        when the caller leaves. Raises ``ModelFailed``, ``MissingPackage``, ``StateUnusable``, ``StateFull``.
        """
        loop = await self._ready()
        instructions = "\n\n".join(filter(None, [self._instructions, context]))
        size, is_whole = await self.size(turn.session), False
        try:
            async with aclosing(loop.answer(self.name, instructions, self._tools, turn)) as parts:
                async for part in parts:
                    is_whole = isinstance(part, Reply)
                    yield part
        finally:
            if not is_whole:
                await self.rewind(turn.session, size)

    async def size(self, session: str) -> int:
        """How many items the agent's memory keeps of the session."""
        return await self._history.size(session)

    async def rewind(self, session: str, size: int) -> None:
        """Drop what came after so many items: what an interrupted turn left behind."""
        await self._history.rewind(session, size)

    async def items(self, session: str) -> list[Any]:
        """The session as the agent remembers it, ready for JSON."""
        return await self._history.items(session)

    async def forget(self, session: str) -> None:
        """Erase the session; no byte of it stays in the file."""
        await self._history.forget(session)

    async def close(self) -> None:
        """Let the connections go."""
        if self._loop is not None:
            await self._loop.close()

    async def _ready(self) -> "AgentLoop":
        async with self._connecting:
            if self._loop is None:
                await preload()
                self._loop = await asyncio.to_thread(_connect, self.model, self._history.file)
            return self._loop


async def preload() -> None:
    """Import what the first answer needs, in a thread: that takes two seconds. Raises ``MissingPackage``."""
    try:
        await asyncio.to_thread(import_module, "sandbox.agent_loop")
    except ImportError:
        raise MissingPackage from None


def _connect(model: Model, history: Path) -> "AgentLoop":
    from sandbox.agent_loop import AgentLoop

    return AgentLoop(model, history)
