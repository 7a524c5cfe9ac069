"""Import a file of conversations: read it lazily, make drafts and store them batch by batch, and report broken records
with their places.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
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
from sandbox.extensions.memory.ports import Embedded, LocalEmbedder, checked, local
from sandbox.extensions.memory.reports import BrokenRecord, ImportProgress, ImportReport
from sandbox.extensions.memory.store import changes, erasing, nodes
from sandbox.extensions.memory.store.changes import UndoSelection
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import terms
from sandbox.support.embedder import Embedder
from sandbox.support.trust import Trust, Unconfirmed, least

_SPACES = str.maketrans("_-", "  ")
_SAME_NOTE = 1 / 3  # the share of all terms that are in an earlier text of a note and in the present one


@dataclass(frozen=True, slots=True)
class Bulk:
    """Drafts of some records of a file, all of one scope, with the number of records in which a secret was masked, and
    the broken records. ``embedded`` are the vectors of the turns among the drafts; ``gone`` are turns that were taken
    back, ``notes`` what notes say now.
    """

    scope: Scope
    size: int
    drafts: Sequence[Draft]
    masked: int
    broken: Sequence[BrokenRecord]
    embedded: Embedded | None
    gone: Sequence[TakenBack]
    notes: Sequence[NoteNow]


class ImportReader:
    """Makes drafts of a file, and with an ``embedder`` vectors of its turns. A record without a time gets the
    time ``now``; no record gets more trust than ``trust``. ``scope_in`` gives the scope of a file whose coding agent
    worked in a folder; without it, every file is of the ``scope``.

    Raises:
        UnreadableImport: the file does not exist, cannot be opened, or has an unknown format.
    """

    def __init__(
        self,
        path: Path,
        scope: Scope,
        config: Config,
        now: int,
        embedder: LocalEmbedder | None,
        encoding: str | None = None,
        trust: Trust = "user",
        scope_in: Callable[[str], Scope] | None = None,
    ) -> None:
        self._path = path
        self._scope_in = scope_in
        self._scope = scope
        self._config = config
        self._now = now
        self._trust = trust
        self._embedder = embedder
        self._turns = drafts.EpisodeMaker()
        source = importers.read(path, encoding)
        self.format = source.format
        self.total = source.total
        self.left_out = source.left_out
        self._batches = _batches(self._in_sessions(source))

    def bulk(self) -> Bulk | None:
        """The drafts of the next records; None at the end. Raises ``UnreadableImport``, ``OSError``."""
        found, masked, broken, gone, notes = [], 0, [], [], []
        try:
            scope, items = next(self._batches, (self._scope, []))
        except (UnicodeError, NotJson):
            raise UnreadableImport(path=self._path, problem="it was changed while it was read; try again") from None
        for item in items:
            if isinstance(item, BrokenRecord):
                broken.append(item)
                continue
            if isinstance(item, TakenBack):
                gone.append(item)
                continue
            if isinstance(item, NoteNow):
                notes.append(item)
                continue
            try:
                draft, kinds = self._draft(item, scope)
            except MemoryExtensionError as error:
                broken.append(BrokenRecord(f"record {secrets.mask_name(str(item.key)).text}", str(error)))
                continue
            found.append(draft)
            masked += bool(kinds)
        return Bulk(scope, len(items), found, masked, broken, self._embedded(found), gone, notes) if items else None

    def _draft(self, item: Message | Statement, scope: Scope) -> tuple[Draft, tuple[str, ...]]:
        item = replace(item, trust=least(self._trust, item.trust or self._trust))
        if isinstance(item, Message):
            episode = self._turns.episode(item, scope, self._now, self._config)
            return episode.draft, episode.masked
        return consent.marked(drafts.knowledge(item, scope, self._now, self._config), self._config), ()

    def _embedded(self, drafts: Sequence[Draft]) -> Embedded | None:
        texts = [text_of(draft.speaker, draft.content) for draft in drafts if draft.type == "episodic"]
        if self._embedder is None or not texts:
            return None
        try:
            vectors = checked(self._embedder.embed_here(texts), len(texts), self._embedder)
        except Exception:  # a provider may raise anything; the backlog embeds the turns later
            self._embedder = None
            return None
        return Embedded(self._embedder.model_id, texts, vectors)

    def _in_sessions(self, source: Source) -> Iterator[tuple[Scope, Item]]:
        """Each item with its scope. A message gets a conversation, without which it could be neither learnt from nor
        erased: one named after the file and its first message. Then another file of the same name is another
        conversation, but a copy, or a longer version, is the same one.
        """
        for part in source.parts:
            session, scope = self._scope.session_id, self._scope
            if self._scope_in and part.folder:
                try:
                    scope = self._scope_in(part.folder)
                except SecretInId:
                    problem = "its folder's name looks like a secret, which no project has; import it with --project"
                    yield scope, BrokenRecord(part.name, problem)
                    continue
            for item in part:
                if isinstance(item, Message) and item.session is None:
                    begins = blake2b(item.content.encode(errors="replace"), digest_size=3).hexdigest()
                    session = session or f"{_title(part.title)}-{begins}"
                    item = replace(item, session=session)
                yield scope, item


def _batches(items: Iterator[tuple[Scope, Item]]) -> Iterator[tuple[Scope, list[Item]]]:
    for scope, group in groupby(items, key=itemgetter(0)):
        while batch := [item for _, item in islice(group, SIZE)]:
            yield scope, batch


def _title(stem: str) -> str:
    """The name of a file without its ending, secrets masked; signs often stand for spaces: wifi-password-cat99."""
    stem = secrets.mask_name(stem).text
    words = secrets.mask(stem.translate(_SPACES))
    return words.text if words.kinds else stem


class _Stored(NamedTuple):
    """How many drafts were new, were known, were changed since and are not stored, are left out as erased, and are
    known but forgotten; those whose key a turn of another session has; the sessions with new turns; and the changes
    that took turns back.
    """

    outcomes: Counter[str]
    lost: Sequence[Draft]
    sessions: Set[str | None]
    taken_back: Sequence[int]


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
            await asyncio.to_thread(exporting.note_projects, path, self.store.path.parent)
            return ImportReport(
                exporting.FORMAT,
                merged.new,
                merged.known,
                masked=0,
                erased=merged.erased,
                changed=merged.changed,
                forgotten=merged.forgotten,
            )
        reading = await asyncio.to_thread(
            ImportReader, path, scope, self.config, self.now(), local(self.embedder), encoding, trust, scope_in
        )
        done = masked = 0
        outcomes: Counter[str] = Counter()
        broken: list[BrokenRecord] = []
        taken_back: list[int] = []
        in_projects = set[tuple[str, str | None]]()  # sessions with new turns

        async def write(bulk: Bulk) -> Counter[str]:
            stored = await self.store.write(partial(self._store, bulk=bulk, erased=erased))
            if bulk.scope != scope and bulk.scope.visibility == "project":
                in_projects.update((bulk.scope.project_id or "", session) for session in stored.sessions)
            problem = "belongs to another message, of another conversation"
            broken.extend(BrokenRecord(f"key {short(each.key)!r}", problem) for each in stored.lost)
            taken_back.extend(stored.taken_back)
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
            tuple(taken_back),
        )

    def _store(self, tx: Transaction, bulk: Bulk, erased: bool) -> _Stored:
        """Turns are stored together, statements one by one. Known turns that were taken back, or that a note no longer
        has, are undone, with what was learnt from them.
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
        for note in bulk.notes:
            gone[note.session] += _outdated(tx, note, known, scope)
        undone = [
            changes.undo(tx, UndoSelection(session=each, turns=ids), scope).change for each, ids in gone.items() if ids
        ]
        left_out = len(bulk.drafts) - len(wanted)
        known_ids = [id for id, is_new in stored if not is_new]
        outcomes = Counter(
            new=len(stored) - len(known_ids),
            known=len(known_ids) + disagreeing,
            changed=changed + disagreeing,
            erased=left_out,
            forgotten=nodes.count_forgotten(tx, scope.user_id, known_ids),
        )
        return _Stored(outcomes, lost, sessions, [change for change in undone if change is not None])


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


def _stored(tx: Transaction, turn: TakenBack, scope: Scope) -> Collection[str]:
    """The id of a turn, if it is stored."""
    known = nodes.known_keys(tx, scope, turn.source or "", [turn.key], turn.session)
    return [each.public_id for each in known.values()]
