"""Read a file of conversations lazily and make drafts of it, batch by batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError, UnreadableImport
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest import consent, drafts, importers
from sandbox.extensions.memory.ingest.episodes import SIZE
from sandbox.extensions.memory.ingest.importers import Item, Source
from sandbox.extensions.memory.ingest.importers.files import NotJson
from sandbox.extensions.memory.ingest.importers.values import TakenBack
from sandbox.extensions.memory.model import Message, Scope, Statement
from sandbox.extensions.memory.ports import Embedded, LocalEmbedder, checked
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.support.trust import Trust, least

_SPACES = str.maketrans("_-", "  ")


@dataclass(frozen=True, slots=True)
class Bulk:
    """Drafts of some records of a file, with the number of records in which a secret was masked, and the broken
    records. ``embedded`` are the vectors of the turns among the drafts; ``gone`` are turns that were taken back.
    """

    size: int
    drafts: Sequence[Draft]
    masked: int
    broken: Sequence[BrokenRecord]
    embedded: Embedded | None
    gone: Sequence[TakenBack]


class ImportReader:
    """Makes drafts of a file, and with an ``embedder`` vectors of its turns. A record without a time gets the
    time ``now``; no record gets more trust than ``trust``.

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
    ) -> None:
        self._path = path
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
        self._items = self._in_sessions(source)

    def bulk(self) -> Bulk | None:
        """The drafts of the next records; None at the end. Raises ``UnreadableImport``, ``OSError``."""
        found, masked, broken, gone = [], 0, [], []
        try:
            items = list(islice(self._items, SIZE))
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
                draft, kinds = self._draft(item)
            except MemoryExtensionError as error:
                broken.append(BrokenRecord(f"record {secrets.mask_name(str(item.key)).text}", str(error)))
                continue
            found.append(draft)
            masked += bool(kinds)
        return Bulk(len(items), found, masked, broken, self._embedded(found), gone) if items else None

    def _draft(self, item: Message | Statement) -> tuple[Draft, tuple[str, ...]]:
        item = replace(item, trust=least(self._trust, item.trust or self._trust))
        if isinstance(item, Message):
            episode = self._turns.episode(item, self._scope, self._now, self._config)
            return episode.draft, episode.masked
        return consent.marked(drafts.knowledge(item, self._scope, self._now, self._config), self._config), ()

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

    def _in_sessions(self, source: Source) -> Iterator[Item]:
        """Give each message a conversation, without which it could be neither learnt from nor erased. A message without
        one gets a conversation named after the file and its first message: then another file of the same name is
        another conversation, but a copy, or a longer version, is the same one.
        """
        for part in source.parts:
            session = self._scope.session_id
            for item in part:
                if isinstance(item, Message) and item.session is None:
                    begins = blake2b(item.content.encode(errors="replace"), digest_size=3).hexdigest()
                    session = session or f"{_title(part.title)}-{begins}"
                    item = replace(item, session=session)
                yield item


def _title(stem: str) -> str:
    """The name of a file without its ending, secrets masked; signs often stand for spaces: wifi-password-cat99."""
    stem = secrets.mask_name(stem).text
    words = secrets.mask(stem.translate(_SPACES))
    return words.text if words.kinds else stem
