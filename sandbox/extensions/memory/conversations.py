"""What is said: stored as it comes, turn after turn, and erased."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from weakref import WeakValueDictionary

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.govern.secrets import ASKING
from sandbox.extensions.memory.ingest import bulk, episodes
from sandbox.extensions.memory.ingest.record import Turns
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory.opened import Opened
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory.store import documents, erasure, sessions
from sandbox.extensions.memory.store.pace import off_loop
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.writer import Transaction


class Conversations:
    """The conversations of one open memory."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._turns = Turns()
        self._looking_up = asyncio.Lock()
        self._speaking = WeakValueDictionary[tuple[str, str], asyncio.Lock]()  # one for each session

    async def add(self, messages: Sequence[Message], scope: Scope) -> list[str]:
        """Store turns in one transaction; the id of each."""
        return [each.id for each in await self._write(await self._drafts(messages, scope), scope)]

    async def add_many(self, messages: Iterable[Message], scope: Scope) -> list[str]:
        """Store turns in transactions of some hundred; the next are prepared while the last are written."""
        remaining = iter(messages)

        async def prepare() -> list[Draft] | None:
            said = await asyncio.to_thread(lambda: list(islice(remaining, bulk.SIZE)))
            return await self._drafts(said, scope) or None

        return [
            each.id async for _, stored in bulk.pipelined(prepare, partial(self._write, scope=scope)) for each in stored
        ]

    async def erase(self, session: str, scope: Scope, *, dry_run: bool) -> ErasureReport:
        """Erase a conversation, what rests on it alone, and their bytes. Raises ``BytesStay``, ``NotAdministrator``."""
        if await self._opened.read(lambda connection: erasure.is_for_everybody(connection, scope, session)):
            check_audience(scope, "global")
        if dry_run:
            return await self._opened.read(lambda connection: erasure.would_erase(connection, scope, session))
        self._opened.recalls.flush()
        await self._opened.store.settled()  # lest a patient count of what is erased comes after it

        def erase(tx: Transaction) -> ErasureReport:
            documents.erase_session(documents.Shelf(tx, scope, tx.now), session)
            return erasure.erase_session(tx, scope, session)

        erased = await self._opened.write(erase)
        self._turns.forget(session, scope)
        await self._opened.store.forget_bytes()
        return erased

    async def _write(self, drafts: list[Draft], scope: Scope) -> list[episodes.Recorded]:
        return await self._opened.write(partial(episodes.record, drafts=drafts, scope=scope))

    async def _drafts(self, messages: Sequence[Message], scope: Scope) -> list[Draft]:
        """Of messages in the order they were said; many, and a long one, are made in a thread."""
        now, config = self._opened.now_ms(), self._opened.config

        def make() -> list[Draft]:
            return [self._turns.episode(each, scope, now, config).draft for each in messages]

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
                self._turns.know(unknown, await self._opened.store.read(find), scope)
