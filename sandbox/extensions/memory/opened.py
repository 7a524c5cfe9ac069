"""What an open memory is made of, and how its parts are reached."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from sandbox.extensions.memory.arguments import public
from sandbox.extensions.memory.assemble.context import Assembler
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import OpenedElsewhere
from sandbox.extensions.memory.govern.secrets import ASKING
from sandbox.extensions.memory.ingest import record
from sandbox.extensions.memory.ingest.documents import Documents
from sandbox.extensions.memory.ingest.embed import BacklogWorker
from sandbox.extensions.memory.ingest.project import scope_in
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory.ports import LanguageModel, Reranker, TokenCounter
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.retrieve.recalls import RecallCounter
from sandbox.extensions.memory.store import sessions
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.pace import off_loop
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.tokens import EstimatedTokens
from sandbox.extensions.memory.times import to_ms
from sandbox.support.embedder import Embedder
from sandbox.support.here import Here
from sandbox.support.times import Clock

if TYPE_CHECKING:  # learning takes as long to import as everything else together, and is seldom wanted
    from sandbox.extensions.memory.consolidate.learner import Learner

T = TypeVar("T")

DEFAULT_SCOPE = Scope()


class OpenMemory:
    """The parts of one open memory, wired together; ``memory.py`` says what is done with them. What its public methods
    are given is checked, and where they are called: it works in one process and one event loop.
    """

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if not name.startswith("_") and iscoroutinefunction(method):
                setattr(cls, name, public(method))

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        config: Config,
        clock: Clock,
        model: LanguageModel | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._here = Here()
        self._store = store
        self._embedder = embedder
        self._model = model
        self._config = config
        self._clock = clock
        self._worker = BacklogWorker(store, embedder) if embedder and not store.read_only else None
        self._turns = record.Turns()
        self._looking_up = asyncio.Lock()
        self._speaking = WeakValueDictionary[tuple[str, str], asyncio.Lock]()  # one for each session
        self._recall = Recall(store, embedder, config, reranker)
        self._recalls = RecallCounter(store, config.decay_threshold)
        counter = embedder if isinstance(embedder, TokenCounter) else EstimatedTokens()
        self._assembler = Assembler(store, self._recall, counter, config)
        self._learning: Learner | None = None

    def scope_in(self, folder: Path | str | None, *, user_id: str = "default", project_id: str | None = None) -> Scope:
        """Whose memory is meant where somebody works in a folder: that of the repository it is in, in whatever clone or
        worktree, or of a project that is named; where ``across_projects`` is ``all``, the user's.
        """
        return scope_in(folder, self._config.across_projects, user_id=user_id, project_id=project_id)

    @property
    def config(self) -> Config:
        """The settings it was opened with."""
        return self._config

    @property
    def documents(self) -> Documents:
        """What programs keep beside the memory, exactly as they gave it."""
        return Documents(self._store, self._embedder, self._now_ms)

    async def _learner(self) -> "Learner":
        """Made when it is first wanted, and imported in a thread: that takes as long as everything else together."""
        if self._learning is None:
            await asyncio.to_thread(import_module, "sandbox.extensions.memory.consolidate.learner")
            from sandbox.extensions.memory.consolidate.learner import Learner

            self._learning = self._learning or Learner(
                self._store, self._recall, self._embedder, self._model, self._config, self._now_ms, self._wake
            )
        return self._learning

    async def _drafts(self, messages: Sequence[Message], scope: Scope) -> list[Draft]:
        """Of messages in the order they were said; many, and a long one, are made in a thread."""
        now = self._now_ms()

        def make() -> list[Draft]:
            return [self._turns.episode(each, scope, now, self._config).draft for each in messages]

        if len(messages) != 1:
            await self._look_up(messages, scope)
            return await asyncio.to_thread(make)
        (message,) = messages
        session = str(message.session or scope.session_id)
        async with self._speaking.setdefault((scope.user_id, session), asyncio.Lock()):
            await self._look_up(messages, scope)  # and what is said after a long turn waits for it
            return await off_loop(len(str(message.content)), make)

    async def _look_up(self, messages: Sequence[Message], scope: Scope) -> None:
        """Where sessions that go on stopped. Calls wait for those before them: no turn overtakes another."""
        async with self._looking_up:
            if unknown := self._turns.unknown(messages, scope):
                find = partial(sessions.endings, scope=scope, session_ids=unknown, characters=ASKING)
                self._turns.know(unknown, await self._store.read(find), scope)

    async def _write(self, function: Callable[[Transaction], T]) -> T:
        self._recalls.flush()
        result = await self._store.write(function)
        self._wake()
        return result

    async def _read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Read what was written, recalls that nobody waited for included."""
        self._recalls.flush()
        await self._store.settled()
        return await self._store.read(function)

    def _filter(self, scope: Scope) -> Filter:
        return Filter(scope, self._now_ms())

    def _now_ms(self) -> int:
        return to_ms(self._clock(), "clock")

    def _wake(self, *, at_once: bool = False) -> None:
        if self._worker is not None:
            self._worker.wake(at_once=at_once)

    def _check_here(self) -> None:
        if place := self._here.elsewhere():
            raise OpenedElsewhere(place=place)

    async def _close(self) -> None:
        self._check_here()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._store.close)
            if self._worker is not None:
                stack.push_async_callback(self._worker.close)
            self._recalls.flush()
            await self._recall.close()
