"""The objects that ``Memory`` and its parts share: the store, the search, the settings, the clock and the providers."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import DatabaseDamaged, DatabaseReplaced, DiskFailed, OpenedElsewhere
from sandbox.extensions.memory.ingest.embed import BacklogWorker, check_embedder
from sandbox.extensions.memory.model import FilterOptions, Scope
from sandbox.extensions.memory.ports import LanguageModel, model_of
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.retrieve.recall_counter import RecallCounter
from sandbox.extensions.memory.store import checks
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.search import build_filter
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.times import SteadyClock, to_ms
from sandbox.support.affinity import Here
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder

T = TypeVar("T")


class Runtime:
    """The store, the search over it, and the providers. They work in one process and one event loop."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        config: Config,
        clock: SteadyClock,
        model: LanguageModel | None,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.model = model
        self.config = config
        self.clock = clock
        self.recall = Recall(store, embedder, config)
        self.recalls = RecallCounter(store)
        self._worker = BacklogWorker(store, embedder) if embedder and not store.read_only else None
        self.here = Here()

    async def write(self, function: Callable[[Transaction], T]) -> T:
        """Change the store; new memories are embedded in the background."""
        self.recalls.flush()
        result = await self.store.write(function)
        self.wake()
        return result

    async def read(self, function: Callable[[Snapshot], T]) -> T:
        """Read the store, including pending reinforcements."""
        self.recalls.flush()
        await self.store.settled()
        return await self.store.read(function)

    def filter(self, scope: Scope) -> Filter:
        """The filter for everything that the scope sees now."""
        return Filter(scope, self.now_ms(), allowed=self.config.allowed(scope.agent_id))

    def narrowed(self, snapshot: Snapshot, scope: Scope, now: datetime, wanted: FilterOptions) -> Filter:
        """The filter for the wanted memories that the scope sees at ``now``. Raises ``InvalidArgument``."""
        return replace(
            build_filter(snapshot, scope, now, self.config, wanted), clock=to_ms(self.clock.source(), "clock")
        )

    def now_ms(self) -> int:
        """Milliseconds by the memory's clock."""
        return to_ms(self.clock(), "clock")

    def wake(self, *, at_once: bool = False) -> None:
        """Start the embedding of new memories."""
        if self._worker is not None:
            self._worker.wake(at_once=at_once)

    async def wait_until_embedded(self) -> None:
        """Return when every memory has its vector. Raises ``EmbedderUnavailable``."""
        if self._worker is not None:
            await self._worker.wait()

    async def check(self) -> list[Check]:
        """Whether the file, its indexes and the embedder are in order."""
        model = model_of(self.embedder) if self.embedder else None
        try:
            found = await self.read(lambda snapshot: checks.check(snapshot, model))
        except (DatabaseDamaged, DatabaseReplaced, DiskFailed) as error:
            found = [checks.unreadable(error)]
        problem = self.recall.understanding.problem or (self._worker.problem if self._worker else None)
        return [
            *found,
            await checks.check_writable(self.store),
            *checks.check_private(self.store.path),
            await check_embedder(self.embedder, problem),
        ]

    def check_here(self) -> None:
        """Raises ``OpenedElsewhere``."""
        if place := self.here.elsewhere():
            raise OpenedElsewhere(place=place)

    async def close(self) -> None:
        """Finish every write."""
        self.check_here()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.store.close)
            if self._worker is not None:
                stack.push_async_callback(self._worker.close)
            self.recalls.flush()
            await self.recall.understanding.close()
