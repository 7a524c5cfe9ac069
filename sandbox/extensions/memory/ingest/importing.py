"""A file of conversations goes in: read lazily, stored in bulk, what is broken reported with its place."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.ingest import episodes, importers, knowledge, record
from sandbox.extensions.memory.ingest.bulk import SIZE, pipelined
from sandbox.extensions.memory.ingest.importers import Item
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory.reports import BrokenRecord, ImportReport
from sandbox.extensions.memory.store import tombstones
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.writer import Transaction

Progress = Callable[[int, int | None], None]
"""Called with how many records were dealt with, and how many there are where that is known."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    size: int
    drafts: Sequence[Draft]
    masked: int
    broken: Sequence[BrokenRecord]


@dataclass(frozen=True, slots=True)
class Importer:
    """Imports files into one store. ``on_stored`` is told after each bulk that there is something to embed."""

    store: Store
    config: Config
    now: Callable[[], int]
    on_stored: Callable[[], None]
    turns: record.Turns = field(default_factory=record.Turns)

    async def run(self, path: Path, scope: Scope, progress: Progress | None, *, erased: bool) -> ImportReport:
        """Store everything readable in the file, with ``erased`` what was erased too. Messages that name no
        conversation are of the scope's, else of one called like the file and how it begins. Raises
        ``UnreadableImport``.
        """
        source = await asyncio.to_thread(importers.read, path)
        items, batch = _in_sessions(source, scope.session_id, path.stem), f"import-{secrets.token_hex(4)}"
        done = masked = 0
        outcomes: Counter[str] = Counter()
        broken: list[BrokenRecord] = []

        async def write(prepared: _Prepared) -> Counter[str]:
            store = partial(_store, drafts=prepared.drafts, scope=scope, batch=batch, erased=erased)
            stored = await self.store.write(store)
            self.on_stored()
            return stored

        async for prepared, stored in pipelined(partial(asyncio.to_thread, self._prepare, items, scope), write):
            outcomes += stored
            masked, done = masked + prepared.masked, done + prepared.size
            broken.extend(prepared.broken)
            if progress is not None:
                progress(done, source.total)
        return ImportReport(
            source.format, outcomes["new"], outcomes["known"], masked, tuple(broken), outcomes["erased"]
        )

    def _prepare(self, items: Iterator[Item], scope: Scope) -> _Prepared | None:
        """The drafts of the next records; None at the end."""
        drafts, masked, broken = [], 0, []
        bulk = list(islice(items, SIZE))
        for item in bulk:
            if isinstance(item, BrokenRecord):
                broken.append(item)
                continue
            try:
                draft, kinds = self._draft(item, scope)
            except MemoryExtensionError as error:
                broken.append(BrokenRecord(f"record {item.key}", str(error)))
                continue
            drafts.append(draft)
            masked += bool(kinds)
        return _Prepared(len(bulk), drafts, masked, broken) if bulk else None

    def _draft(self, item: Item, scope: Scope) -> tuple[Draft, tuple[str, ...]]:
        if isinstance(item, Message):
            episode = self.turns.episode(item, scope, self.now(), self.config)
            return episode.draft, episode.masked
        assert not isinstance(item, BrokenRecord)
        return record.knowledge(item, scope, self.now(), self.config), ()


def _in_sessions(items: Iterable[Item], session: str | None, file: str) -> Iterator[Item]:
    """Each message in a conversation: of what is in none nothing could be learnt, and it could not be erased. Where
    none is given it is called after the file and its first message: another file of that name is another conversation,
    the same one from elsewhere, or longer, is not.
    """
    for item in items:
        if isinstance(item, Message) and item.session is None:
            begins = blake2b(item.content.encode(errors="replace"), digest_size=3).hexdigest()
            session = session or f"{file}-{begins}"
            item = replace(item, session=session)
        yield item


def _store(tx: Transaction, drafts: Sequence[Draft], scope: Scope, batch: str, erased: bool) -> Counter[str]:
    """How many drafts were new, were known and stay erased. Turns go in together, statements one by one."""
    if erased:
        tombstones.unbury(tx, drafts)
    wanted = tombstones.not_erased(tx, drafts)
    turns = [draft for draft in wanted if draft.type == "episodic"]
    new = [recorded.is_new for recorded in episodes.record(tx, turns, scope, batch)]
    new += [knowledge.save(tx, draft)[1] for draft in wanted if draft.type != "episodic"]
    return Counter(new=sum(new), known=len(new) - sum(new), erased=len(drafts) - len(wanted))
