"""Run other people's code: it may raise, hang, or cancel itself; only the kind of its error is told."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

_LAST = 1.0  # seconds for what was cancelled to end


class Failed(Exception):
    """What happened, in words without content, and the ``kind`` of the ``error``, which has some."""

    def __init__(self, problem: str, error: BaseException) -> None:
        self.error, self.kind = error, type(error).__name__
        super().__init__(problem)


async def attempt(call: Awaitable[T], seconds: float | None = None) -> T:
    """What the call gives, which runs as a task of its own. Raises ``Failed`` where it raises, something inside it is
    cancelled, or it takes longer: then it is cancelled, and left behind where that does not help.
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
    """What it raises, as a value: asyncio would log the text of an error that nobody waits for, and end at others."""
    try:
        return await call
    except (Exception, asyncio.CancelledError, SystemExit) as error:
        return Failed(f"failed ({type(error).__name__})", error)


async def ended(tasks: Iterable[asyncio.Task[Any]], seconds: float = 0) -> None:
    """Returns once the tasks have: those that take longer are cancelled, and left behind where that does not help."""
    for patience in (seconds, _LAST):
        if tasks := [task for task in tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=patience)
            for task in tasks:
                task.cancel()
