"""Running what others wrote: it may raise, hang, or cancel itself, and only the kind of its error is told."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

_LAST = 1.0  # seconds for what was cancelled to end


class Failed(Exception):
    """What happened, in words without content; ``error`` has some."""

    def __init__(self, problem: str, error: BaseException) -> None:
        self.error = error
        super().__init__(problem)

    @property
    def kind(self) -> str:
        """Of the error."""
        return type(self.error).__name__


async def attempt(call: Awaitable[T], seconds: float | None = None) -> T:
    """What the call gives. Raises ``Failed`` where it raises, takes longer, or something inside it is cancelled."""
    try:
        async with asyncio.timeout(seconds) as limit:
            return await call
    except (Exception, asyncio.CancelledError, SystemExit) as error:
        this = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and this is not None and this.cancelling():
            raise
        problem = f"took longer than {seconds:g} s" if limit.expired() else f"failed ({type(error).__name__})"
        failed = Failed(problem, TimeoutError(problem) if limit.expired() else error)
    raise failed  # here, so that no traceback shows what it comes from


async def ended(tasks: Iterable[asyncio.Task[Any]], seconds: float = 0) -> None:
    """Returns once the tasks have: those that take longer are cancelled, and left behind where that does not help."""
    for patience in (seconds, _LAST):
        if tasks := [task for task in tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=patience)
            for task in tasks:
                task.cancel()
