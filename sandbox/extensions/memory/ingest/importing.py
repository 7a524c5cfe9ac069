"""Import a file of conversations: read it lazily, store it batch by batch, and report broken records."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import (
    ArgumentsDisagree,
    InvalidArgument,
    MemoryExtensionError,
    SecretInId,
    UnreadableImport,
    short,
)
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest import consent, drafts, episodes, exporting, importers, knowledge
from sandbox.extensions.memory.ingest.episodes import SIZE, pipelined
from sandbox.extensions.memory.ingest.importers import Item, Source
from sandbox.extensions.memory.ingest.importers.files import NotJson
from sandbox.extensions.memory.ingest.importers.records import NoteNow, TakenBack
from sandbox.extensions.memory.model import Message, Scope, Statement
from sandbox.extensions.memory.ports import Embedded, LocalEmbedder, checked
from sandbox.extensions.memory.reports import BrokenRecord, ImportProgress, ImportReport
from sandbox.extensions.memory.store import changes, erasing, nodes
from sandbox.extensions.memory.store.changes import UndoSelection
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import terms
from sandbox.support.trust import Unconfirmed, least

_SPACES = str.maketrans("_-", "  ")
_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SAME_NOTE = 1 / 3  # the share of all terms that are in an earlier text of a note and in the present one


@dataclass(slots=True)
class Bulk:
    """Drafts of ``size`` records of a file, all of one scope, with the number of records in which a secret was masked,
    and the broken records. ``embedded`` are the vectors of the turns among the drafts; ``gone`` are turns that were
    taken back, ``notes`` what notes say now.
    """

    scope: Scope
    size: int
    drafts: list[Draft] = field(default_factory=list)
    masked: int = 0
    broken: list[BrokenRecord] = field(default_factory=list)
    embedded: Embedded | None = None
    gone: list[TakenBack] = field(default_factory=list)
    notes: list[NoteNow] = field(default_factory=list)


class _Stored(NamedTuple):
    """How many drafts were new, were known, were changed since and are not stored, are left out as erased, and are
    known but forgotten; those whose key a turn of another session has; the sessions with new turns; and the changes
    that took turns back.
    """

    outcomes: Counter[str]
    lost: Sequence[Draft]
    sessions: Set[str | None]
    taken_back: Sequence[int]


@dataclass(slots=True, kw_only=True)
class Import:
    """The import of a file into a store. It calls ``on_stored`` when there may be something to embed. A record without
    a time gets the time ``now``; no record gets more trust than ``trust``; with ``erased``, what was erased is stored,
    too. ``scope_in`` gives the scope of a file whose coding agent worked in a folder; without it, every file is of the
    ``scope``.
    """

    store: Store
    embedder: LocalEmbedder | None
    config: Config
    now: int
    on_stored: Callable[[], None]
    path: Path
    scope: Scope
    encoding: str | None
    erased: bool
    trust: Unconfirmed
    scope_in: Callable[[str], Scope] | None
    _turns: drafts.EpisodeMaker = field(default_factory=drafts.EpisodeMaker)

    async def run(self, progress: ImportProgress | None) -> ImportReport:
        """Store what can be read. Raises ``UnreadableImport``, ``NotAdministrator``, ``InvalidArgument``."""
        check_audience(self.scope, self.scope.visibility)
        if await asyncio.to_thread(exporting.is_export, self.path):
            return await self._restore()
        source = await asyncio.to_thread(importers.read, self.path, self.encoding)
        batches, done = _batches(self._in_sessions(source)), 0
        outcomes = Counter(new=0, known=0, masked=0)
        broken, taken_back = list[BrokenRecord](), list[int]()
        in_projects = set[tuple[str, str | None]]()  # sessions with new turns
        async for bulk, stored in pipelined(lambda: asyncio.to_thread(self._bulk, batches), self._write):
            if bulk.embedded is None:
                self.on_stored()
            if bulk.scope != self.scope and bulk.scope.visibility == "project":
                in_projects.update((bulk.scope.project_id or "", session) for session in stored.sessions)
            problem = "belongs to another message, of another conversation"
            broken += (BrokenRecord(f"key {short(each.key)!r}", problem) for each in stored.lost)
            broken += bulk.broken
            taken_back += stored.taken_back
            outcomes.update(stored.outcomes, masked=bulk.masked)
            done += bulk.size
            if progress is not None:
                progress(done, source.total)
        self.on_stored()
        return ImportReport(
            source.format,
            broken=tuple(broken),
            left_out=source.left_out,
            projects=dict(Counter(project for project, _ in in_projects).most_common()),
            taken_back=tuple(taken_back),
            **outcomes,
        )

    async def _restore(self) -> ImportReport:
        """Store a full export."""
        if self.trust != "user":
            problem = "an export says itself how far each memory is trusted; import it without a trust"
            raise InvalidArgument(argument="trust", value=self.trust, expected=problem)
        restore = partial(exporting.restore, path=self.path, scope=self.scope, erased=self.erased)
        merged = await self.store.write(restore)
        self.on_stored()
        await asyncio.to_thread(exporting.note_projects, self.path, self.store.path.parent)
        return ImportReport(exporting.FORMAT, masked=0, **asdict(merged))

    def _bulk(self, batches: Iterator[tuple[Scope, list[Item]]]) -> Bulk | None:
        """The next drafts, with vectors of turns; None at the end. Raises ``UnreadableImport``, ``OSError``."""
        try:
            scope, items = next(batches, (self.scope, []))
        except (UnicodeError, NotJson):
            raise UnreadableImport(path=self.path, problem="it was changed while it was read; try again") from None
        bulk = Bulk(scope, len(items))
        for item in items:
            match item:
                case BrokenRecord():
                    bulk.broken.append(item)
                case TakenBack():
                    bulk.gone.append(item)
                case NoteNow():
                    bulk.notes.append(item)
                case _:
                    self._draft(item, bulk)
        bulk.embedded = self._embedded(bulk.drafts)
        return bulk if items else None

    def _draft(self, item: Message | Statement, bulk: Bulk) -> None:
        item = replace(item, trust=least(self.trust, item.trust or self.trust))
        try:
            if isinstance(item, Message):
                draft, masked = self._turns.episode(item, bulk.scope, self.now, self.config)
                bulk.masked += bool(masked)
            else:
                draft = consent.marked(drafts.knowledge(item, bulk.scope, self.now, self.config), self.config)
        except MemoryExtensionError as error:
            bulk.broken.append(BrokenRecord(f"record {secrets.mask_name(str(item.key)).text}", str(error)))
        else:
            bulk.drafts.append(draft)

    def _embedded(self, drafts: Sequence[Draft]) -> Embedded | None:
        texts = [text_of(draft.speaker, draft.content) for draft in drafts if draft.type == "episodic"]
        if self.embedder is None or not texts:
            return None
        try:
            vectors = checked(self.embedder.embed_here(texts), len(texts), self.embedder)
        except Exception:  # a provider may raise anything; the backlog embeds the turns later
            self.embedder = None
            return None
        return Embedded(self.embedder.model_id, texts, vectors)

    def _in_sessions(self, source: Source) -> Iterator[tuple[Scope, Item]]:
        """Each item with its scope. A message without a conversation gets that of the scope, or else, because it could
        be neither learnt from nor erased, one named after the file and its first message. Then another file of the same
        name is another conversation, but a copy, or a longer version, is the same one. A UUID names it alone.
        """
        for part in source.parts:
            session, scope = self.scope.session_id, self.scope
            if self.scope_in and part.folder:
                try:
                    scope = self.scope_in(part.folder)
                except SecretInId:
                    problem = "its folder's name looks like a secret, which no project has; import it with --project"
                    yield scope, BrokenRecord(part.name, problem)
                    continue
            for item in part:
                if isinstance(item, Message) and item.session is None:
                    session = session or _named(part.title, item.content)
                    item = replace(item, session=session)
                yield scope, item

    async def _write(self, bulk: Bulk) -> _Stored:
        return await self.store.write(partial(self._store, bulk=bulk))

    def _store(self, tx: Transaction, bulk: Bulk) -> _Stored:
        """Turns are stored together, statements one by one. Known turns that were taken back, or that a note no longer
        has, are undone, with what was learnt from them.
        """
        scope = bulk.scope
        if self.erased:
            erasing.remove_hashes(tx, bulk.drafts)
        wanted = erasing.not_erased(tx, bulk.drafts)
        turns = [draft for draft in wanted if draft.type == "episodic"]
        known = episodes.known_episodes(tx, turns, scope)
        clashing = episodes.clashing(turns, known)
        lost = [draft for draft, other in clashing if draft.session_id != other.session_id]
        turns = [draft for draft in turns if draft not in lost]
        stored: list[tuple[str, bool]] = [*episodes.record(tx, turns, scope, known, bulk.embedded)]
        sessions = {draft.session_id for draft, (_, is_new) in zip(turns, stored, strict=True) if is_new}
        disagreeing = 0
        for draft in (each for each in wanted if each.type != "episodic"):
            try:
                stored.append(knowledge.save(tx, draft))
            except ArgumentsDisagree:  # about its key
                disagreeing += 1
        gone: dict[str, list[str]] = defaultdict(list)  # by session: a copy of a turn in another one was not taken back
        for each in bulk.gone:
            there = nodes.known_keys(tx, scope, each.source or "", [each.key], each.session)
            gone[each.session or ""] += [turn.public_id for turn in there.values()]
        for note in bulk.notes:
            gone[note.session] += _outdated(tx, note, known, scope)
        undone = [
            changes.undo(tx, UndoSelection(session=each, turns=ids), scope).change for each, ids in gone.items() if ids
        ]
        known_ids = [id for id, is_new in stored if not is_new]
        outcomes = Counter(
            new=len(stored) - len(known_ids),
            known=len(known_ids) + disagreeing,
            changed=len(clashing) - len(lost) + disagreeing,
            erased=len(bulk.drafts) - len(wanted),
            forgotten=nodes.count_forgotten(tx, scope.user_id, known_ids),
        )
        return _Stored(outcomes, lost, sessions, [change for change in undone if change is not None])


def _batches(items: Iterator[tuple[Scope, Item]]) -> Iterator[tuple[Scope, list[Item]]]:
    for scope, group in groupby(items, key=itemgetter(0)):
        while batch := [item for _, item in islice(group, SIZE)]:
            yield scope, batch


def _named(stem: str, first: str) -> str:
    """The conversation in a file with this name and first message."""
    if _UUID.fullmatch(stem):
        return stem
    begins = blake2b(first.encode(errors="replace"), digest_size=3).hexdigest()
    return f"{_title(stem)}-{begins}"


def _title(stem: str) -> str:
    """The name of a file without its ending, secrets masked; signs often stand for spaces: wifi-password-cat99."""
    stem = secrets.mask_name(stem).text
    words = secrets.mask(stem.translate(_SPACES))
    return words.text if words.kinds else stem


def _outdated(tx: Transaction, note: NoteNow, known: episodes.Known, scope: Scope) -> Collection[str]:
    """The turns of an earlier text of a note that it no longer has; turns that it has again are believed again. A note
    of the same name that shares no passage and few words with what is stored is another note.
    """
    stored = nodes.of_source(tx, scope, note.session, note.source)
    old = [node for node in stored if node.key not in note.messages and node.retired_by is None]
    now, before = set(terms(" ".join(note.messages.values()))), set(terms(" ".join(node.content for node in old)))
    is_same = any(name[1] in note.messages for name in known if isinstance(name, tuple))
    if not old or not (is_same or len(now & before) >= _SAME_NOTE * len(now | before)):
        return ()
    for node in stored:
        if node.key in note.messages and node.retired_by == "undone":
            nodes.restore(tx, node, scope.actor_id)
    return [node.public_id for node in old]
