"""The memory of a server, opened on first use, so that a list of tools does not wait for it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING

from sandbox.extensions.memory.errors import DatabaseReplaced

if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory

Open = Callable[[], "AbstractAsyncContextManager[Memory]"]


class LazyMemory:
    """Opens the memory once, and again after a failure or loss of its file; closes it after all writes."""

    def __init__(self, open: Open) -> None:
        self._open = open
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Memory]
        self._let_go = asyncio.Event()  # of the memory that is open
        self._closing = False

    async def get(self) -> "Memory":
        """The open memory. Raises the errors of opening it."""
        self.begin()
        return await asyncio.shield(self._ready)

    def begin(self) -> None:
        """Start opening it."""
        if self._closing or (self._task is not None and not self._task.done() and not self._is_lost()):
            return
        self._let_go.set()
        self._let_go, self._ready = asyncio.Event(), asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._keep(self._ready, self._let_go, self._task), name="memory")

    async def close(self) -> None:
        """Close it, if it is open."""
        self._closing = True
        self._let_go.set()
        if self._task is not None:
            await self._task

    def _is_lost(self) -> bool:
        """Whether the memory is open, and its file is not at its place any more."""
        return self._ready.done() and not self._ready.exception() and self._ready.result().file_problem is not None

    async def _keep(
        self, ready: "asyncio.Future[Memory]", let_go: asyncio.Event, before: "asyncio.Task[None] | None"
    ) -> None:
        """Open and close it in one task, whoever asks, once the one ``before`` is closed."""
        try:
            if before is not None:
                with suppress(DatabaseReplaced):
                    await before
            async with self._open() as memory:
                ready.set_result(memory)
                await let_go.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
            ready.exception()  # the callers get the error
