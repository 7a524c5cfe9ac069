"""Import a file of conversations: store it in batches, and report broken records with their places."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ArgumentsDisagree, InvalidArgument, short
from sandbox.extensions.memory.ingest import episodes, exporting, knowledge
from sandbox.extensions.memory.ingest.episodes import pipelined
from sandbox.extensions.memory.ingest.import_batches import Bulk, ImportReader
from sandbox.extensions.memory.ingest.importers.records import TakenBack
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.ports import local
from sandbox.extensions.memory.reports import BrokenRecord, ImportProgress, ImportReport
from sandbox.extensions.memory.store import erasing, nodes, undo
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.store.undo import UndoSelection
from sandbox.support.embedder import Embedder
from sandbox.support.trust import Unconfirmed


class _Stored(NamedTuple):
    """How many drafts were new, were known, were changed since and are not stored, are left out as erased, and are
    known but forgotten; those whose key a turn of another session has; and the sessions with new turns.
    """

    outcomes: Counter[str]
    lost: Sequence[Draft]
    sessions: Set[str | None]


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
        scope_in: Callable[[str], Scope] | None,
    ) -> ImportReport:
        """Store everything readable in the file with at most this trust; with ``erased``, also what was erased. A
        message without a conversation belongs to the scope's, or else to one named after the file and its first
        message. ``scope_in`` gives the scope of a conversation whose coding agent worked in a folder. Raises
        ``UnreadableImport``, ``NotAdministrator``, ``InvalidArgument``.
        """
        check_audience(scope, scope.visibility)
        if await asyncio.to_thread(exporting.is_export, path):
            if trust != "user":
                problem = "an export says itself how far each memory is trusted; import it without a trust"
                raise InvalidArgument(argument="trust", value=trust, expected=problem)
            merged = await self.store.write(partial(exporting.restore, path=path, scope=scope, erased=erased))
            self.on_stored()
            return ImportReport(
                exporting.FORMAT, merged.new, merged.known, 0, erased=merged.erased, forgotten=merged.forgotten
            )
        reading = await asyncio.to_thread(
            ImportReader, path, scope, self.config, self.now(), local(self.embedder), encoding, trust, scope_in
        )
        done = masked = 0
        outcomes: Counter[str] = Counter()
        broken: list[BrokenRecord] = []
        in_projects = set[tuple[str, str | None]]()  # sessions with new turns

        async def write(bulk: Bulk) -> Counter[str]:
            stored = await self.store.write(partial(self._store, bulk=bulk, erased=erased))
            if bulk.scope != scope and bulk.scope.visibility == "project":
                in_projects.update((bulk.scope.project_id or "", session) for session in stored.sessions)
            problem = "belongs to another message, of another conversation"
            broken.extend(BrokenRecord(f"key {short(each.key)!r}", problem) for each in stored.lost)
            if bulk.embedded is None:
                self.on_stored()
            return stored.outcomes

        async for bulk, stored in pipelined(lambda: asyncio.to_thread(reading.bulk), write):
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
            outcomes["changed"],
            outcomes["forgotten"],
            dict(Counter(project for project, _ in in_projects).most_common()),
        )

    def _store(self, tx: Transaction, bulk: Bulk, erased: bool) -> _Stored:
        """Turns are stored together, statements one by one. Known turns that were taken back are undone, with what was
        learnt from them.
        """
        scope = bulk.scope
        if erased:
            erasing.remove_hashes(tx, bulk.drafts)
        wanted = erasing.not_erased(tx, bulk.drafts)
        turns = [draft for draft in wanted if draft.type == "episodic"]
        known = episodes.known_episodes(tx, turns, scope)
        clashing = episodes.clashing(turns, known)
        lost = [draft for draft, other in clashing if draft.session_id != other.session_id]
        turns = [draft for draft in turns if draft not in lost]
        stored: list[tuple[str, bool]] = [*episodes.record(tx, turns, scope, known, bulk.embedded)]
        sessions = {draft.session_id for draft, (_, is_new) in zip(turns, stored, strict=True) if is_new}
        changed, disagreeing = len(clashing) - len(lost), 0
        for draft in wanted:
            if draft.type == "episodic":
                continue
            try:
                stored.append(knowledge.save(tx, draft))
            except ArgumentsDisagree:  # about its key
                disagreeing += 1
        gone: dict[str, list[str]] = defaultdict(list)  # by session: a copy of a turn in another one was not taken back
        for each in bulk.gone:
            gone[each.session or ""] += _stored(tx, each, scope)
        for session, ids in gone.items():
            if ids:
                undo.undo(tx, UndoSelection(session=session, turns=ids), scope)
        left_out = len(bulk.drafts) - len(wanted)
        known_ids = [id for id, is_new in stored if not is_new]
        outcomes = Counter(
            new=len(stored) - len(known_ids),
            known=len(known_ids) + disagreeing,
            changed=changed + disagreeing,
            erased=left_out,
            forgotten=nodes.count_forgotten(tx, scope.user_id, known_ids),
        )
        return _Stored(outcomes, lost, sessions)


def _stored(tx: Transaction, turn: TakenBack, scope: Scope) -> Collection[str]:
    """The id of a turn, if it is stored."""
    known = nodes.known_keys(tx, scope, turn.source or "", [turn.key], turn.session)
    return [each.public_id for each in known.values()]
