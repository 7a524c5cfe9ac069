"""The memory behind a server: opened on first use, so that the list of tools does not wait for it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory

Open = Callable[[], "AbstractAsyncContextManager[Memory]"]


class LazyMemory:
    """Opens the memory once, and again after a failure; closes it after all writes."""

    def __init__(self, open: Open) -> None:
        self._open = open
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Memory]
        self._closing = asyncio.Event()

    async def get(self) -> "Memory":
        """The open memory. Raises the errors of opening it."""
        self.begin()
        return await asyncio.shield(self._ready)

    def begin(self) -> None:
        """Start opening it."""
        if not self._closing.is_set() and (self._task is None or self._task.done()):
            self._ready = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._keep(self._ready), name="memory")

    async def close(self) -> None:
        """Close it, if it is open."""
        self._closing.set()
        if self._task is not None:
            await self._task

    async def _keep(self, ready: "asyncio.Future[Memory]") -> None:
        """Open and close it in one task, whoever asks."""
        try:
            async with self._open() as memory:
                ready.set_result(memory)
                await self._closing.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
            ready.exception()  # the callers get the error
