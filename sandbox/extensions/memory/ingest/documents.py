"""Store and read documents: refuse or mask secrets, and embed the texts by which documents are found."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sandbox.extensions.memory.errors import EmbedderUnavailable
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest.cleaning import clean_key
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.ports import Embedded, name_of
from sandbox.extensions.memory.store.documents import SESSIONS, Document, Shelf
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.support.embedder import Embedder, Vector

__all__ = ["SESSIONS", "Document", "Documents", "Shelf", "clean_key", "refuse_secrets", "without_secrets"]

T = TypeVar("T")


class Documents:
    """Documents that programs keep beside the memory, for one user and project at a time."""

    def __init__(self, store: Store, embedder: Embedder | None, now: Callable[[], int]) -> None:
        self._store, self._embedder, self._now = store, embedder, now

    async def read(self, function: Callable[[Shelf], T], *, scope: Scope) -> T:
        """The result of a function that reads the documents at one moment."""
        return await self._store.read(lambda connection: function(Shelf(connection, scope, self._now())))

    async def write(self, function: Callable[[Shelf], T], *, scope: Scope) -> T:
        """The result of a function that changes documents, when it is on the disk. After an error nothing changed."""

        def apply(tx: Any) -> T:
            shelf = Shelf(tx, scope, tx.now)
            shelf.sweep()
            return function(shelf)

        return await self._store.write(apply)

    async def embed(self, texts: Sequence[str]) -> Embedded | None:
        """Texts with their vectors, in order; None without an embedder. Raises ``EmbedderUnavailable``."""
        if self._embedder is None or not texts:
            return None
        try:
            vectors: Vector = await self._embedder.embed_batch(texts)
        except Exception as error:
            raise EmbedderUnavailable(model=name_of(self._embedder), problem=type(error).__name__) from error
        return Embedded(self._embedder.model_id, texts, vectors)

    async def ranked(
        self, question: str, found: Sequence[Document], *, scope: Scope
    ) -> list[tuple[Document, float | None]]:
        """Documents in order of the similarity of one of their texts to a question. Documents without texts come last;
        without an embedder the order does not change.
        """
        asked = await self.embed([question])
        if asked is None:
            return [(each, None) for each in found]
        ids = [each.id for each in found]
        near = await self.read(lambda shelf: shelf.closeness(ids, asked.model, asked.vectors[0]), scope=scope)
        scored = sorted((each for each in found if each.id in near), key=lambda each: -near[each.id])
        return [(each, near[each.id]) for each in scored] + [(each, None) for each in found if each.id not in near]


def refuse_secrets(value: Any) -> None:
    """Raise ``SecretRefused`` if a text in a JSON value contains a secret."""
    secrets.refuse(*_texts(value))


def without_secrets(value: Any) -> Any:
    """The JSON value with the secrets in its texts masked."""
    match value:
        case str():
            return secrets.mask(value).text
        case dict():
            return {key: without_secrets(each) for key, each in value.items()}
        case list() | tuple():
            return [without_secrets(each) for each in value]
    return value


def _texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for key, each in value.items() for text in (str(key), *_texts(each))]
        case list() | tuple():
            return [text for each in value for text in _texts(each)]
    return []
