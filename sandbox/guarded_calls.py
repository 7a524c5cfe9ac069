"""Run code of others: it may raise, hang, or cancel itself. Only the kind of its error is reported."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

_LAST = 1.0  # seconds for cancelled tasks to end


class Failed(Exception):
    """What happened, in words without content, and the ``kind`` of the ``error``, whose message may have content."""

    def __init__(self, problem: str, error: BaseException) -> None:
        self.error, self.kind = error, type(error).__name__
        super().__init__(problem)


async def attempt(call: Awaitable[T], seconds: float | None = None) -> T:
    """The result of a call, which runs in its own task. Raises ``Failed`` if it raises, if something inside it is
    cancelled, or if it takes too long; then it is cancelled, and abandoned if that does not help.
    """
    task = asyncio.create_task(_outcome(call))
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        if is_late := task.cancel():
            await asyncio.wait([task], timeout=_LAST)
    if is_late:
        problem = f"took longer than {seconds:g} s"
        raise Failed(problem, TimeoutError(problem))
    outcome = task.result()
    if isinstance(outcome, Failed):
        raise outcome
    return outcome


async def _outcome(call: Awaitable[T]) -> T | Failed:
    """The error of a call as a value; otherwise asyncio would log its text, and re-raise some."""
    try:
        return await call
    except (Exception, asyncio.CancelledError, SystemExit) as error:
        return Failed(f"failed ({type(error).__name__})", error)


async def ended(tasks: Iterable[asyncio.Task[Any]], seconds: float = 0) -> None:
    """Return when the tasks have ended. Those that take too long are cancelled, and abandoned if that does not help."""
    for patience in (seconds, _LAST):
        if tasks := [task for task in tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=patience)
            for task in tasks:
                task.cancel()
