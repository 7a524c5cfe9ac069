"""Store the turns of conversations as they come, and erase them."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from weakref import WeakValueDictionary

from sandbox.extensions.memory import reports
from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.errors import ArgumentsDisagree, InvalidArgument, NotAdministrator, NotCurrent
from sandbox.extensions.memory.govern.secrets import ASKING
from sandbox.extensions.memory.ingest import cleaning, episodes
from sandbox.extensions.memory.ingest.drafts import EpisodeMaker
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import erasing, sessions
from sandbox.extensions.memory.store.erasing import ErasureSelection
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.sqlite.database import off_loop
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.times import moment
from sandbox.support.characters import is_blank


class Conversations:
    """The conversations of one open memory."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._turns = EpisodeMaker()
        self._looking_up = asyncio.Lock()
        self._speaking = WeakValueDictionary[tuple[str, str], asyncio.Lock]()  # one for each session

    async def add(self, messages: Sequence[Message], scope: Scope) -> list[str]:
        """Store turns in one transaction; return their ids."""
        return [each.id for each in await self._write(await self._drafts(messages, scope), scope)]

    async def add_many(self, messages: Iterable[Message], scope: Scope) -> list[str]:
        """Store turns in transactions of several hundred; the next batch is prepared while the last one is written."""
        remaining = iter(messages)

        async def prepare() -> list[Draft] | None:
            said = await asyncio.to_thread(lambda: list(islice(remaining, episodes.SIZE)))
            return await self._drafts(said, scope) or None

        return [
            each.id
            async for _, stored in episodes.pipelined(prepare, partial(self._write, scope=scope))
            for each in stored
        ]

    async def erase(
        self, selection: ErasureSelection, scope: Scope, *, everybody: bool, dry_run: bool
    ) -> ErasureReport:
        """Erase a selection with its bytes and with memories that rest on it alone, for the scope's user or for
        ``everybody``. Raises ``ErasureIncomplete``, ``NotAdministrator``, ``UnknownMemory``, ``NotCurrent``.
        """

        def each(snapshot: Snapshot) -> list[Scope]:
            id = selection.id
            if id is not None and views.versions(snapshot, id, scope)[0].user_id != scope.user_id:
                raise NotCurrent(id=id, state="another user's", advice="only they can erase it")
            users = erasing.users(snapshot) if everybody else [scope.user_id]
            return [replace(scope, user_id=user) for user in users]

        def would(snapshot: Snapshot) -> ErasureReport:
            return reports.summed(erasing.would_erase(snapshot, of, selection) for of in each(snapshot))

        def erase(tx: Transaction) -> ErasureReport:
            return reports.summed([erasing.erase(tx, of, selection) for of in each(tx)])

        if dry_run:
            return _standing(await self._runtime.read(would))
        self._runtime.recalls.flush()
        await self._runtime.store.settled()  # otherwise a slow count of erased memories could come after the erasure
        erased = await self._runtime.write(erase)
        self._turns.forget_all()
        await self._runtime.store.forget_bytes()
        return _standing(erased)

    async def _write(self, drafts: list[Draft], scope: Scope) -> list[episodes.Recorded]:
        def write(tx: Transaction) -> list[episodes.Recorded]:
            known = episodes.known_episodes(tx, drafts, scope)
            for each, _ in episodes.clashing(drafts, known):
                expected = "a turn with another text or role has it; a key means one turn, in all sessions"
                raise ArgumentsDisagree(argument="key", value=each.key, expected=expected)
            return episodes.record(tx, drafts, scope, known)

        return await self._runtime.write(write)

    async def _drafts(self, messages: Sequence[Message], scope: Scope) -> list[Draft]:
        """Drafts of messages, in the order they were said. Many messages, or a long one, are prepared in a thread."""
        now, config = self._runtime.now_ms(), self._runtime.config

        def make() -> list[Draft]:
            return [self._turns.episode(each, scope, now, config).draft for each in messages]

        if len(messages) != 1:
            await self._look_up(messages, scope)
            return await asyncio.to_thread(make)
        (message,) = messages
        session = str(message.session or scope.session_id)
        async with self._speaking.setdefault((scope.user_id, session), asyncio.Lock()):
            await self._look_up(messages, scope)  # a message after a long turn waits for that turn
            return await off_loop(len(str(message.content)), make)

    async def _look_up(self, messages: Sequence[Message], scope: Scope) -> None:
        """Find the last turns of known sessions. Calls wait for earlier calls, so that no turn overtakes another."""
        async with self._looking_up:
            if unknown := self._turns.unknown(messages, scope):
                find = partial(sessions.endings, scope=scope, session_ids=unknown, characters=ASKING)
                self._turns.know(unknown, await self._runtime.store.read(find), scope)


def _standing(report: ErasureReport) -> ErasureReport:
    """The same without export files that are gone."""
    return replace(report, exports=tuple(each for each in report.exports if Path(each.file).exists()))


def selected(
    scope: Scope,
    now: datetime,
    *,
    user: str | None,
    everything: bool,
    before: datetime | str | None,
    **named: str | None,
) -> tuple[ErasureSelection, Scope]:
    """The selection to erase, and whose memories it means. Raises ``InvalidArgument``, ``NotAdministrator``."""
    given = [name for name, value in {**named, "before": before, "user": user}.items() if value is not None]
    given += ["everything"] * everything
    if len(given) != 1:
        expected = "give one of id, session, subject, before, user and everything"
        raise InvalidArgument(argument="erase", value=", ".join(given) or "nothing", expected=expected)
    if (everything or user not in (None, scope.user_id)) and not scope.administrator:
        raise NotAdministrator()
    if (everything or user is not None) and scope.project_id is not None:
        raise InvalidArgument(argument=given[0], value=scope.project_id, expected="it is of no project; leave that out")
    if named["subject"] is not None and is_blank(named["subject"]):
        expected = "give the name of a person or thing"
        raise InvalidArgument(argument="subject", value=named["subject"], expected=expected)
    if named["session"] is not None:
        named["session"] = cleaning.clean_name(named["session"]) or ""
    whose = scope if user is None else replace(scope, user_id=user)
    return ErasureSelection(**named, before=moment(before, now, "before")), whose
