"""Read a file of conversations lazily and make drafts of it, batch by batch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError, SecretInId, UnreadableImport
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest import consent, drafts, importers
from sandbox.extensions.memory.ingest.episodes import SIZE
from sandbox.extensions.memory.ingest.importers import Item, Source
from sandbox.extensions.memory.ingest.importers.files import NotJson
from sandbox.extensions.memory.ingest.importers.records import TakenBack
from sandbox.extensions.memory.model import Message, Scope, Statement
from sandbox.extensions.memory.ports import Embedded, LocalEmbedder, checked
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.support.trust import Trust, least

_SPACES = str.maketrans("_-", "  ")


@dataclass(frozen=True, slots=True)
class Bulk:
    """Drafts of some records of a file, all of one scope, with the number of records in which a secret was masked, and
    the broken records. ``embedded`` are the vectors of the turns among the drafts; ``gone`` are turns that were taken
    back.
    """

    scope: Scope
    size: int
    drafts: Sequence[Draft]
    masked: int
    broken: Sequence[BrokenRecord]
    embedded: Embedded | None
    gone: Sequence[TakenBack]


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
        found, masked, broken, gone = [], 0, [], []
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
            try:
                draft, kinds = self._draft(item, scope)
            except MemoryExtensionError as error:
                broken.append(BrokenRecord(f"record {secrets.mask_name(str(item.key)).text}", str(error)))
                continue
            found.append(draft)
            masked += bool(kinds)
        return Bulk(scope, len(items), found, masked, broken, self._embedded(found), gone) if items else None

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
