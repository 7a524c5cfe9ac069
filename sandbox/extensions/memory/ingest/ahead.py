"""Read and embed a large file in a child process (``child.py``); this process only writes."""

import asyncio
import logging
from collections.abc import AsyncGenerator

from sandbox.extensions.memory.ingest.reading import Bulk, ImportReader
from sandbox.extensions.memory.subprocess_worker import Worker

logger = logging.getLogger(__name__)

_CHILD = f"{__package__}.child"
_LARGE = 3_500_000  # bytes; for a smaller file, starting a child takes as long as it saves


async def batches(reading: ImportReader) -> AsyncGenerator[Bulk, None]:
    """The batches of drafts of a reading that has not begun, in order. A child makes those of a large file; if no child
    can be started, or it ends early, a thread of this process makes the rest. Raises the errors of the reading.
    """
    received = 0
    child = await asyncio.to_thread(Worker.start, _CHILD) if reading.size >= _LARGE else None
    if child is not None:
        try:
            await asyncio.to_thread(child.send, reading)
            while (bulk := await asyncio.to_thread(child.receive)) is not None:
                received += 1
                yield bulk
            return
        except Exception:
            logger.warning("the child process that read an import ended too early; its parent reads the rest")
        finally:
            await asyncio.to_thread(child.end)
    for _ in range(received):  # read again, because a later turn may tell the secret that an earlier turn asks for
        await asyncio.to_thread(reading.bulk)
    while (bulk := await asyncio.to_thread(reading.bulk)) is not None:
        yield bulk
