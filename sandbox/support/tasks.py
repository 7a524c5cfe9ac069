"""Work that outlives a caller that is cancelled."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def uninterrupted(work: Awaitable[T]) -> T:
    """The result of work that goes on if the caller is cancelled. Nobody then hears of its error, which
    ``asyncio.shield`` would log as never retrieved.
    """
    running = asyncio.ensure_future(work)
    running.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait([running])
    return running.result()
