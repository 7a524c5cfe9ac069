"""The durable backlog of memories without a vector. It is worked off in the background."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from functools import partial

from sandbox.extensions.memory.errors import (
    DatabaseBusy,
    DiskFailed,
    DiskFull,
    EmbedderUnavailable,
    StoreClosed,
    StoreError,
    VectorsNotStored,
)
from sandbox.extensions.memory.ports import checked, model_of, name_of
from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder, Vector

logger = logging.getLogger(__name__)

_FIRST_BATCH, _BATCH = 32, 512  # texts embedded and stored together, at first and at most
_QUICK = 1.0  # seconds; after a batch that takes less, the next is twice as large, otherwise half as large
_GATHER = 0.4  # seconds to wait for more memories, so that a lively conversation causes fewer commits
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds after a failure, doubled each time


class ModelReplaced(RuntimeError):
    """Another program has embedded the open memory anew by its own model."""


class BacklogWorker:
    """Embeds the backlog until it is closed: first the rest of an earlier run, then new memories. If the provider's
    model is new, it embeds everything anew, but once: two open programs with two models would do it at every turn.

    After an error of the provider it tries again with growing pauses. A memory leaves the backlog only when its vector
    is stored.
    """

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._added = asyncio.Event()
        self._drained = asyncio.Event()
        self._failed = asyncio.Event()
        self._awaited = asyncio.Event()
        self._hurried = False
        self._has_answered = False  # whether questions were once answered by the provider's model
        self._batch = _FIRST_BATCH
        self._complete = False  # whether the backlog is known to hold every memory without a vector
        self._error: Exception | None = None
        self.problem: str | None = None
        self._task = asyncio.create_task(self._run(), name="memory-embedding")

    def wake(self, *, at_once: bool = False) -> None:
        """Start work on new memories; ``at_once`` skips the pause, for imports, which may restore another model."""
        self._hurried |= at_once
        self._has_answered &= not at_once
        self._drained.clear()
        self._added.set()

    async def wait(self) -> None:
        """Return when the backlog is empty. Raises ``EmbedderUnavailable`` if the provider fails meanwhile,
        ``VectorsNotStored`` if the disk does.
        """
        self._failed.clear()
        self._awaited.set()
        self.wake()
        drained = asyncio.create_task(self._drained.wait())
        failed = asyncio.create_task(self._failed.wait())
        try:
            ended, _ = await asyncio.wait({drained, failed, self._task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            drained.cancel()
            failed.cancel()
            self._awaited.clear()
        if drained in ended:  # even if new memories have arrived since
            return
        if self._task.done():
            raise StoreClosed(path=self._store.path)
        if isinstance(self._error, DiskFull | DiskFailed | DatabaseBusy):
            raise VectorsNotStored(problem=str(self._error))
        if isinstance(self._error, StoreError):
            raise self._error
        raise EmbedderUnavailable(model=name_of(self._embedder), problem=self.problem or "stopped")

    async def close(self) -> None:
        """Stop. The next start continues with the backlog."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            self._added.clear()
            try:
                await self._drain()
            except Exception as error:  # a provider may raise anything; the backlog is durable, so try again
                self._report(error)
                await self._sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 2)
                continue
            pause, self.problem = _FIRST_PAUSE, None
            if not self._added.is_set():
                self._drained.set()
                await self._added.wait()
            if not self._hurried:
                await self._sleep(_GATHER)
            else:
                self._hurried = False

    async def _drain(self) -> None:
        number = await self._adopt()
        if not self._complete:
            if await self._store.read(vectors.has_several_models):
                await self._store.write(lambda tx: vectors.requeue_missing(tx, number))
            self._complete = True
        while waiting := await self._store.read(partial(vectors.backlog, limit=self._batch)):
            started = time.monotonic()
            matrix = await embedded(self._embedder, list(waiting.values()))
            is_quick = time.monotonic() - started < _QUICK
            found = dict(zip(waiting, matrix, strict=True))
            await self._store.write(
                partial(vectors.store, model=self._embedder.model_id, vectors=found), low_priority=True
            )
            if len(waiting) < self._batch:
                break  # memories that arrived meanwhile have set the event again
            self._batch = min(self._batch * 2, _BATCH) if is_quick else max(self._batch // 2, 1)
        if await self._store.read(vectors.active_model) != self._embedder.model_id:
            switched = await self._store.write(lambda tx: vectors.switch_model(tx, self._embedder.model_id))
            if not switched:  # the backlog has grown
                self._added.set()

    async def _adopt(self) -> int:
        """The number of the provider's model; of a new one, every memory waits. Raises ``ModelReplaced``."""
        if model_of(self._embedder) is None:
            await self._embedder.embed_batch(["a"])  # a server tells its model with its first answer
        name = self._embedder.model_id
        number = await self._store.read(lambda connection: vectors.answering_model(connection, name))
        if number is not None:
            self._has_answered = True
        elif self._has_answered:
            raise ModelReplaced("another program embeds this memory by another model; give both the same one")
        else:
            dimensions = self._embedder.dimensions
            number = await self._store.write(lambda tx: vectors.adopt_model(tx, name, dimensions))
        return number

    def _report(self, error: Exception) -> None:
        self._error = error
        if isinstance(error, StoreError):
            failure = "vectors could not be stored (%s); what they belong to is stored; trying again"
        else:
            failure = f"the embedding provider {name_of(self._embedder)} failed (%s); trying again"
            self.problem = f"{type(error).__name__}: {error}".rstrip(".: ")
        logger.warning(failure, type(error).__name__)
        self._failed.set()

    async def _sleep(self, pause: float) -> None:
        """Pause, or return early if somebody waits for an empty backlog."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._awaited.wait()


async def embedded(embedder: Embedder, texts: Sequence[str]) -> Vector:
    """Vectors of texts. Raises the provider's errors, and ``ValueError`` if it returns something else."""
    return checked(await embedder.embed_batch(texts), len(texts), embedder)


async def check_embedder(embedder: Embedder | None, problem: str | None) -> Check:
    """Whether the provider answers now, and its last problem."""
    if embedder is None:
        return Check("embedding", True, "none: search goes by words alone", finding="no_embedder")
    try:
        await embedded(embedder, ["health"])
    except Exception as error:  # a provider is foreign code
        name, problem = name_of(embedder), problem or str(error) or type(error).__name__
        silent = f"the provider {name} does not answer ({problem})"
        advice = "words answer until the provider is back; see its settings"
        return Check("embedding", False, silent, advice, "silent_embedder", {"model": name, "problem": problem})
    name = name_of(embedder)
    return Check("embedding", True, name, finding="embedder", values={"model": name})
