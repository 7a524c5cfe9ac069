"""An open memory for synchronous programs: it lives in the event loop of a thread of its own."""

import asyncio
import os
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sandbox.extensions.memory.errors import MemoryExtensionError, OpenedElsewhere
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
        self._loop, self._process = asyncio.get_running_loop(), os.getpid()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Raises ``WouldWaitForItself``, and ``OpenedElsewhere`` in a forked process."""
        self._check_process(work)
        if _running_loop() is self._loop:
            work.close()
            raise WouldWaitForItself()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The same, awaited, from any event loop."""
        self._check_process(work)
        if _running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _check_process(self, work: Coroutine[Any, Any, object]) -> None:
        if os.getpid() != self._process:  # its loop runs only in the parent, so the call would wait for ever
            work.close()
            raise OpenedElsewhere(place="process")


@contextmanager
def blocking(folder: Path | str, **options: Any) -> Iterator[Blocking]:
    """The memory in a folder, opened with the ``options`` of ``Memory.open``, for programs that do not await."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="memory", daemon=True)
    thread.start()

    opening, process = AsyncExitStack(), os.getpid()

    async def opened() -> Blocking:
        return Blocking(await opening.enter_async_context(Memory.open(folder, **options)))

    try:
        yield asyncio.run_coroutine_threadsafe(opened(), loop).result()
    finally:
        # not in a forked process, whose thread runs in its parent, nor at the end of a program, where it stands still
        if os.getpid() == process and not sys.is_finalizing():
            _close(opening, loop, thread)


def _close(opening: AsyncExitStack, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    try:
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
