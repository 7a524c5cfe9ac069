"""Read and embed a large file in a child process (``child.py``); this process only writes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sandbox.extensions.memory.ingest.reading import Bulk, ImportReader
from sandbox.extensions.memory.subprocess_worker import Child

logger = logging.getLogger(__name__)

_CHILD = f"{__package__}.child"
_LARGE = 3_500_000  # bytes: of less it takes as long to start a child as it saves


class ReadingAhead:
    """The bulks of a reading in order, wherever they are made: where no child can be started, or it ends before the
    file does, they are made in a thread of this process.
    """

    def __init__(self, reading: ImportReader) -> None:
        self._reading = reading
        self._child: Child | None = None
        self._received = 0  # bulks that came from the child

    async def start(self) -> None:
        """Have a child read."""
        self._child = await Child.start(_CHILD)
        if self._child is not None:
            self._reading.close()
            try:
                await self._child.send(self._reading)
            except Exception:
                await self._go_on_here(self._child)

    async def next(self) -> Bulk | None:
        """The next; None at the end. Raises what reading raises."""
        if self._child is not None:
            try:
                bulk: Bulk | None = await self._child.receive()
            except Exception:
                await self._go_on_here(self._child)
            else:
                self._received += 1
                return bulk
        return await asyncio.to_thread(self._reading.bulk)

    async def close(self) -> None:
        """End the child."""
        if self._child is not None:
            await self._child.close()

    async def _go_on_here(self, child: Child) -> None:
        """Whatever became of the child, the file can be read here. What it had read is read again first: what a turn
        asks for may be a secret that a later one tells.
        """
        logger.warning("the process that read an import has ended; this one goes on")
        self._child = None
        await child.close()
        for _ in range(self._received):
            await asyncio.to_thread(self._reading.bulk)


@asynccontextmanager
async def reading_ahead(reading: ImportReader) -> AsyncIterator[ReadingAhead]:
    """The bulks of a reading that has not begun, for as long as they are wanted."""
    bulks = ReadingAhead(reading)
    try:
        if reading.size >= _LARGE:
            await bulks.start()
        yield bulks
    finally:
        await bulks.close()
