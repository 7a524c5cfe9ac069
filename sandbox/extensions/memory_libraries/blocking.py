"""An open memory for synchronous programs: it lives in the event loop of a thread of its own."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sandbox.extensions.memory.errors import OpenedElsewhere, StoreClosed, WouldWaitForItself
from sandbox.extensions.memory.memory import Memory

P = ParamSpec("P")
T = TypeVar("T")


class Blocking:
    """``memory`` with its event loop, in which other threads may run coroutines."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._loop, self._process = memory.loop, os.getpid()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Raises ``WouldWaitForItself``, ``StoreClosed``, and ``OpenedElsewhere`` in a
        forked process or while the event loop stands still.
        """
        self._check_loop(work)
        if _running_loop() is self._loop:
            work.close()
            raise WouldWaitForItself()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The same, awaited, from any event loop."""
        self._check_loop(work)
        if _running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _check_loop(self, work: Coroutine[Any, Any, object]) -> None:
        """Refuse a call that would wait for ever, because the loop does not run, or runs only in the parent process."""
        is_here = os.getpid() == self._process
        if is_here and self._loop.is_running():
            return
        work.close()
        if self._loop.is_closed():
            raise StoreClosed()
        raise OpenedElsewhere(place="event loop" if is_here else "process")


def _taking_what(_: Callable[P, object]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Tell checkers of types that a function takes what another one takes."""
    return lambda function: function


@_taking_what(Memory.open)
@contextmanager
def blocking(folder: Path | str, **options: Any) -> Iterator[Blocking]:
    """The memory in a folder, opened with the ``options`` of ``Memory.open``, for programs that do not await."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="memory", daemon=True)
    thread.start()

    opening, process = AsyncExitStack(), os.getpid()

    async def opened() -> Blocking:
        opening.push_async_callback(loop.shutdown_default_executor)
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
        loop.close()


def reached(memory: Memory | Blocking) -> Blocking:
    """An open memory as ``Blocking``."""
    return memory if isinstance(memory, Blocking) else Blocking(memory)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
