"""End a command that started extensions; work that they leave running cannot delay the end."""

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import Event

T = TypeVar("T")

STALLED = 60
"""Seconds that an event loop may stand still before the system ends the process with SIGALRM."""

_LAST = 2.0  # seconds for remaining tasks to end


def run_to_end(main: Coroutine[Any, Any, T]) -> T:
    """Like ``asyncio.run``, but it does not wait for ever: tasks that do not end, end with the process."""
    import asyncio

    runner = asyncio.Runner()
    try:
        return runner.run(main)
    finally:
        if runner.run(_is_quiet()):
            runner.close()


async def _is_quiet() -> bool:
    """Whether nothing runs, now or after a moment."""
    import asyncio

    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    threads = asyncio.create_task(asyncio.get_running_loop().shutdown_default_executor())
    _, running = await asyncio.wait([*left, threads], timeout=_LAST)
    return not running


def asked_to_stop() -> "Event":
    """An event that SIGTERM and SIGINT set; the second signal ends the process at once. After the event loop is closed,
    the first does nothing, because the process ends anyway.
    """
    import signal
    from asyncio import Event, get_running_loop
    from contextlib import suppress

    asked, loop = Event(), get_running_loop()

    def ask(*_: object) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(asked.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    return asked


async def keep_alive() -> None:
    """Let the system end the process if its event loop stalls, until this is cancelled. The next process continues."""
    import signal
    from asyncio import sleep

    if hasattr(signal, "alarm"):
        try:
            while True:
                signal.alarm(STALLED)
                await sleep(STALLED / 6)
        finally:
            signal.alarm(0)
