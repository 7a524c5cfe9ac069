"""The facade: everything a person, an assistant or a program can do with a memory is a method here.

Values are prepared by ``ingest``, written by ``store``, found by ``retrieve``, put together by ``assemble``. Every face
translates to these methods and adds nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from sandbox.extensions.memory.arguments import checked
from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import DatabaseDamaged, DatabaseReplaced, DiskFailed
from sandbox.extensions.memory.ingest import bulk, episodes, record
from sandbox.extensions.memory.ingest.embed import check_embedder
from sandbox.extensions.memory.knowing import Knowing
from sandbox.extensions.memory.looking import Looking
from sandbox.extensions.memory.model import (
    AsOf,
    Block,
    CognitiveType,
    EntityProfile,
    Explanation,
    Hit,
    Message,
    Record,
    Role,
    Scope,
    Statistics,
    Visibility,
)
from sandbox.extensions.memory.opened import DEFAULT_SCOPE
from sandbox.extensions.memory.opening import DATABASE as DATABASE
from sandbox.extensions.memory.opening import embedded, make_folder
from sandbox.extensions.memory.ports import LanguageModel, Reranker, model_of
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.reports import Learning, LearningReport, MaintenanceReport, NightProgress, SessionReport
from sandbox.extensions.memory.retrieve.narrow import narrow, positive
from sandbox.extensions.memory.retrieve.recall import check_parts
from sandbox.extensions.memory.store import inspect, sessions
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder
from sandbox.support.times import Clock, system_clock
from sandbox.support.trust import Trust


class Memory(Knowing, Looking):
    """One open memory. Times are aware datetimes; every method raises the errors of ``errors.py``."""

    @classmethod
    @asynccontextmanager
    @checked
    async def open(
        cls,
        folder: Path | str,
        *,
        config: Mapping[str, Any] | Config | None = None,
        embedder: Embedder | Literal["embedded"] | None = "embedded",
        model: LanguageModel | None = None,
        reranker: Reranker | None = None,
        clock: Clock = system_clock,
    ) -> "AsyncIterator[Memory]":
        """The memory in ``folder/memory.db``, made where there is none; closed, with every write done, at the end.

        ``embedder`` is the embedded one, another, or None for words alone; ``model`` is what learning asks, None for
        rules; ``reranker`` reads the best of what is found again, None for none. A file that cannot be written is
        opened for reading. Raises ``NotADatabase``, ``DatabaseTooNew``,
        ``DatabaseReadOnly``, ``ConfigurationError``.
        """
        settings = config if isinstance(config, Config) else Config.load(config)
        check_parts(settings)
        path = make_folder(folder) / DATABASE
        store = await Store.open(path, lambda: to_ms(clock()), settings.decay_threshold)
        memory = cls(store, embedded() if embedder == "embedded" else embedder, settings, clock, model, reranker)
        try:
            yield memory
        finally:
            await memory._close()

    # --- what happens -------------------------------------------------------------------------------------------

    async def observe(
        self,
        role: Role,
        content: str,
        *,
        session: str | None = None,
        at: datetime | None = None,
        speaker: str | None = None,
        key: str | None = None,
        source: str = "conversation",
        trust: Trust | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> str:
        """Remember one turn; its id, once it is on the disk. The same (source, key) is remembered once. Secrets are
        masked. ``at`` is now where it is not given; ``trust`` is less than the role's own where less trusted things
        went into it. Raises ``InvalidContent``, ``InvalidArgument``.
        """
        message = Message(role, content, session, at, speaker, key, source, trust)
        drafts = await self._drafts([message], scope)
        return (await self._write(partial(episodes.record, drafts=drafts, scope=scope)))[0].id

    async def observe_many(self, messages: Iterable[Message], *, scope: Scope = DEFAULT_SCOPE) -> list[str]:
        """Remember turns in bulk, in order; the id of each. Stored in transactions of some hundred: a message that is
        refused stops it there, and what came in earlier transactions stays.
        """
        remaining = iter(messages)

        async def prepare() -> list[Draft] | None:
            said = await asyncio.to_thread(lambda: list(islice(remaining, bulk.SIZE)))
            return await self._drafts(said, scope) or None

        async def write(drafts: list[Draft]) -> list[episodes.Recorded]:
            return await self._write(partial(episodes.record, drafts=drafts, scope=scope))

        return [each.id async for _, stored in bulk.pipelined(prepare, write) for each in stored]

    async def end_session(self, session: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """A conversation is over: it now waits to be learnt from. What is said in it later opens it again."""
        name = record.clean_name("session", session) or ""
        await self._write(lambda tx: sessions.end(tx, name, scope))

    async def consolidate(
        self, session: str | None = None, *, scope: Scope = DEFAULT_SCOPE, progress: Learning | None = None
    ) -> LearningReport:
        """Learn from what is new in a session of the scope's project, whether or not it is over; without one, from all
        of the user's that wait. What is learnt is seen where it was said, and the report tells what the scope may see.
        A model reads where there is one, else rules. Again, or by several at once, nothing is learnt twice. Raises
        ``UnknownSession``.
        """
        if session is None:
            return await (await self._learner()).consolidate_pending(scope, progress)
        return await (await self._learner()).consolidate(record.clean_name("session", session) or "", scope)

    # --- what is found ------------------------------------------------------------------------------------------

    async def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        types: Sequence[CognitiveType] | None = None,
        category: str | None = None,
        visibility: Visibility | None = None,
        entity: str | None = None,
        after: datetime | str | None = None,
        before: datetime | str | None = None,
        as_of: datetime | AsOf | None = None,
        now: datetime | None = None,
        history: bool = False,
        reinforce: bool = True,
        scope: Scope = DEFAULT_SCOPE,
    ) -> list[Hit]:
        """The best memories for a question, best first; for an empty one, the latest. Without a ``limit`` 5, or 20
        where the question is complex. ``after`` and ``before`` also take ``last_week``, ``last_month`` and
        ``YYYY-MM-DD``; without either, a question for what happened in some time is answered from that. ``visibility``
        is that of what is wanted. ``history`` brings what was replaced or has faded too. Unless ``reinforce`` is off,
        being found strengthens a memory.
        """
        limit = None if limit is None else positive("limit", limit)
        moment = now or self._clock()
        filter_ = await self._store.read(
            lambda connection: narrow(
                connection,
                scope,
                moment,
                types=types,
                entity=entity,
                after=after,
                before=before,
                as_of=as_of,
                history=history,
            )
        )
        filter_ = replace(filter_, category=category, visibility=visibility)
        found = await self._recall.find(question, filter_, limit, moment)
        if reinforce:
            self._recalls.count("search", [each.node.id for each in found], scope, self._now_ms())
        asked = terms(question)
        return [views.hit(each, filter_.now, asked) for each in found]

    async def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str | None = None,
        include_session: bool = True,
        now: datetime | None = None,
        reinforce: bool = True,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Block | None:
        """What to put before the assistant for a prompt, at most ``budget`` tokens (None: by the prompt's complexity);
        None where nothing is relevant. Being shown strengthens a memory once a session. With ``include_session`` off,
        turns of ``session`` itself are left out, for an assistant that still sees them.
        """
        if budget is not None:
            budget = positive("budget", budget)
        scope = replace(scope, session_id=scope.session_id or record.clean_name("session", session))
        hidden = None if include_session else scope.session_id
        moment = now or self._clock()
        filter_ = Filter(scope, to_ms(moment, "now"), quarantined=False, without_turns_of=hidden)
        assembled = await self._assembler.assemble(prompt, filter_, budget, moment)
        if assembled is None:
            return None
        if reinforce:
            self._recalls.count(
                "context", assembled.node_ids, scope, self._now_ms(), scope.session_id or f"day {filter_.now // DAY}"
            )
        return assembled.block

    async def explain(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> Explanation:
        """How something is known: versions, the turns it rests on, what it replaced or may be in conflict with, what
        happened to it.
        """
        return await self._read(lambda connection: views.explanation(connection, id, self._filter(scope)))

    async def entity(self, name: str, *, scope: Scope = DEFAULT_SCOPE) -> EntityProfile:
        """What is known about a person, project, place or thing. Raises ``UnknownEntity``."""
        return await self._read(lambda connection: views.profile(connection, name, self._filter(scope)))

    async def profile(self, *, scope: Scope = DEFAULT_SCOPE) -> UserProfile:
        """How the user is to be addressed and what they are up to, each value with the memory it is from. It changes
        with that: correct, forget or replace it. Context shows how to address them, whatever is asked.
        """
        return await self._read(lambda connection: profile(connection, replace(self._filter(scope), quarantined=False)))

    async def weak(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[Record, ...]:
        """Knowledge that fades within ``fading_days`` unless it is recalled or confirmed, the first to fade first."""
        limit, window = positive("limit", limit), self._config.fading_window
        return await self._read(lambda connection: views.weak(connection, self._filter(scope), window, limit))

    async def sessions(
        self, *, limit: int = 50, offset: int = 0, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[SessionReport, ...]:
        """Conversations, the latest first, behind the one whose ``cursor`` it is, after so many that are passed over.
        Raises ``InvalidArgument`` for what is no cursor.
        """
        limit = positive("limit", limit)
        return await self._read(lambda connection: sessions.listed(connection, scope, limit, max(0, offset), cursor))

    async def statistics(self, *, scope: Scope = DEFAULT_SCOPE) -> Statistics:
        """A snapshot of what is held."""
        return await self._read(lambda connection: inspect.statistics(connection, scope, self._store.path))

    # --- keeping it in order ------------------------------------------------------------------------------------

    async def maintain(
        self, *, only: Sequence[str] | None = None, dry_run: bool = False, progress: NightProgress | None = None
    ) -> MaintenanceReport:
        """The nightly run, for everybody, or those of its steps that ``only`` names; what each did. Running it twice
        changes nothing. A dry run tells what it would do and what asking a model would cost. Raises ``UnknownStep``.
        """
        from sandbox.extensions.memory.asking.budget import Budget
        from sandbox.extensions.memory.maintain import night
        from sandbox.extensions.memory.maintain.step import Night

        self._recalls.flush()
        now, learner = self._now_ms(), await self._learner()
        run = Night(
            store=self._store,
            config=self._config,
            now=now,
            model=self._model,
            embedder=self._embedder,
            budget=await Budget.open(self._store, self._config, now),
            dry_run=dry_run,
            learn=lambda budget, tell: learner.consolidate_pending(None, tell, budget),
            settle=self.wait_until_embedded,
        )
        return await night.maintain(run, only=only, progress=progress)

    async def check(self) -> list[Check]:
        """Whether the file, what is derived from it and the providers are in order."""
        model = model_of(self._embedder) if self._embedder else None
        try:
            checks = await self._read(lambda connection: inspect.check(connection, model))
        except (DatabaseDamaged, DatabaseReplaced, DiskFailed) as error:
            checks = [inspect.unreadable(error)]
        problem = self._recall.problem or (self._worker.problem if self._worker else None)
        return [
            *checks,
            await inspect.check_writable(self._store),
            *inspect.check_private(self._store.path),
            await check_embedder(self._embedder, problem),
            await (await self._learner()).check(),
        ]

    async def wait_until_embedded(self) -> None:
        """Returns once every memory has its vector, at once where there is no embedder. Raises
        ``EmbedderUnavailable`` where the provider fails.
        """
        if self._worker is not None:
            await self._worker.wait()
