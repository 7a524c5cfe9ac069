"""Import a file of conversations: store it in batches, and report broken records with their places.

A child process (``child.py``) reads and embeds a large file; this process only writes.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.ingest import episodes, exporting, knowledge
from sandbox.extensions.memory.ingest.bulk import pipelined
from sandbox.extensions.memory.ingest.reading import Bulk, ImportReader
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.ports import LocalEmbedder
from sandbox.extensions.memory.reports import BrokenRecord, ImportProgress, ImportReport
from sandbox.extensions.memory.store.erasing import tombstones
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.subprocess_worker import Worker
from sandbox.support.embedder import Embedder
from sandbox.support.trust import Unconfirmed

logger = logging.getLogger(__name__)

_CHILD = f"{__package__}.child"
_LARGE = 3_500_000  # bytes; for a smaller file, starting a child takes as long as it saves


@dataclass(frozen=True, slots=True)
class Importer:
    """Imports files into one store. It calls ``on_stored`` when there may be something to embed."""

    store: Store
    embedder: Embedder | None
    config: Config
    now: Callable[[], int]
    on_stored: Callable[[], None]

    async def run(
        self,
        path: Path,
        scope: Scope,
        progress: ImportProgress | None,
        *,
        encoding: str | None,
        erased: bool,
        trust: Unconfirmed,
    ) -> ImportReport:
        """Store everything readable in the file with at most this trust; with ``erased``, also what was erased. A
        message without a conversation belongs to the scope's, or else to one named after the file and its first
        message. Raises ``UnreadableImport``, ``NotAdministrator``, ``InvalidArgument``.
        """
        check_audience(scope, scope.visibility)
        if await asyncio.to_thread(exporting.is_export, path):
            if trust != "user":
                problem = "an export says itself how far each memory is trusted; import it without a trust"
                raise InvalidArgument(argument="trust", value=trust, expected=problem)
            merged = await self.store.write(partial(exporting.restore, path=path, scope=scope, erased=erased))
            self.on_stored()
            return ImportReport(exporting.FORMAT, merged.new, merged.known, 0, erased=merged.erased)
        embedder = self.embedder if isinstance(self.embedder, LocalEmbedder) else None
        reading = await asyncio.to_thread(ImportReader, path, scope, self.config, self.now(), embedder, encoding, trust)
        done = masked = 0
        outcomes: Counter[str] = Counter()
        broken: list[BrokenRecord] = []

        async def write(bulk: Bulk) -> Counter[str]:
            stored = await self.store.write(partial(_store, bulk=bulk, scope=scope, erased=erased))
            if bulk.embedded is None:
                self.on_stored()
            return stored

        async with aclosing(_batches(reading)) as bulks:
            async for bulk, stored in pipelined(lambda: anext(bulks, None), write):
                outcomes += stored
                masked, done = masked + bulk.masked, done + bulk.size
                broken.extend(bulk.broken)
                if progress is not None:
                    progress(done, reading.total)
        self.on_stored()
        return ImportReport(
            reading.format,
            outcomes["new"],
            outcomes["known"],
            masked,
            tuple(broken),
            outcomes["erased"],
            reading.left_out,
        )


async def _batches(reading: ImportReader) -> AsyncGenerator[Bulk, None]:
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


def _store(tx: Transaction, bulk: Bulk, scope: Scope, erased: bool) -> Counter[str]:
    """How many drafts were new, were known, and are left out as erased. Turns are stored together, statements one by
    one.
    """
    if erased:
        tombstones.remove(tx, bulk.drafts)
    wanted = tombstones.not_erased(tx, bulk.drafts)
    turns = [draft for draft in wanted if draft.type == "episodic"]
    new = [recorded.is_new for recorded in episodes.record(tx, turns, scope, bulk.embedded)]
    new += [knowledge.save(tx, draft)[1] for draft in wanted if draft.type != "episodic"]
    return Counter(new=sum(new), known=len(new) - sum(new), erased=len(bulk.drafts) - len(wanted))
