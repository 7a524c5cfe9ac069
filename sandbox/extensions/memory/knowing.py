"""What is known, one memory or entity at a time: listed, told, put right, confirmed, forgotten, erased; and all of it,
brought in files and taken away.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.page import page
from sandbox.extensions.memory.authority import check_audience, check_change, may_change
from sandbox.extensions.memory.claim import Claim
from sandbox.extensions.memory.errors import ChangedMeanwhile
from sandbox.extensions.memory.ingest import exporting, knowledge, record
from sandbox.extensions.memory.ingest.importing import Importer, Progress
from sandbox.extensions.memory.model import AsOf, Change, CognitiveType, OnSimilar, Record, Scope, Statement
from sandbox.extensions.memory.opened import DEFAULT_SCOPE, OpenMemory
from sandbox.extensions.memory.reports import Entity, ErasureReport, ExportReport, ImportReport, Listed, Page
from sandbox.extensions.memory.retrieve.narrow import checked_types, narrow, positive
from sandbox.extensions.memory.store import browsing, documents, duplicates, entities, erasure, nodes
from sandbox.extensions.memory.store.pace import off_loop
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.support.trust import Trust

_KNOWLEDGE = ("semantic", "procedural", "opinion")


def check_version(head: Node, version: int | None) -> None:
    """Raise ``ChangedMeanwhile`` where a version is meant and stands no more."""
    if version not in (None, head.version):
        raise ChangedMeanwhile(id=head.public_id, found=head.version, meant=version)


class Knowing(OpenMemory):
    """The part of ``Memory`` that lists and changes what is known."""

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
        scope: Scope = DEFAULT_SCOPE,
    ) -> str:
        """Keep a statement; its id. The same statement is kept once. One that says another value of what has one at a
        time closes the validity of what is known; ``restore`` undoes that. What is only near to a known one stands
        beside it (``keep``), closes its validity (``supersede``) or is not stored (``refuse``: ``SimilarMemory``).
        ``rests_on`` are ids of the turns it was learnt from; it is trusted no more than the least of them, and no wider
        visible than the narrowest. ``claims`` are what it says in a form that can be compared. Raises
        ``SecretRefused``, ``InvalidContent``, ``InvalidArgument``, ``UnknownMemory``.
        """
        statement = Statement(
            content, type, category, subject, record.clean_tags(tags), at, source, key, trust, tuple(claims)
        )
        now = self._now_ms()
        record.check_home(scope, scope.session_id)
        sources = await self._store.read(lambda connection: views.heads(connection, rests_on, scope))
        home = record.narrowed(scope, sources) if sources else scope
        draft = await off_loop(len(str(content)), lambda: record.knowledge(statement, home, now, self._config))
        draft = record.told_of_user(record.trusted_as(draft, sources, now, self._config), sources)
        if await self._store.read(lambda connection: knowledge.of_key(connection, draft) is not None):
            on_similar = "keep"  # it is there, and what came to be near it meanwhile refuses nothing
        rivals = await knowledge.rivals(self._recall, draft, self._filter(scope), on_similar, self._config)
        saved, _ = await self._write(lambda tx: knowledge.save(tx, draft, rivals[:1], sources))
        return saved

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
        """Put a memory right: it never was as it said, and what cannot be true beside it is over. The id stays; the old
        version is kept as history. ``claims`` are what it says in a form that can be compared. ``rests_on``
        are ids of the turns that corrected it; without them it rests on the scope's session, else on what the memory
        rested on. Raises ``LessTrusted`` where they, or ``trust``, are less than it, ``InvalidArgument`` where not
        everybody sees them who sees the memory, ``ChangedMeanwhile`` where it is not the ``version`` that is meant.
        """

        now = self._now_ms()

        def read(connection: sqlite3.Connection) -> tuple[Node, list[Node]]:
            return views.current(connection, id, scope, now), views.heads(connection, rests_on, scope)

        def draft(old: Node, sources: Sequence[Node]) -> Draft:
            made = record.correction(old, content, scope, now, self._config, trust, sources, claims, category)
            return made if confidence is None else made._replace(confidence=confidence)

        known = await self._read(read)
        made = await off_loop(len(str(content)), partial(draft, *known))

        def apply(tx: Transaction) -> str:
            old, sources = found = read(tx.connection)
            check_version(old, version)
            return knowledge.correct(
                tx, made if found == known else draft(old, sources), old, sources, holds_now=True
            ).public_id

        return await self._write(apply)

    async def confirm(
        self, id: str, *, by_person: bool = False, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Protect a memory: full confidence, no decay. ``by_person``, for faces a person holds, also raises its trust
        to ``confirmed``. ``trust`` is that of the least trusted thing which led to this: raises ``LessTrusted`` where
        that is less than the user's.
        """
        raised = "confirmed" if by_person else None

        def apply(tx: Transaction) -> None:
            head = views.current(tx.connection, id, scope, tx.now)
            check_change(id, trust)
            nodes.confirm(tx, head, scope.actor_id, raised)

        await self._write(apply)

    async def forget(
        self, id: str, *, trust: Trust = "user", version: int | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> None:
        """Take a memory out of every search and context, until ``restore`` brings it back. Raises ``LessTrusted`` where
        ``trust`` is less than it, ``ChangedMeanwhile`` where it is not the ``version`` that is meant.
        """

        def apply(tx: Transaction) -> None:
            head = views.owned(tx.connection, id, scope)
            check_version(head, version)
            check_change(id, trust, head.trust)
            if head.retired_by != "forgotten":
                nodes.forget(tx, head, scope.actor_id)

        await self._write(apply)

    async def forget_all(self, *, dry_run: bool = False, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> int:
        """Forget everything that is known and that the scope may see and change, but for what is trusted more than
        ``trust``; how much that is. What was said in conversations stays. ``restore`` brings back each.
        """
        known = replace(self._filter(scope), types=_KNOWLEDGE)

        def apply(tx: Transaction) -> int:
            found = browsing.own(tx.connection, known)
            mine = [node for node in found if may_change(trust, node.trust)]
            for node in mine:
                nodes.forget(tx, node, scope.actor_id)
            return len(mine)

        if dry_run:
            found = await self._read(lambda connection: browsing.own(connection, known))
            return sum(may_change(trust, node.trust) for node in found)
        return await self._write(apply)

    async def restore(self, id: str, *, trust: Trust = "user", scope: Scope = DEFAULT_SCOPE) -> None:
        """Believe a forgotten or faded memory again, its confidence anew; what was replaced is true still, beside what
        replaced it. What is believed and true stays as it is. Raises ``LessTrusted`` where ``trust`` is less than the
        user's.
        """

        def apply(tx: Transaction) -> None:
            head = views.owned(tx.connection, id, scope)
            check_change(id, trust)
            if head.retired_by == "merged":
                duplicates.undo(tx, head)
            if head.retired_seq is not None or head.has_faded(tx.now):
                nodes.restore(tx, head, self._config.decay_threshold, scope.actor_id)
            elif head.valid_until is not None:
                nodes.reopen(tx, head, scope.actor_id)

        await self._write(apply)

    async def erase_session(
        self, session: str, *, dry_run: bool = False, scope: Scope = DEFAULT_SCOPE
    ) -> ErasureReport:
        """Erase a conversation of the scope's project, which nothing undoes: what was said, every version of what was
        learnt from nothing else, names that nothing else says, and their bytes: the whole file is written anew. What
        was replaced by that alone holds again. A dry run tells what would go. Raises ``BytesStay`` where another
        process keeps old bytes in use, or the disk is full: erased it is, and done again this sees to the bytes;
        ``NotAdministrator`` where some of it is global.
        """
        name = record.clean_name("session", session) or ""
        if await self._read(lambda connection: erasure.is_for_everybody(connection, scope, name)):
            check_audience(scope, "global")
        if dry_run:
            return await self._read(lambda connection: erasure.would_erase(connection, scope, name))
        self._recalls.flush()
        await self._store.settled()  # lest a patient count of what is erased comes after it

        def erase(tx: Transaction) -> ErasureReport:
            documents.erase_session(documents.Shelf(tx, scope, tx.now), name)
            return erasure.erase_session(tx, scope, name)

        erased = await self._write(erase)
        self._turns.forget(name, scope)
        await self._store.forget_bytes()
        return erased

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

    async def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        types: Sequence[CognitiveType] | None = None,
        category: str | None = None,
        subject: str | None = None,
        history: bool = False,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Page[Listed]:
        """Memories that are believed and true now, what was stored last first, page by page: ``cursor`` is ``next`` of
        the page before. A correction leaves a memory where it stands in the list. ``history`` lists every version of
        what was replaced, ended or has faded, too; ``as_of`` what was believed and true then. Raises
        ``InvalidArgument``.
        """
        limit, now = positive("limit", limit), self._clock()

        def read(connection: sqlite3.Connection) -> Page[Listed]:
            filter_ = narrow(connection, scope, now, types=types, as_of=as_of, history=history)
            return browsing.memories(connection, filter_, cursor, limit, category, subject)

        return await self._read(read)

    async def used(
        self,
        *,
        limit: int = 50,
        types: Sequence[CognitiveType] | None = None,
        category: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Page[Record]:
        """Memories that are believed and true now: what was recalled last first, then what was never recalled, the
        latest first. Raises ``InvalidArgument``.
        """
        limit = positive("limit", limit)
        filter_ = replace(self._filter(scope), types=checked_types(types), category=category)
        return await self._read(lambda connection: browsing.used(connection, filter_, limit))

    async def entities(
        self, *, limit: int = 50, cursor: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> Page[Entity]:
        """Whom and what the memory knows, who was met last first, page by page as in ``list``."""
        limit = positive("limit", limit)
        return await self._read(lambda connection: browsing.entities(connection, scope, cursor, limit))

    async def changes(self, *, after: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE) -> tuple[Change, ...]:
        """What happened to memories since the change whose ``seq`` is ``after``, oldest first: who follows the memory
        asks again with the last ``seq`` they were given.
        """
        limit = positive("limit", limit)
        return await self._read(lambda connection: browsing.changes(connection, scope, after, limit))

    # --- in and out ---------------------------------------------------------------------------------------------

    async def import_file(
        self,
        path: Path | str,
        *,
        encoding: str | None = None,
        erased: bool = False,
        scope: Scope = DEFAULT_SCOPE,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Remember a file of conversations or memories, a folder or a ZIP archive of them, the format recognised by
        content; or what ``export`` wrote, where this memory is empty. What was imported before adds nothing, nor what
        was erased since unless ``erased`` asks for that; what is broken is reported and the rest goes in. Messages
        without a session are of the scope's, else of one called after the file. Without an ``encoding`` it is UTF-8, or
        what its first bytes say. Raises ``UnreadableImport``, ``InvalidArgument``.
        """
        importer = Importer(self._store, self._embedder, self._config, self._now_ms, partial(self._wake, at_once=True))
        return await importer.run(Path(path), scope, progress, encoding=encoding, erased=erased)

    async def export(
        self, path: Path | str, *, format: Literal["jsonl", "markdown"] = "jsonl", scope: Scope = DEFAULT_SCOPE
    ) -> ExportReport:
        """Write the memory to a file for its owner alone: as JSON Lines everything, of every user, which
        ``import_file`` takes back into an empty memory; as Markdown what the scope sees now, for people. Raises
        ``InvalidArgument`` where the file cannot be written, ``NotEverybodys`` where some of everything is another
        user's and the scope is no administrator's.
        """
        target, filter_, now = Path(path), self._filter(scope), self._clock()

        def write(connection: sqlite3.Connection) -> ExportReport:
            is_page = format == "markdown"
            return exporting.write(
                target, page(connection, filter_) if is_page else exporting.lines(connection, now, scope)
            )

        return await self._read(write)
