"""An open memory for synchronous programs: it lives in the event loop of a thread of its own."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.memory import Memory

T = TypeVar("T")


class WouldWaitForItself(MemoryExtensionError, RuntimeError):
    """This was called without `await` from the event loop that the memory works in, which would wait for itself. Await
    the method of the same library that can be awaited, or open the memory with `blocking(folder)`.
    """


class Blocking:
    """``memory`` and its event loop, in which it must be created. Other threads may run coroutines in it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._loop = asyncio.get_running_loop()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Raises ``WouldWaitForItself``."""
        if _running_loop() is self._loop:
            work.close()
            raise WouldWaitForItself()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The same, awaited, from any event loop."""
        if _running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))


@contextmanager
def blocking(folder: Path | str, **options: Any) -> Iterator[Blocking]:
    """The memory in a folder, opened with the ``options`` of ``Memory.open``, for programs that do not await."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="memory", daemon=True)
    thread.start()

    opening = AsyncExitStack()

    async def opened() -> Blocking:
        return Blocking(await opening.enter_async_context(Memory.open(folder, **options)))

    try:
        try:
            yield asyncio.run_coroutine_threadsafe(opened(), loop).result()
        finally:
            asyncio.run_coroutine_threadsafe(opening.aclose(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def reached(memory: Memory | Blocking) -> Blocking:
    """An open memory as ``Blocking``, which is created in the memory's own event loop."""
    return memory if isinstance(memory, Blocking) else Blocking(memory)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
