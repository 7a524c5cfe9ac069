"""Batches of records: prepare the next one while the last one is written."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")

SIZE = 500  # records of one transaction: enough to share the fsync, few enough to let others write


async def pipelined(
    prepare: Callable[[], Awaitable[P | None]], write: Callable[[P], Awaitable[R]]
) -> AsyncIterator[tuple[P, R]]:
    """Each prepared batch with the result of writing it, in order, until ``prepare`` returns None.

    If preparing fails, the batches before are still written and yielded; then the error is raised.
    """
    writing: tuple[P, asyncio.Future[R]] | None = None
    failure: Exception | None = None
    prepared: P | None
    while True:
        try:
            prepared = await prepare()
        except Exception as error:
            prepared, failure = None, error
        if writing is not None:
            yield writing[0], await writing[1]
        if prepared is None:
            break
        writing = (prepared, asyncio.ensure_future(write(prepared)))
    if failure is not None:
        raise failure
