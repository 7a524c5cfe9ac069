"""The facade: everything a person, an assistant or a program can do with a memory is a method here.

Its parts do the work: ``conversations.py`` stores turns, ``consolidate/`` learns knowledge from them, ``knowledge.py``
changes knowledge, ``decisions.py`` holds the decisions that wait for a person, ``maintain/`` is the night, and
``answers.py`` answers questions. A method that only reads a list or a state calls the function of the store or of
``assemble/`` that reads it. Parts that import the readers of sentences are imported when a method needs them, because
the first question of a process need not wait for these. Every interface translates to these methods and adds nothing.
"""

import asyncio
import builtins  # `list` is a method of `Memory`, and since Python 3.14 annotations see it
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sandbox.extensions.memory import listings, reports
from sandbox.extensions.memory.answers import Answers
from sandbox.extensions.memory.arguments import checked, facade, positive
from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.page import page
from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.authority import check_change
from sandbox.extensions.memory.call_context import Interface, through
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.errors import DatabaseReplaced, DiskFull, InvalidArgument
from sandbox.extensions.memory.ingest import cleaning
from sandbox.extensions.memory.ingest.documents import Documents
from sandbox.extensions.memory.ingest.project import scope_in
from sandbox.extensions.memory.model import (
    USUAL_IMPORTANCE,
    AsOf,
    Block,
    Change,
    Claim,
    CognitiveType,
    EntityProfile,
    Explanation,
    FilterOptions,
    Hit,
    ListOrder,
    Message,
    OnSimilar,
    Order,
    Record,
    Role,
    Scope,
    Statement,
)
from sandbox.extensions.memory.opening import DATABASE as DATABASE, embedded, existing, make_folder
from sandbox.extensions.memory.ports import LanguageModel, local
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import browsing, changes, entities, erasing, maintenance, nodes, sessions
from sandbox.extensions.memory.store.changes import UndoSelection
from sandbox.extensions.memory.store.sqlite import conversion, database_file
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.times import SteadyClock, to_ms
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder
from sandbox.support.times import Clock, from_ms_or_none, in_zone, system_clock
from sandbox.support.trust import Trust, Unconfirmed


class _Later:
    """A module of this package that is imported when one of its functions is first named, before a transaction."""

    def __init__(self, name: str) -> None:
        self._name = f"{__package__}.{name}"

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


if TYPE_CHECKING:
    from sandbox.extensions.memory import decisions, knowledge
    from sandbox.extensions.memory.consolidate.learner import Learner
    from sandbox.extensions.memory.conversations import Conversations
else:
    decisions, knowledge = _Later("decisions"), _Later("knowledge")

DEFAULT_SCOPE = Scope()
_MOST_HOPS = 3


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
        clock: Clock = system_clock,
        interface: Interface = "library",
        read_only: bool = False,
    ) -> "AsyncIterator[Memory]":
        """Open the memory in ``folder/memory.db``, and create it if there is none. At the end it finishes its writes
        and closes.

        ``embedder`` computes vectors; with None, only words are searched. ``model`` is the language model that learning
        asks; with None, rules learn. The log records that changes came through ``interface``. With ``read_only``, or if
        the file cannot be written, it is opened for reading: every change raises ``DatabaseReadOnly``. Raises
        ``NotADatabase``, ``DatabaseTooNew``, ``DatabaseTooOld``, ``DatabaseReadOnly``, ``ConfigurationError``.
        """
        settings = config if isinstance(config, Config) else Config.load(config)
        path = make_folder(folder) / DATABASE
        steady = SteadyClock(clock)
        store = await Store.open(path, lambda: to_ms(steady()), read_only=read_only)
        embedder = embedded() if embedder == "embedded" else embedder
        runtime = Runtime(store, embedder, settings, steady, model)
        try:
            steady.latest = from_ms_or_none(await store.read(nodes.last_recorded))
            yield cls(runtime, interface)
        finally:
            await runtime.close()

    @staticmethod
    async def encrypt(folder: Path | str) -> None:
        """Encrypt ``folder/memory.db`` in place. ``MEMORY_KEY`` holds the key, in the environment or in the keyring; if
        neither has it, the call makes a key and puts it into the keyring. Raises ``EncryptionUnchanged``, ``InUse``,
        ``KeyMissing``, ``MissingPackage``, and ``InvalidArgument`` if there is no such file.
        """
        await asyncio.to_thread(conversion.encrypt, existing(folder))

    @staticmethod
    async def decrypt(folder: Path | str) -> None:
        """Write ``folder/memory.db`` anew without encryption. Raises like ``encrypt``, and ``KeyRefused``."""
        await asyncio.to_thread(conversion.decrypt, existing(folder))

    @staticmethod
    def remove(folder: Path | str) -> None:
        """Remove ``folder/memory.db``, if it is there. Processes that have it open save nothing of it."""
        database_file.remove(Path(folder) / DATABASE)

    @staticmethod
    def schema() -> dict[str, Any]:
        """The JSON Schema (2020-12) of the objects that a memory returns, by name in ``$defs``."""
        from sandbox.extensions.memory.schema import schema

        return schema()

    def __init__(self, runtime: Runtime, interface: Interface = "library") -> None:
        self._runtime, self._interface = runtime, interface
        self._read, self._write, self._filter = runtime.read, runtime.write, runtime.filter
        self._answers = Answers(runtime)
        self._made: Learner | None = None

    @cached_property
    def _conversations(self) -> "Conversations":
        from sandbox.extensions.memory.conversations import Conversations

        return Conversations(self._runtime)

    async def _learner(self) -> "Learner":
        """The learner, created at its first use and imported in a thread: it takes as long as all else together."""
        if self._made is None:
            for name in ("learner", "model_extractor") if self.learns_by else ("learner",):
                await asyncio.to_thread(import_module, f"sandbox.extensions.memory.consolidate.{name}")
            from sandbox.extensions.memory.consolidate.learner import Learner

            self._made = self._made or Learner(self._runtime)
        return self._made

    def _check_here(self) -> None:
        self._runtime.check_here()

    @property
    def config(self) -> Config:
        """The settings with which the memory was opened."""
        return self._runtime.config

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop in which the memory was opened. It works only there."""
        return self._runtime.here.loop

    @property
    def clock(self) -> Clock:
        """The clock with which the memory was opened; it does not go back."""
        return self._runtime.clock

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading, so that it refuses changes."""
        return self._runtime.store.read_only

    @property
    def file_problem(self) -> str | None:
        """What happened to its file: it was deleted, moved or replaced, and this memory is of no more use. None if all
        is in order.
        """
        return self._runtime.store.problem

    @property
    def learns_by(self) -> str | None:
        """The id of the language model that reads conversations; None if rules do."""
        return self._runtime.model.model_id if self._runtime.model else None

    def scope_in(self, folder: Path | str | None, *, user_id: str = "default", project_id: str | None = None) -> Scope:
        """The scope for work in a folder: the project is the repository of the folder, the same for each clone and
        worktree, or ``project_id``. If ``across_projects`` is ``all``, the scope has no project.
        """
        across, home = self._runtime.config.across_projects, self._runtime.store.path.parent
        return scope_in(folder, across, home, user_id=user_id, project_id=project_id)

    @property
    def documents(self) -> Documents:
        """Documents that programs store beside the memory. It returns them exactly as it got them."""
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
        Secrets are masked. Without ``at`` the time is now. Without ``trust`` the turn has the trust of its role; give
        less if less trusted text went into it. Raises ``InvalidContent``, ``InvalidArgument``, and
        ``ArgumentsDisagree`` if a turn with another text or role has the key, in any session.
        """
        session = cleaning.session_of(session, scope)
        message = Message(role, content, session, at, speaker, key, source, trust)
        return (await self._conversations.add([message], scope))[0]

    async def observe_many(self, messages: Iterable[Message], *, scope: Scope = DEFAULT_SCOPE) -> builtins.list[str]:
        """Remember many turns in order, and return their ids. One transaction stores several hundred turns. A message
        that is refused stops the call; earlier transactions stay.
        """
        return await self._conversations.add_many(messages, scope)

    async def end_session(self, session: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Mark a conversation as over, so that the memory learns from it. A later turn opens it again."""
        name = cleaning.clean_name(session) or ""
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
    ) -> reports.ErasureReport:
        """Erase for good: a memory or a turn by its ``id``, a ``session``, memories about a ``subject``, memories from
        ``before`` a moment, or all memories of a ``user``; ``everything`` means those of every user. The call also
        erases what was learnt from the erased text alone, and names that nothing else contains. It writes the file
        anew, so that no byte stays. Memories that only an erased memory had replaced are valid again. With a project in
        the scope, only that project is erased. Without a project, ``session`` means one of no project, and every other
        choice reaches all projects. Only an administrator erases memories of other users or global ones. A dry run
        reports what would be erased. Files that ``export`` wrote stay; the report names those that may hold erased
        text. If the process dies, all or nothing is erased, and the next process that opens the memory removes the
        bytes.
        Raises ``InvalidArgument``, ``UnknownMemory``, ``NotAdministrator``, and ``ErasureIncomplete`` if the memories
        are erased but bytes of them stay, because another process uses the old file or the disk is full; call it again
        to remove these bytes.
        """
        from sandbox.extensions.memory.conversations import selected

        self.config.check_every_category(scope.agent_id)
        now, named = self._runtime.clock(), {"id": id, "session": session, "subject": subject}
        selection, whose = selected(scope, now, user=user, everything=everything, before=before, **named)
        report = await self._conversations.erase(selection, whose, everybody=everything, dry_run=dry_run)
        if not dry_run:
            await asyncio.to_thread(conversion.clear, self._runtime.store.path.parent)
        return report

    async def consolidate(
        self,
        session: str | None = None,
        *,
        scope: Scope = DEFAULT_SCOPE,
        progress: reports.LearningProgress | None = None,
    ) -> reports.LearningReport:
        """Learn from new turns of a session of the scope's project, even if the session is not over. Without a session,
        learn from all sessions of the user that wait. A language model reads them, or rules if there is none. New
        knowledge is visible where it was said; the report lists what the scope may see. Nothing is learnt twice, even
        by several processes. Raises ``UnknownSession``.
        """
        learner = await self._learner()
        if session is None:
            return await learner.consolidate_pending(scope, progress)
        return await learner.consolidate(cleaning.clean_name(session) or "", scope)

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
        derived_from: Sequence[str] = (),
        scope: Scope = DEFAULT_SCOPE,
    ) -> str:
        """Store a statement, and return its id. The same statement is stored once: a repetition adds contexts, sources
        and importance, but no tags and no other time. So is the same ``key`` of a ``source``, also if what it names was
        forgotten; ``ArgumentsDisagree`` if that is the key of another statement. If a predicate has one value at a
        time, a new value closes the validity of the old one; ``restore`` undoes that. ``on_similar`` says what happens
        if a similar memory is known: ``keep`` both, ``supersede`` the known one, or ``refuse`` (``SimilarMemory``).
        ``rests_on`` are ids of the turns that the statement was learnt from. Its trust is at most the lowest trust of
        these turns, and only those who may see all of these turns see the statement. Words that occur only in pasted
        text of these turns count as the assistant's. ``claims`` are the statement in a form that can be compared.
        ``importance`` is 1 to 5; a repeated statement keeps the higher value. ``relevant_to`` are ids or names of known
        entities that the statement helps with, without naming them, ``derived_from`` likewise of those that it was
        concluded from. ``contexts`` are names of groups that it belongs to; a new name makes a new group. A correction
        keeps all of these. Raises ``SecretRefused``, ``InvalidContent``, ``InvalidArgument``, ``UnknownMemory``,
        ``UnknownEntity``, ``TooManyFacts``.
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
            tuple(derived_from),
        )
        return await knowledge.remember(self._runtime, statement, rests_on, on_similar, scope)

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
        """Correct a memory that was never true, and end memories that cannot be true beside the correction. The id
        stays; the old version becomes history. The same words as before say that the memory is right. ``claims`` are
        the new content in a form that can be compared. ``rests_on`` are ids of the turns that corrected the memory;
        without them it rests on the scope's session, or else on the old sources. Raises ``LessTrusted`` if the turns or
        ``trust`` are trusted less than the memory, ``InvalidArgument`` if somebody sees the memory but not the turns,
        ``ChangedMeanwhile`` if the memory has another ``version``.
        """
        from sandbox.extensions.memory.ingest.drafts import Correction

        right = Correction(content, trust, tuple(claims), category, confidence)
        return await knowledge.correct(self._runtime, id, right, rests_on, version, scope)

    async def confirm(
        self, id: str, *, by_person: bool = False, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Protect a memory: full confidence, no decay; only a mood still fades, and a plan after its date.
        ``by_person``, for interfaces that a person uses, also raises its trust to ``confirmed``. ``trust`` is the
        lowest trust of the texts that led to this call. Raises ``LessTrusted`` if it is below the user's.
        """
        await self._write(
            partial(knowledge.confirm, id=id, trust=trust, scope=scope, config=self.config, by_person=by_person)
        )

    async def pin(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Keep a memory until somebody unpins it: it does not fade, nothing retires it, and if it is the user's word,
        every context block shows it. Raises ``LessTrusted`` if ``trust`` is below the user's.
        """
        await knowledge.pin(self._runtime, id, trust, scope, pinned=True)

    async def unpin(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Undo ``pin``: from now on the memory fades, and blocks show it only where it is relevant. Raises
        ``LessTrusted`` as ``pin`` does.
        """
        await knowledge.pin(self._runtime, id, trust, scope, pinned=False)

    async def set_importance(
        self, id: str, importance: int, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Say how important a memory is, 1 to 5. Where room is short, a more important memory comes first, and
        ``retention`` keeps it longer. Raises ``InvalidArgument``, and ``LessTrusted`` as ``pin`` does.
        """
        await knowledge.set_importance(self._runtime, id, importance, trust, scope)

    async def proposals(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Proposal, ...]:
        """Statements that wait for the user's consent, the oldest first. They were concluded, or somebody else than the
        user said them; the setting ``consent`` says which of such statements wait. The memory does not believe them,
        and deletes them after seven days.
        """
        return await self._read(partial(decisions.proposals, filter_=self._filter(scope)))

    async def approve(self, id: str, *, content: str | None = None, scope: Scope = DEFAULT_SCOPE) -> str:
        """Accept a proposal, or the ``content`` that a person gives in its place, as confirmed; return the id. Only
        interfaces that a person uses call this, never a tool of an agent. Raises ``NoProposal``, ``SecretRefused``,
        ``InvalidContent``.
        """
        return await decisions.approve(self._runtime, id, content, scope)

    async def reject(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Reject a proposal: it is not proposed again. For a person, like ``approve``. Raises
        ``NoProposal``.
        """
        await self._write(partial(decisions.reject, id=id, filter_=self._filter(scope)))

    async def conflicts(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Conflict, ...]:
        """Pairs of memories of which perhaps only one is true, the latest first. ``forget`` or ``correct`` the wrong
        one, or say that both are true (``keep_both``).
        """
        limit = positive("limit", limit)
        return await self._read(partial(decisions.conflicts, filter_=self._filter(scope), limit=limit))

    async def keep_both(self, id: str, other: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Say that both memories of a possible conflict are true. For a person, like ``approve``. Raises
        ``UnknownMemory``, ``NotCurrent``.
        """
        await self._write(partial(decisions.keep_both, id=id, other=other, scope=scope))

    async def duplicates(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Duplicate, ...]:
        """Pairs of memories that likely say the same, the most similar first. The two of a pair share project and
        visibility, and one of them is among the latest 2,000. ``merge`` them, or say that they are different
        (``keep_apart``).
        """
        return await decisions.duplicates(self._runtime, positive("limit", limit), scope)

    async def merge(self, id: str, into: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Say that two memories say the same. The first becomes part of the other, which keeps its words and takes over
        the sources, tags and duration of the first. ``restore`` separates them again. Raises ``LessTrusted`` if
        ``trust`` is below that of the first, ``InvalidArgument`` if the two are visible to different people.
        """
        await self._write(partial(knowledge.merge, id=id, into=into, trust=trust, scope=scope, config=self.config))

    async def keep_apart(self, id: str, other: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Say that two memories are different: they are not listed as likely duplicates, and the night does not merge
        them. For a person, like ``approve``. Raises ``UnknownMemory``, ``NotCurrent``.
        """
        await self._write(partial(decisions.keep_apart, id=id, other=other, scope=scope))

    async def forget(
        self, id: str, *, trust: Trust = "user", version: int | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Hide a memory from every search and context until ``restore`` brings it back. Raises ``LessTrusted`` if
        ``trust`` is below that of the memory, ``ChangedMeanwhile`` if the memory has another ``version``.
        """
        await self._write(
            partial(knowledge.forget, id=id, trust=trust, version=version, scope=scope, config=self.config)
        )

    async def forget_all(
        self,
        *,
        dry_run: bool = False,
        trust: Trust = "user",
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> int:
        """Forget the knowledge that is ``wanted``, or all of it, and return how many memories that are. Memories that
        the scope may not see or change, or with more trust than ``trust``, stay; so do turns of conversations.
        ``restore`` brings each memory back.
        """
        return await knowledge.forget_all(self._runtime, trust, scope, wanted, dry_run=dry_run)

    async def restore(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Believe a forgotten or faded memory again, with new confidence. A replaced memory becomes valid again, beside
        the one that replaced it. A memory that is believed and true does not change. Raises ``LessTrusted`` if
        ``trust`` is below the user's.
        """
        await self._write(partial(knowledge.restore, id=id, trust=trust, scope=scope, config=self.config))

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
    ) -> reports.UndoReport:
        """Undo changes that the scope sees: one change by its ``seq``; the changes of the last ``night``; everything
        learnt from a ``session``; or the changes ``since`` a moment that came from a ``source`` or through an
        ``interface``. Memories that these changes added are retired, memories that they ended are valid again, and
        profile, summaries and insights follow. Nothing is lost: undo the ``change`` of the report to restore the former
        state. Raises ``InvalidArgument`` unless exactly one of these is given, ``UnknownChange``, and ``LessTrusted``
        if ``trust`` is below the user's.
        """
        self.config.check_every_category(scope.agent_id)
        given = (change, night or None, session, source, interface)
        if sum(each is not None for each in given) != 1:
            expected = "give just one of change, night, session, source and interface"
            raise InvalidArgument(argument="change", value=change, expected=expected)
        if since is not None and source is None and interface is None:
            raise InvalidArgument(argument="since", value=since, expected="give it with source or interface")
        after = 0 if since is None else to_ms(since, "since")
        wanted = UndoSelection(change, night, cleaning.clean_name(session), source, interface, after)
        return await knowledge.undo(self._runtime, wanted, trust, scope, dry_run=dry_run)

    async def merge_entities(
        self, name: str, into: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Say that two entities are one: the entity ``name`` becomes part of the entity ``into``, with all its names
        and memories. Both arguments are names or ids. ``split_entity`` undoes it. Raises ``UnknownEntity``,
        ``InvalidArgument``, and ``LessTrusted`` if ``trust`` is below the user's.
        """
        check_change(name, trust)
        await self._write(lambda tx: entities.merge_named(tx, name, into, self._filter(scope)))

    async def split_entity(self, name: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Undo the last merge into the entity with this name or id. Both entities are as they were, and learning does
        not merge them again. Raises ``UnknownEntity``, ``NotMerged``, and ``LessTrusted`` if ``trust`` is below the
        user's.
        """
        check_change(name, trust)
        await self._write(lambda tx: entities.split_last(tx, name, self._filter(scope)))

    # --- maintenance -------------------------------------------------------------------------------------------------

    async def maintain(
        self, *, only: Sequence[str] | None = None, dry_run: bool = False, progress: reports.NightProgress | None = None
    ) -> reports.MaintenanceReport:
        """Run the night for all users, or only the steps that ``only`` names; return what each step did. A second run
        changes nothing. A dry run reports what the night would do and what its questions to a model would cost. Raises
        ``UnknownStep``.
        """
        with through("night"):
            learner = await self._learner()
            from sandbox.extensions.memory.maintain import night

            return await night.maintain(self._runtime, learner, only, progress, dry_run=dry_run)

    async def check(self) -> builtins.list[Check]:
        """Check the file, the indexes that are derived from it, and the providers."""
        found = await self._runtime.check()
        with suppress(DatabaseReplaced):
            found.append(await (await self._learner()).check())
        return found

    async def wait_until_embedded(self) -> None:
        """Return when every memory has its vector; at once if there is no embedder. Raises ``EmbedderUnavailable`` if
        the provider fails, or ``VectorsNotStored``, a kind of it, if the disk is full.
        """
        await self._runtime.wait_until_embedded()

    # --- questions ---------------------------------------------------------------------------------------------------

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
    ) -> builtins.list[Hit]:
        """The best memories for a question among those that are ``wanted``, best first or in another ``order``; for an
        empty question, the latest. The default of ``limit`` is 5, or 20 for a complex question. With ``threshold``, a
        memory needs at least this similarity (cosine). If the question asks what happened in a time, and neither
        ``after`` nor ``before`` is given, it searches only that time. The question is asked at ``now``, by default the
        present: "yesterday" counts from it, and statements that hold only later are left out; ``as_of`` also leaves out
        what was learnt later. A memory that is found gains confidence, unless ``reinforce`` is off. Raises
        ``InvalidArgument``.
        """
        moment = now or in_zone(self._runtime.clock())
        narrowed = partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted)
        limit = _positive_or_none("limit", limit)
        return await self._answers.search(question, narrowed, limit, threshold, order, moment, reinforce=reinforce)

    async def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str | None = None,
        include_session: bool | datetime = True,
        seen: Mapping[str, int] = MappingProxyType({}),
        now: datetime | None = None,
        reinforce: bool = True,
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> Block | None:
        """The block to put before the assistant for a prompt, made of the memories that are ``wanted``; None if nothing
        is relevant, or if nothing fits ``budget`` tokens (None: depends on the complexity of the prompt);
        ``explain_context`` says how many are needed. ``now`` is as in ``search``. A memory that is shown gains
        confidence, once in a session. For an assistant that still sees its conversation: without ``include_session``
        the turns of ``session`` are left out, or with a moment those since then, and ``seen`` are the memories that
        earlier blocks showed whole, by id, with their versions, which this one does not repeat.
        """
        scope = replace(scope, session_id=cleaning.session_of(session, scope))
        moment = now or in_zone(self._runtime.clock())
        return await self._answers.context(
            prompt,
            partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted),
            _positive_or_none("budget", budget),
            moment,
            include_session=include_session,
            seen=dict(seen),
            reinforce=reinforce,
        )

    async def fixed_block(self, *, session: str | None = None, scope: Scope = DEFAULT_SCOPE) -> Block | None:
        """The block for the beginning of every prompt of a conversation. It holds the memories that were known when
        ``session`` began, by category and age, except events, insights and the categories of the setting
        ``rag_length``. Its bytes are the same each time, so that caches of prompts work; only memories that were
        forgotten since then leave it. None if there is nothing to show. ``context`` adds what a single prompt needs.
        """
        return await self._answers.fixed_block(replace(scope, session_id=cleaning.session_of(session, scope)))

    async def explain_context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str | None = None,
        now: datetime | None = None,
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> listings.ExplainedBlock:
        """The block that ``context`` gives for a prompt, and the reasons: how each memory was found, and why others
        that were found are left out. With ``as_of``, the block from what was true and believed then.
        """
        scope = replace(scope, session_id=cleaning.session_of(session, scope))
        moment = now or in_zone(self._runtime.clock())
        narrowed = partial(self._runtime.narrowed, scope=scope, now=moment, wanted=wanted)
        return await self._answers.explain_context(prompt, narrowed, _positive_or_none("budget", budget), moment)

    async def explain(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> Explanation:
        """How the memory knows something: the versions, the turns that they rest on, the memories that it replaced or
        may contradict, and the changes.
        """

        def read(snapshot: Snapshot) -> Explanation:
            known = views.explanation(snapshot, id, self._filter(scope))
            self.config.check_category(scope.agent_id, known.memory.category or known.memory.type)
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
        """How to address the user, and the user's goals. Each value comes with its memory: correct, forget or replace
        that memory to change the value. Every context block says how to address the user.
        """
        return await self._read(lambda snapshot: profile(snapshot, replace(self._filter(scope), quarantined=False)))

    async def confidence_over_time(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Confidence, ...]:
        """The confidence of a memory over time: from the moment when it was last stored, used or confirmed until it
        fades. A memory that never fades has one moment. Raises ``UnknownMemory``.
        """

        def read(snapshot: Snapshot) -> tuple[listings.Confidence, ...]:
            head = views.versions(snapshot, id, scope)[0]
            self.config.check_category(scope.agent_id, head.category or head.type)
            return views.confidence_over_time(head)

        return await self._read(read)

    async def weak(self, *, limit: int = 20, scope: Scope = DEFAULT_SCOPE) -> tuple[Record, ...]:
        """Knowledge that fades within 28 days unless it is recalled or confirmed, the first to fade first."""
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: views.weak(snapshot, self._filter(scope), FADING, limit))

    async def entities(
        self, *, limit: int = 50, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> listings.Page[listings.Entity]:
        """The entities that the memory knows, the most mentioned first, page by page as in ``list``. An agent with a
        list of categories gets the latest first.
        """
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: browsing.known_entities(snapshot, self._filter(scope), cursor, limit))

    async def contexts(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.MemoryContext, ...]:
        """The groups that memories belong to, those of the highest priority first."""
        return await self._read(lambda snapshot: entities.known_contexts(snapshot, self._filter(scope)))

    async def set_context(
        self, name: str, *, priority: float | None = None, description: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Give a group of memories a priority, 0 to 1, or a description; a new name makes a new group. Of two memories
        that fit a question equally well, the one in the group with the higher priority comes first. ``undo`` restores a
        priority; a description is replaced for good, because the log keeps no text. Raises ``InvalidArgument``,
        ``SecretRefused``.
        """
        await knowledge.set_context(self._runtime, name, priority, description, scope)

    async def sessions(
        self, *, limit: int = 50, offset: int = 0, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[listings.SessionReport, ...]:
        """Conversations, the latest first. The list begins after the conversation with that ``cursor``, and leaves out
        ``offset`` of them. Raises ``InvalidArgument`` if the cursor is invalid.
        """
        limit = positive("limit", limit)
        return await self._read(
            lambda snapshot: sessions.listed(snapshot, self._filter(scope), limit, max(0, offset), cursor)
        )

    async def changes(
        self, *, after: int = 0, limit: int = 100, whole: bool = False, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[Change, ...]:
        """Changes of memories since the change whose ``seq`` is ``after``, the oldest first. To follow the memory, call
        again with the last ``seq``. ``whole`` returns all changes of the user: of every project and every private
        conversation. Raises ``CategoryNotAllowed`` if an agent with a list of categories asks for the ``whole``.
        """
        limit = positive("limit", limit)
        if whole:
            self.config.check_every_category(scope.agent_id)
        return await self._read(
            lambda snapshot: changes.changes(snapshot, self._filter(scope), after, limit, whole=whole)
        )

    async def statistics(self, *, scope: Scope = DEFAULT_SCOPE) -> reports.Statistics:
        """Counts of what the memory holds now."""
        return await self._read(
            lambda snapshot: browsing.statistics(snapshot, self._filter(scope), self._runtime.store.path)
        )

    async def spending(self, *, days: int = 30, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Spending, ...]:
        """What language models cost the user, by day, step and model, for the latest ``days`` on which a model was
        asked, the latest first.
        """
        limit = positive("days", days)
        return await self._read(lambda snapshot: browsing.spending(snapshot, scope, limit))

    async def nights(self, *, limit: int = 30, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.NightRun, ...]:
        """The latest nights, the latest first: of the last 60, those with only some steps among them. How the steps
        ended is the same for all users; the changes are those of the scope's user that the scope may see.
        """
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: maintenance.latest_nights(snapshot, self._filter(scope), limit))

    async def note_failure(self, operation: str, error: str, *, scope: Scope = DEFAULT_SCOPE) -> None:
        """Count a call that an interface answered with a kind of ``error``; neither may hold what was asked for. Nobody
        waits for the write, and a memory that can only be read notes nothing.
        """
        self._runtime.store.submit(
            lambda tx: maintenance.record_failure(tx, scope, operation, error),
            "the note of a failure",
            low_priority=True,
        )

    async def failures(self, *, limit: int = 50, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Failures, ...]:
        """Calls for the user that interfaces answered with an error, those of a kind together, the latest first: of the
        last 1,000.
        """
        limit = positive("limit", limit)
        return await self._read(lambda snapshot: maintenance.failures(snapshot, scope, limit))

    async def turns(
        self,
        session: str,
        *,
        offset: int = 0,
        limit: int = 100,
        around: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> listings.Turns:
        """Turns of a conversation in order, after the first ``offset``, or those ``around`` the turn with that id. Each
        comes with what was learnt from it. Raises ``UnknownSession``.
        """
        self.config.check_category(scope.agent_id, "episodic")
        name, limit = cleaning.clean_name(session) or "", positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.turns(snapshot, name, self._filter(scope), max(0, offset), limit, around)
        )

    async def passed_over(
        self, session: str, *, offset: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[listings.PassedOver, ...]:
        """The turns among those of ``turns`` from which nothing, or less than they say, was learnt, each with the
        reason. The rules read the turns again to find the reason; nothing is stored. For turns that a model had read,
        it says only which text no reader gets, and that nothing was learnt. Raises ``UnknownSession``.
        """
        self.config.check_category(scope.agent_id, "episodic")
        name, limit = cleaning.clean_name(session) or "", positive("limit", limit)
        await self._learner()
        from sandbox.extensions.memory.consolidate.passed_over import passed_over

        return await passed_over(self._runtime, name, scope, max(0, offset), limit)

    async def counts(self, *, scope: Scope = DEFAULT_SCOPE, **wanted: Unpack[FilterOptions]) -> listings.Counts:
        """How many memories ``list`` would list, by kind."""
        now = self._runtime.clock()
        return await self._read(
            lambda snapshot: browsing.counts(snapshot, self._runtime.narrowed(snapshot, scope, now, wanted))
        )

    async def days(self, *, zone: tzinfo | None = None, scope: Scope = DEFAULT_SCOPE) -> tuple[listings.Day, ...]:
        """The days on which something was said, learnt or retired, in order, by the clocks of ``zone``; None means this
        machine's clocks.
        """
        return await self._read(lambda snapshot: browsing.days(snapshot, self._filter(scope), zone))

    async def knowledge_changes(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[listings.KnowledgeChange, ...]:
        """Changes of knowledge between two moments, in order. ``after`` is the ``seq`` of the last change that the
        caller knows.
        """
        between, limit = (to_ms(since, "since"), to_ms(until, "until")), positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.knowledge_changes(snapshot, self._filter(scope), *between, after, limit)
        )

    async def last_change(self, *, scope: Scope = DEFAULT_SCOPE) -> int:
        """The ``seq`` of the last change. To follow changes from now on, call ``changes`` with it."""
        return await self._read(lambda snapshot: browsing.last_change(snapshot, self._filter(scope)))

    async def projects(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[str, ...]:
        """The projects of the scope's user with memories or turns that are found only there."""
        return await self._read(lambda snapshot: browsing.projects(snapshot, scope))

    async def neighbourhood(
        self,
        name: str,
        *,
        hops: int = 1,
        limit: int = 200,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> listings.Neighbourhood:
        """The entities that an entity is joined with, by claims about both or memories that mention both. It follows at
        most ``hops`` joins, to at most ``limit`` entities. Raises ``UnknownEntity``.
        """
        hops, limit = min(positive("hops", hops), _MOST_HOPS), positive("limit", limit)
        return await self._read(
            lambda snapshot: browsing.neighbourhood(
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
    ) -> listings.Page[listings.ListedMemory]:
        """Memories that are believed and true now, or those that are ``wanted``, page by page: ``cursor`` is ``next``
        of the page before. ``order`` is ``newest`` by default: the memory that was stored last comes first, and a
        correction does not move a memory. ``history`` adds versions that were replaced, have ended or have faded;
        ``as_of`` lists what was believed and true then. Raises ``InvalidArgument``.
        """
        limit, now = positive("limit", limit), self._runtime.clock()

        def read(snapshot: Snapshot) -> listings.Page[listings.ListedMemory]:
            return browsing.memories(
                snapshot, self._runtime.narrowed(snapshot, scope, now, wanted), cursor, limit, order
            )

        return await self._read(read)

    # --- import and export -------------------------------------------------------------------------------------------

    async def import_file(
        self,
        path: Path | str,
        *,
        encoding: str | None = None,
        erased: bool = False,
        trust: Unconfirmed = "user",
        by_project: bool = False,
        scope: Scope = DEFAULT_SCOPE,
        progress: reports.ImportProgress | None = None,
    ) -> reports.ImportReport:
        """Remember conversations or memories from a file, a folder or a ZIP archive; the content shows the format. A
        file that ``export`` wrote restores a whole memory, if this one is empty. Records that were imported before add
        nothing, even with another text; records that were erased since are left out, unless ``erased`` is set. A broken
        record is reported, and the others are stored. A message without a session belongs to the scope's session, or
        else to one named after the file. Nothing in the file is trusted more than ``trust``: give less if somebody else
        than the user wrote it. With ``by_project``, a conversation of a coding agent gets the project and visibility
        that ``scope_in`` gives for the folder where it began, like one that its hooks keep. Without an ``encoding`` the
        text is UTF-8, or what its first bytes say. Raises ``UnreadableImport``, ``InvalidArgument``.
        """
        from sandbox.extensions.memory.ingest.importing import Import  # slow to import, and seldom needed

        if path == "":  # as a path it would be the current folder
            raise InvalidArgument(argument="path", value=path, expected="it is empty; name a file or a folder")

        def scope_in(folder: str) -> Scope:
            found = self.scope_in(folder, user_id=scope.user_id)
            return replace(scope, project_id=found.project_id, visibility=found.visibility)

        runtime = self._runtime
        return await Import(
            store=runtime.store,
            embedder=local(runtime.embedder),
            config=runtime.config,
            now=runtime.now_ms(),
            on_stored=partial(runtime.wake, at_once=True),
            path=Path(path),
            scope=scope,
            encoding=encoding,
            erased=erased,
            trust=trust,
            scope_in=scope_in if by_project else None,
        ).run(progress)

    async def export(
        self,
        path: Path | str,
        *,
        format: Literal["jsonl", "markdown"] = "jsonl",
        scope: Scope = DEFAULT_SCOPE,
        **wanted: Unpack[FilterOptions],
    ) -> reports.ExportReport:
        """Write the memory to a file that only its owner can read. JSON Lines hold everything, of every user, and
        ``import_file`` restores them into an empty memory. Markdown holds what the scope sees now, for people. With a
        filter in ``wanted``, only those memories are written, as Markdown or as one memory per line, and an import adds
        them as memories. Raises ``UnwritableExport``, ``InvalidArgument`` if a part should hold turns,
        ``SecretInId`` if its path holds a secret, ``ExportNotAllowed`` if the export holds memories of another user and
        the scope is not an administrator's.
        """
        from sandbox.extensions.memory.ingest import exporting

        target, now = Path(path), self._runtime.clock()
        exporting.check_path(target)
        if format == "jsonl":
            exporting.check_part(wanted)

        def written(snapshot: Snapshot) -> tuple[reports.ExportReport, int, list[str]]:
            filter_ = self._runtime.narrowed(snapshot, scope, now, wanted)
            if format == "markdown":
                lines: Iterable[str] = page(snapshot, filter_)
            elif wanted:
                lines = exporting.chosen(snapshot, filter_)
            else:
                lines = exporting.lines(snapshot, now, scope, self._runtime.store.path.parent)
            return exporting.write(target, lines), changes.last_seq(snapshot), erasing.missing_files(snapshot)

        report, seq, gone = await self._read(written)
        if not self.read_only:
            whose = scope.user_id if wanted or format == "markdown" else None
            with suppress(DiskFull):  # the export is whole, and a full disk asks for one
                await self._write(lambda tx: erasing.note_file(tx, report, whose, seq, gone))
        return report


def _positive_or_none(argument: str, value: int | None) -> int | None:
    return None if value is None else positive(argument, value)
