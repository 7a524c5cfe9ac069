"""The facade: everything a person, an assistant or a program can do with a memory is a method here.

Each part that it holds does what its name says: ``conversations.py`` stores what is said, ``knowledge.py`` changes what
is known, ``learning.py`` learns from the one for the other; ``retrieve`` finds and ``assemble`` puts together what is
asked for. Every interface translates to these methods and adds nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal, Unpack

from sandbox.extensions.memory.answers import Answers
from sandbox.extensions.memory.arguments import checked, facade
from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.page import page
from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.authority import check_change
from sandbox.extensions.memory.call_context import Interface, through
from sandbox.extensions.memory.claim import Claim
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.conversations import Conversations, selected
from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.decisions import Decisions
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.filter_options import FilterOptions, ListOrder, Order
from sandbox.extensions.memory.ingest import cleaning, exporting, record
from sandbox.extensions.memory.ingest.documents import Documents
from sandbox.extensions.memory.ingest.project import scope_in
from sandbox.extensions.memory.knowledge import Knowledge
from sandbox.extensions.memory.learning import Learning
from sandbox.extensions.memory.listings import (
    Confidence,
    Conflict,
    Counts,
    Day,
    Duplicate,
    Entity,
    Happened,
    Listed,
    MemoryContext,
    Neighbourhood,
    Page,
    PassedOver,
    Proposal,
    SessionReport,
    Spending,
    Turns,
    Weighed,
)
from sandbox.extensions.memory.model import (
    USUAL_IMPORTANCE,
    AsOf,
    Block,
    Change,
    CognitiveType,
    EntityProfile,
    Explanation,
    Hit,
    Message,
    OnSimilar,
    Record,
    Role,
    Scope,
    Statement,
    Statistics,
)
from sandbox.extensions.memory.opening import DATABASE as DATABASE
from sandbox.extensions.memory.opening import embedded, existing, make_folder
from sandbox.extensions.memory.ports import LanguageModel, Reranker
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.reports import (
    ErasureReport,
    ExportReport,
    ImportProgress,
    ImportReport,
    LearningProgress,
    LearningReport,
    MaintenanceReport,
    NightProgress,
    UndoReport,
)
from sandbox.extensions.memory.retrieve.recall import check_parts
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import inspect, sessions
from sandbox.extensions.memory.store.changes import history
from sandbox.extensions.memory.store.changes.undo import Selection
from sandbox.extensions.memory.store.entities import contexts, entities
from sandbox.extensions.memory.store.reading import browsing
from sandbox.extensions.memory.store.reading.filter_building import check_category, positive
from sandbox.extensions.memory.store.sqlite import encrypting
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.times import to_ms
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder
from sandbox.support.times import Clock, system_clock
from sandbox.support.trust import Trust

DEFAULT_SCOPE = Scope()
_MOST_HOPS = 3
_FARTHEST = timedelta(hours=14)  # from UTC that a time zone is


@facade
class Memory:
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
        interface: Interface = "library",
    ) -> "AsyncIterator[Memory]":
        """Open the memory in ``folder/memory.db``, and create it if there is none. At the end it finishes its writes
        and closes.

        ``embedder`` computes vectors; with None, only words are searched. ``model`` is the language model that learning
        asks; with None, rules learn. ``reranker`` reads the best results again. The log records that changes came
        through ``interface``. A file that cannot be written is opened for reading. Raises ``NotADatabase``,
        ``DatabaseTooNew``, ``DatabaseReadOnly``, ``ConfigurationError``.
        """
        settings = config if isinstance(config, Config) else Config.load(config)
        check_parts(settings)
        path = make_folder(folder) / DATABASE
        store = await Store.open(path, lambda: to_ms(clock()), settings.decay_threshold)
        embedder = embedded() if embedder == "embedded" else embedder
        runtime = Runtime(store, embedder, settings, clock, model, reranker)
        try:
            yield cls(runtime, interface)
        finally:
            await runtime.close()

    @staticmethod
    async def encrypt(folder: Path | str) -> None:
        """Encrypt ``folder/memory.db`` in place, with the key that ``MEMORY_KEY`` holds in the environment or the
        keyring; where there is none, one is made and put into the keyring. Raises ``AlreadySo``, ``InUse``,
        ``KeyMissing``, ``MissingPackage``, ``InvalidArgument`` where there is no such file.
        """
        await asyncio.to_thread(encrypting.encrypt, existing(folder))

    @staticmethod
    async def decrypt(folder: Path | str) -> None:
        """Write ``folder/memory.db`` anew without encryption. Raises like ``encrypt``, and ``KeyRefused``."""
        await asyncio.to_thread(encrypting.decrypt, existing(folder))

    @staticmethod
    def schema() -> dict[str, Any]:
        """The JSON Schema (2020-12) of the objects that a memory gives, by name in ``$defs``."""
        from sandbox.extensions.memory.schema import schema

        return schema()

    def __init__(self, runtime: Runtime, interface: Interface = "library") -> None:
        self._runtime, self._interface = runtime, interface
        self._read, self._write, self._filter = runtime.read, runtime.write, runtime.filter
        self._conversations = Conversations(runtime)
        self._knowledge = Knowledge(runtime)
        self._decisions = Decisions(runtime)
        self._learning = Learning(runtime)
        self._answers = Answers(runtime)

    def _check_here(self) -> None:
        self._runtime.check_here()

    @property
    def config(self) -> Config:
        """The settings it was opened with."""
        return self._runtime.config

    def scope_in(self, folder: Path | str | None, *, user_id: str = "default", project_id: str | None = None) -> Scope:
        """The scope for work in a folder: the project is the repository of the folder, the same for each clone and
        worktree, or ``project_id``. If ``across_projects`` is ``all``, the scope has no project.
        """
        return scope_in(folder, self._runtime.config.across_projects, user_id=user_id, project_id=project_id)

    @property
    def documents(self) -> Documents:
        """Documents that programs store beside the memory. It returns them exactly as they were given."""
        return Documents(self._runtime.store, self._runtime.embedder, self._runtime.now_ms)

    # --- what happens ------------------------------------------------------------------------------------------------

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
        """Remember one turn, and return its id when it is on the disk. The same (source, key) is remembered once.
        Secrets are masked. Without ``at`` the turn is said now. Without ``trust`` it has the trust of its role; give
        less if less trusted text went into it. Raises ``InvalidContent``, ``InvalidArgument``.
        """
        session = record.session_of(session, scope)
        message = Message(role, content, session, at, speaker, key, source, trust)
        return (await self._conversations.add([message], scope))[0]

    async def observe_many(self, messages: Iterable[Message], *, scope: Scope = DEFAULT_SCOPE) -> list[str]:
        """Remember many turns in order, and return their ids. A transaction stores some hundred turns. A message that
        is refused stops the call; earlier transactions stay.
        """
        return await self._conversations.add_many(messages, scope)

    async def end_session(self, session: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Mark a conversation as over, so that the memory learns from it. A later turn opens it again."""
        name = cleaning.clean_name("session", session) or ""
        await self._write(lambda tx: sessions.end(tx, name, scope))

    async def erase(
        self,
        id: str | None = None,
        *,
        session: str | None = None,
        subject: str | None = None,
        before: datetime | str | None = None,
        user: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
        scope: Scope = DEFAULT_SCOPE,
    ) -> ErasureReport:
        """Erase for good: a memory or a turn by its ``id``, a ``session``, memories about a ``subject``, memories from
        ``before`` a moment, or all memories of a ``user``; ``everything`` means those of every user. The call also
        erases what was learnt from the erased text alone, and names that nothing else contains. It writes the file
        anew, so that no byte stays. Memories that only an erased memory had replaced are valid again. With a project in
        the scope, only that project is erased. Without one, a session means a session of no project, and everything
        else means all projects. Only an administrator erases memories of other users or global ones. A dry run reports
        what would be erased. If the process dies, all or nothing is erased, and the next process that opens the memory
        removes the bytes. Raises ``InvalidArgument``, ``UnknownMemory``, ``NotAdministrator``, and
        ``BytesStay`` where another process keeps old bytes in use, or the disk is full: erased it is, and done again
        this sees to them.
        """
        now, named = self._runtime.clock(), {"id": id, "session": session, "subject": subject}
        selection, whose = selected(scope, now, user=user, everything=everything, before=before, **named)
        return await self._conversations.erase(selection, whose, everybody=everything, dry_run=dry_run)

    async def consolidate(
        self, session: str | None = None, *, scope: Scope = DEFAULT_SCOPE, progress: LearningProgress | None = None
    ) -> LearningReport:
        """Learn from new turns of a session of the scope's project, even if the session is not over. Without a session,
        learn from all sessions of the user that wait. A language model reads them, or rules if there is none. New
        knowledge is visible where it was said; the report lists what the scope may see. Nothing is learnt twice, even
        by several processes. Raises ``UnknownSession``.
        """
        name = None if session is None else cleaning.clean_name("session", session) or ""
        return await self._learning.consolidate(name, scope, progress)

    # --- what is known -----------------------------------------------------------------------------------------------

    async def remember(
        self,
        content: str,
        *,
        type: CognitiveType = "semantic",
        category: str = "fact",
        subject: str | None = None,
        tags: Sequence[str] = (),
        at: datetime | None = None,
        source: str = "explicit",
        on_similar: OnSimilar = "keep",
        key: str | None = None,
        rests_on: Sequence[str] = (),
        trust: Trust = "user",
        claims: Sequence[Claim] = (),
        importance: int = USUAL_IMPORTANCE,
        relevant_to: Sequence[str] = (),
        contexts: Sequence[str] = (),
        scope: Scope = DEFAULT_SCOPE,
    ) -> str:
        """Store a statement, and return its id. The same statement is stored once. If a predicate has one value at a
        time, a new value closes the validity of the old one; ``restore`` undoes that. ``on_similar`` says what happens
        if a similar memory is known: ``keep`` both, ``supersede`` the known one, or ``refuse`` (``SimilarMemory``).
        ``rests_on`` are ids of the turns that the statement was learnt from. Its trust is at most the lowest trust of
        these turns, and it is visible to nobody who cannot see all of them. Words that occur only in pasted text of
        these turns count as the assistant's. ``claims`` are the statement in a form that can be compared.
        ``importance`` is 1 to 5; a repeated statement keeps the higher value. ``relevant_to`` are ids or names of known
        entities that the statement helps with, without naming them. ``contexts`` are names of groups that it belongs
        to; a new group is made. A correction keeps both. Raises ``SecretRefused``, ``InvalidContent``,
        ``InvalidArgument``, ``UnknownMemory``, ``UnknownEntity``, ``TooManyFromOutside``.
        """
        statement = Statement(
            content,
            type,
            category,
            subject,
            tuple(tags),
            at,
            source,
            key,
            trust,
            tuple(claims),
            importance,
            tuple(relevant_to),
            tuple(contexts),
        )
        return await self._knowledge.remember(statement, rests_on, on_similar, scope)

    async def correct(
        self,
        id: str,
        content: str,
        *,
        rests_on: Sequence[str] = (),
        trust: Trust = "user",
        claims: Sequence[Claim] = (),
        category: str | None = None,
        confidence: float | None = None,
        version: int | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> str:
        """Correct a memory that was never true, and end what cannot be true beside the correction. The id stays; the
        old version becomes history. ``claims`` are the new content in a form that can be compared. ``rests_on`` are ids
        of the turns that corrected the memory; without them it rests on the scope's session, or else on the old
        sources. Raises ``LessTrusted`` if the turns or ``trust`` are trusted less than the memory, ``InvalidArgument``
        if somebody sees the memory but not the turns, ``ChangedMeanwhile`` if the memory has another ``version``.
        """
        right = record.Correction(content, trust, tuple(claims), category, confidence)
        return await self._knowledge.correct(id, right, rests_on, version, scope)

    async def confirm(
        self, id: str, *, by_person: bool = False, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Protect a memory: full confidence, no decay. ``by_person``, for interfaces that a person uses, also raises
        its trust to ``confirmed``. ``trust`` is the lowest trust of what led to this call. Raises ``LessTrusted`` where
        it is below the user's.
        """
        await self._knowledge.confirm(id, trust, scope, by_person=by_person)

    async def pin(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Keep a memory until it is unpinned: it does not fade, nothing retires it, and every context block shows it if
        it is the user's word. Raises ``LessTrusted`` if ``trust`` is below the user's.
        """
        await self._knowledge.pin(id, trust, scope, pinned=True)

    async def unpin(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Let a memory fade again, from now on, and be shown where it is relevant. Raises ``LessTrusted`` as ``pin``
        does.
        """
        await self._knowledge.pin(id, trust, scope, pinned=False)

    async def set_importance(
        self, id: str, importance: int, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Say how important a memory is, 1 to 5: what matters more comes first where room is short, and is kept longer
        by ``retention``. Raises ``InvalidArgument``, and ``LessTrusted`` as ``pin`` does.
        """
        await self._knowledge.set_importance(id, importance, trust, scope)

    async def proposals(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[Proposal, ...]:
        """Statements that wait for the user's consent, the oldest first. They would change who the user is, but were
        concluded or said by somebody else. The memory does not believe them, and deletes them after seven days.
        """
        return await self._decisions.proposals(scope)

    async def approve(self, id: str, *, content: str | None = None, scope: Scope = DEFAULT_SCOPE) -> str:
        """Accept a proposal, or the ``content`` that a person gives in its place, as confirmed; its id. Only interfaces
        that a person uses call this, no tool of an agent. Raises ``NoProposal``, ``SecretRefused``,
        ``InvalidContent``.
        """
        return await self._decisions.approve(id, content, scope)

    async def reject(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Reject a proposal: it is not proposed again. For a person, like ``approve``. Raises
        ``NoProposal``.
        """
        await self._decisions.reject(id, scope)

    async def conflicts(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[Conflict, ...]:
        """Pairs of memories of which perhaps only one is true, the latest first. ``forget`` or ``correct`` the wrong
        one, or say that both are true (``keep_both``).
        """
        return await self._decisions.conflicts(positive("limit", limit), scope)

    async def keep_both(self, id: str, other: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Say that both memories of a possible conflict are true. For a person, like ``approve``. Raises
        ``UnknownMemory``, ``NotCurrent``.
        """
        await self._decisions.keep_both(id, other, scope)

    async def duplicates(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[Duplicate, ...]:
        """Pairs of memories that likely say the same, the most similar first: of the latest 2,000, with all of one
        project and visibility. ``merge`` them, or say that they do not (``keep_apart``).
        """
        return await self._decisions.duplicates(positive("limit", limit), scope)

    async def merge(self, id: str, into: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Say that two memories say the same: the first becomes part of the other, which keeps its words and takes over
        what the first rests on, its tags and how long it lasts. ``restore`` makes them two again. Raises
        ``LessTrusted`` where ``trust`` is less than the first, ``InvalidArgument`` where not the same people see both.
        """
        await self._knowledge.merge(id, into, trust, scope)

    async def keep_apart(self, id: str, other: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Say of two memories that they do not say the same: they are no likely duplicates any more, and no night
        merges them. For a person, like ``approve``. Raises ``UnknownMemory``, ``NotCurrent``.
        """
        await self._decisions.keep_apart(id, other, scope)

    async def forget(
        self, id: str, *, trust: Trust = "user", version: int | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Hide a memory from every search and context until ``restore`` brings it back. Raises ``LessTrusted`` if
        ``trust`` is below that of the memory, ``ChangedMeanwhile`` if the memory has another ``version``.
        """
        await self._knowledge.forget(id, trust, version, scope)

    async def forget_all(
        self,
        *,
        dry_run: bool = False,
        trust: Trust = "user",
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> int:
        """Forget what is known and ``wanted``, or everything, as far as the scope may see and change it, but for what
        is trusted more than ``trust``; how much that is. What was said in conversations stays. ``restore`` brings back
        each.
        """
        return await self._knowledge.forget_all(trust, scope, wanted, dry_run=dry_run)

    async def restore(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Believe a forgotten or faded memory again, with new confidence. A replaced memory becomes valid again, beside
        the one that replaced it. A memory that is believed and true does not change. Raises ``LessTrusted`` if
        ``trust`` is below the user's.
        """
        await self._knowledge.restore(id, trust, scope)

    async def undo(
        self,
        change: int | None = None,
        *,
        night: bool = False,
        session: str | None = None,
        source: str | None = None,
        interface: Interface | None = None,
        since: datetime | None = None,
        dry_run: bool = False,
        trust: Trust = "user",
        scope: Scope = DEFAULT_SCOPE,
    ) -> UndoReport:
        """Take changes back that the scope sees: one, by its ``seq``; those of the last ``night``; what was learnt from
        a ``session``; or what came from a ``source``, or through an ``interface``, ``since`` a moment. What they
        brought is retired, what they ended holds again, and what rests on them alone goes as well: profile, summaries
        and insights follow. Nothing of it is lost: undo ``change`` of the report, and it is as before. Raises
        ``InvalidArgument`` where not just one of these is given, and ``LessTrusted`` where ``trust`` is less than the
        user's.
        """
        given = (change, night or None, session, source, interface)
        if sum(each is not None for each in given) != 1:
            expected = "give just one of change, night, session, source and interface"
            raise InvalidArgument(argument="change", value=change, expected=expected)
        if since is not None and source is None and interface is None:
            raise InvalidArgument(argument="since", value=since, expected="give it with source or interface")
        after = 0 if since is None else to_ms(since, "since")
        wanted = Selection(change, night, cleaning.clean_name("session", session), source, interface, after)
        return await self._knowledge.undo(wanted, trust, scope, dry_run=dry_run)

    async def merge_entities(
        self, name: str, into: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Say that two are one: what is called ``name``, or has that id, becomes part of what is called ``into``, with
        all its names and memories. ``split_entity`` undoes it. Raises ``UnknownEntity``, ``InvalidArgument``,
        and ``LessTrusted`` where ``trust`` is less than the user's.
        """
        check_change(name, trust)
        await self._write(lambda tx: entities.join(tx, name, into, scope))

    async def split_entity(self, name: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Undo the last merge into what is called ``name``, or has that id: both are as they were, and learning does
        not merge them again. Raises ``UnknownEntity``, ``NotMerged``, and ``LessTrusted`` where ``trust`` is less than
        the user's.
        """
        check_change(name, trust)
        await self._write(lambda tx: entities.part(tx, name, scope))

    # --- keeping it in order -----------------------------------------------------------------------------------------

    async def maintain(
        self, *, only: Sequence[str] | None = None, dry_run: bool = False, progress: NightProgress | None = None
    ) -> MaintenanceReport:
        """The nightly run, for everybody, or those of its steps that ``only`` names; what each did. Running it twice
        changes nothing. A dry run tells what it would do and what asking a model would cost. Raises ``UnknownStep``.
        """
        with through("night"):
            return await self._learning.maintain(only, progress, dry_run=dry_run)

    async def check(self) -> list[Check]:
        """Check the file, the indexes that are derived from it, and the providers."""
        return [*await self._runtime.check(), await self._learning.check()]

    async def wait_until_embedded(self) -> None:
        """Return when every memory has its vector; at once if there is no embedder. Raises
        ``EmbedderUnavailable`` where the provider fails.
        """
        await self._runtime.wait_until_embedded()

    # --- what is found -----------------------------------------------------------------------------------------------

    async def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        threshold: float | None = None,
        order: Order = "relevance",
        now: datetime | None = None,
        reinforce: bool = True,
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> list[Hit]:
        """The best memories for a question, of what is ``wanted``, best first or in another ``order``; for an empty
        question, the latest. Without a ``limit`` 5, or 20 where the question is complex; with a ``threshold`` only what
        is at least so similar (cosine). Without ``after`` and ``before`` a question for what happened in some time is
        answered from that. Unless ``reinforce`` is off, being found strengthens a memory. Raises ``InvalidArgument``.
        """
        moment = now or self._runtime.clock()
        narrowed = partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted)
        limit = _positive_or_none("limit", limit)
        return await self._answers.search(question, narrowed, limit, threshold, order, moment, reinforce=reinforce)

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
        **wanted: Unpack[FilterOptions],
    ) -> Block | None:
        """What to put before the assistant for a prompt, at most ``budget`` tokens (None: by the prompt's complexity),
        of what is ``wanted``; None where nothing is relevant. Being shown strengthens a memory once a session. With
        ``include_session`` off, turns of ``session`` itself are left out, for an assistant that still sees them.
        """
        scope = replace(scope, session_id=record.session_of(session, scope))
        moment = now or self._runtime.clock()
        return await self._answers.context(
            prompt,
            partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted),
            _positive_or_none("budget", budget),
            moment,
            include_session=include_session,
            reinforce=reinforce,
        )

    async def fixed_block(self, *, session: str | None = None, scope: Scope = DEFAULT_SCOPE) -> Block | None:
        """What stands at the beginning of a prompt through a whole conversation: everything that was known when
        ``session`` began of the categories in ``fixed_categories``, in their order and by age, the same bytes each time
        for caches of prompts. What is forgotten meanwhile leaves it. None where nothing is known; ``context`` brings
        what each prompt adds.
        """
        return await self._answers.fixed_block(replace(scope, session_id=record.session_of(session, scope)))

    async def weigh(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str | None = None,
        now: datetime | None = None,
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> Weighed:
        """What ``context`` puts before the assistant for a prompt, and why: how each memory was found, and why others
        that were found are left out. With ``as_of`` from what was true and believed then.
        """
        scope = replace(scope, session_id=record.session_of(session, scope))
        moment = now or self._runtime.clock()
        narrowed = partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted)
        return await self._answers.weigh(prompt, narrowed, _positive_or_none("budget", budget), moment)

    async def explain(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> Explanation:
        """How something is known: its versions, the turns that it rests on, the memories that it replaced or may
        contradict, and its changes.
        """

        def read(snapshot: Snapshot) -> Explanation:
            known = views.explanation(snapshot, id, self._filter(scope))
            check_category(self.config, scope, known.memory.category or known.memory.type)
            return known

        return await self._read(read)

    async def entity(
        self, name: str, *, as_of: datetime | AsOf | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> EntityProfile:
        """What is known about a person, project, place or thing, or with ``as_of`` was known then. Raises
        ``UnknownEntity``.
        """
        now = self._runtime.clock()
        return await self._read(
            lambda snapshot: views.profile(
                snapshot, name, self._runtime.narrowed(snapshot, scope, now, {"as_of": as_of})
            )
        )

    async def profile(self, *, scope: Scope = DEFAULT_SCOPE) -> UserProfile:
        """How to address the user and what they aim at. Each value comes with its memory: correct, forget or replace
        that memory to change the value. Every context shows how to address the user.
        """
        return await self._read(lambda snapshot: profile(snapshot, replace(self._filter(scope), quarantined=False)))

    async def life(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> tuple[Confidence, ...]:
        """How sure a memory is over time: from when it was stored, used or confirmed last to when it fades; one moment
        where it does not. Raises ``UnknownMemory``.
        """
        return await self._read(lambda snapshot: views.life(snapshot, id, scope))

    async def weak(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[Record, ...]:
        """Knowledge that fades within 28 days unless it is recalled or confirmed, the first to fade first."""
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: views.weak(snapshot, self._filter(scope), FADING, limit))

    async def entities(
        self, *, limit: int = 50, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> Page[Entity]:
        """The entities that the memory knows, the latest first, page by page as in ``list``."""
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: browsing.known_entities(snapshot, scope, cursor, limit))

    async def contexts(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[MemoryContext, ...]:
        """The groups that memories belong to, those of the highest priority first."""
        return await self._read(lambda snapshot: contexts.known(snapshot, self._filter(scope)))

    async def set_context(
        self,
        name: str,
        *,
        priority: float | None = None,
        description: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> None:
        """Give a group of memories a priority, 0 to 1, or a description; it is made where there is none of that name.
        What belongs to one of a higher priority is found before what fits a question as well. Raises
        ``InvalidArgument``, ``SecretRefused``.
        """
        await self._knowledge.set_context(name, priority, description, scope)

    async def sessions(
        self, *, limit: int = 50, offset: int = 0, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[SessionReport, ...]:
        """Conversations, the latest first. The list begins after the conversation with that ``cursor``, and leaves out
        ``offset`` of them. Raises ``InvalidArgument`` if the cursor is none.
        """
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: sessions.listed(snapshot, scope, limit, max(0, offset), cursor))

    async def changes(
        self, *, after: int = 0, limit: int = 100, whole: bool = False, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[Change, ...]:
        """Changes of memories since the change whose ``seq`` is ``after``, the oldest first. To follow the memory, call
        again with the last ``seq``. ``whole`` returns all changes of the user: of every project and every private
        conversation.
        """
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: history.changes(snapshot, scope, after, limit, whole=whole))

    async def statistics(self, *, scope: Scope = DEFAULT_SCOPE) -> Statistics:
        """Counts of what the memory holds now."""
        return await self._read(lambda snapshot: inspect.statistics(snapshot, scope, self._runtime.store.path))

    async def spending(self, *, days: int = 30, scope: Scope = DEFAULT_SCOPE) -> tuple[Spending, ...]:
        """What language models cost the user, by day, step and model: the latest days on which they were asked, the
        latest first.
        """
        limit = positive("days", days)
        return await self._read(lambda snapshot: inspect.spending(snapshot, scope, limit))

    async def turns(
        self,
        session: str,
        *,
        offset: int = 0,
        limit: int = 100,
        around: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Turns:
        """Turns of a conversation in order, after the first ``offset``, or those ``around`` the turn with that id. Each
        comes with what was learnt from it. An unknown session has no turns.
        """
        name, limit = cleaning.clean_name("session", session) or "", positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.turns(snapshot, name, self._filter(scope), max(0, offset), limit, around)
        )

    async def passed_over(
        self, session: str, *, offset: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[PassedOver, ...]:
        """Of the same turns as ``turns`` gives those from which nothing, or less than they say, is learnt, and why. The
        rules read them again to tell it, by themselves; nothing is stored. Of turns that a model has read it is told
        what no reader is shown, and that nothing was learnt.
        """
        name, limit = cleaning.clean_name("session", session) or "", positive("limit", limit)
        return await self._learning.passed_over(name, max(0, offset), limit, scope)

    async def counts(self, *, scope: Scope = DEFAULT_SCOPE, **wanted: Unpack[FilterOptions]) -> Counts:
        """Counts, by kind, of the memories that ``list`` would list."""
        now = self._runtime.clock()
        return await self._read(
            lambda snapshot: browsing.counts(snapshot, self._runtime.narrowed(snapshot, scope, now, wanted))
        )

    async def days(self, *, east: timedelta = timedelta(0), scope: Scope = DEFAULT_SCOPE) -> tuple[Day, ...]:
        """On which days something was said, learnt or retired, in order; ``east`` is how far the clocks are ahead of
        UTC where the days are meant.
        """
        if abs(east) > _FARTHEST:
            raise InvalidArgument(argument="east", value=east, expected="give at most 14 hours")
        milliseconds = int(east.total_seconds() * 1_000)
        return await self._read(lambda snapshot: browsing.days(snapshot, scope, milliseconds))

    async def happened(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[Happened, ...]:
        """Changes of knowledge between two moments, in order. ``after`` is the ``seq`` of the last change that the
        caller knows.
        """
        between, limit = (to_ms(since, "since"), to_ms(until, "until")), positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.happened(snapshot, self._filter(scope), *between, after, limit)
        )

    async def last_change(self, *, scope: Scope = DEFAULT_SCOPE) -> int:
        """The ``seq`` of the last change. To follow changes from now on, call ``changes`` with it."""
        return await self._read(lambda snapshot: browsing.last_change(snapshot, scope))

    async def projects(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[str, ...]:
        """The projects in which the scope's user has memories or turns."""
        return await self._read(lambda snapshot: browsing.projects(snapshot, scope))

    async def around(
        self,
        name: str,
        *,
        hops: int = 1,
        limit: int = 200,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Neighbourhood:
        """The entities that an entity is joined with, by claims about both or memories that mention both. It follows at
        most ``hops`` joins, to at most ``limit`` entities. Raises ``UnknownEntity``.
        """
        hops, limit = min(positive("hops", hops), _MOST_HOPS), positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.around(
                snapshot,
                name,
                self._runtime.narrowed(snapshot, scope, self._runtime.clock(), {"as_of": as_of}),
                hops,
                limit,
            )
        )

    async def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        order: ListOrder = "newest",
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> Page[Listed]:
        """Memories that are believed and true now, or what else is ``wanted``, page by page: ``cursor`` is ``next`` of
        the page before. What was stored last comes first, or what ``order`` says: a correction leaves a memory where it
        stands in the list. ``history`` lists every version of what was replaced, ended or has faded, too; ``as_of``
        what was believed and true then. Raises ``InvalidArgument``.
        """
        limit, now = positive("limit", limit), self._runtime.clock()

        def read(snapshot: Snapshot) -> Page[Listed]:
            return browsing.memories(
                snapshot, self._runtime.narrowed(snapshot, scope, now, wanted), cursor, limit, order
            )

        return await self._read(read)

    # --- in and out --------------------------------------------------------------------------------------------------

    async def import_file(
        self,
        path: Path | str,
        *,
        encoding: str | None = None,
        erased: bool = False,
        trust: Trust = "user",
        scope: Scope = DEFAULT_SCOPE,
        progress: ImportProgress | None = None,
    ) -> ImportReport:
        """Remember a file of conversations or memories, a folder or a ZIP archive of them, the format recognised by
        content; or what ``export`` wrote, where this memory is empty. What was imported before adds nothing, nor what
        was erased since unless ``erased`` asks for that; what is broken is reported and the rest goes in. Messages
        without a session are of the scope's, else of one called after the file. Nothing in the file is trusted more
        than ``trust``: give less where somebody else than the user wrote it. Without an ``encoding`` it is UTF-8, or
        what its first bytes say. Raises ``UnreadableImport``, ``InvalidArgument``.
        """
        from sandbox.extensions.memory.ingest.importing import Importer  # slow to import, and seldom needed

        runtime = self._runtime
        importer = Importer(
            runtime.store, runtime.embedder, runtime.config, runtime.now_ms, partial(runtime.wake, at_once=True)
        )
        return await importer.run(Path(path), scope, progress, encoding=encoding, erased=erased, trust=trust)

    async def export(
        self,
        path: Path | str,
        *,
        format: Literal["jsonl", "markdown"] = "jsonl",
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> ExportReport:
        """Write the memory to a file for its owner alone: as JSON Lines everything, of every user, which
        ``import_file`` takes back into an empty memory; as Markdown what the scope sees now, for people. Where
        something is ``wanted``, that alone, as Markdown or as a memory a line, which are imported as memories. Raises
        ``InvalidArgument`` where the file cannot be written, ``NotEverybodys`` where some of everything is another
        user's and the scope is no administrator's.
        """
        target, now = Path(path), self._runtime.clock()

        def written(snapshot: Snapshot) -> ExportReport:
            filter_ = self._runtime.narrowed(snapshot, scope, now, wanted)
            if format == "markdown":
                lines: Iterable[str] = page(snapshot, filter_)
            elif wanted:
                lines = exporting.chosen(snapshot, filter_)
            else:
                lines = exporting.lines(snapshot, now, scope)
            return exporting.write(target, lines)

        return await self._read(written)


def _positive_or_none(argument: str, value: int | None) -> int | None:
    return None if value is None else positive(argument, value)
