"""Read and embed a large file in a child process (``child.py``); this process only writes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sandbox.extensions.memory.ingest.reading import Bulk, ImportReader
from sandbox.extensions.memory.subprocess_worker import Worker

logger = logging.getLogger(__name__)

_CHILD = f"{__package__}.child"
_LARGE = 3_500_000  # bytes; for a smaller file, starting a child takes as long as it saves


class ReadingAhead:
    """The batches of drafts of a file, in order. A child makes them; if no child can be started, or it ends early, a
    thread of this process makes them.
    """

    def __init__(self, reading: ImportReader) -> None:
        self._reading = reading
        self._child: Worker | None = None
        self._received = 0  # batches that came from the child

    async def start(self) -> None:
        """Start the child."""
        self._child = await asyncio.to_thread(Worker.start, _CHILD)
        if self._child is not None:
            self._reading.close()
            try:
                await asyncio.to_thread(self._child.send, self._reading)
            except Exception:
                await self._go_on_here(self._child)

    async def next(self) -> Bulk | None:
        """The next batch; None at the end. Raises the errors of the reading."""
        if self._child is not None:
            try:
                bulk: Bulk | None = await asyncio.to_thread(self._child.receive)
            except Exception:
                await self._go_on_here(self._child)
            else:
                self._received += 1
                return bulk
        return await asyncio.to_thread(self._reading.bulk)

    async def close(self) -> None:
        """End the child."""
        if self._child is not None:
            await asyncio.to_thread(self._child.end)

    async def _go_on_here(self, child: Worker) -> None:
        """Continue without the child. The part that the child had read is read again first, because a later turn may
        tell the secret that an earlier turn asks for.
        """
        logger.warning("the child process that read an import ended too early; its parent reads the rest")
        self._child = None
        await asyncio.to_thread(child.end)
        for _ in range(self._received):
            await asyncio.to_thread(self._reading.bulk)


@asynccontextmanager
async def reading_ahead(reading: ImportReader) -> AsyncIterator[ReadingAhead]:
    """The batches of a reading that has not begun; the child ends with the context."""
    bulks = ReadingAhead(reading)
    try:
        if reading.size >= _LARGE:
            await bulks.start()
        yield bulks
    finally:
        await bulks.close()
