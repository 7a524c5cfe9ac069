"""What is learnt from conversations, and the night that keeps it in order."""

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.opened import Opened
from sandbox.extensions.memory.reports import LearningProgress, LearningReport, MaintenanceReport, NightProgress
from sandbox.support.diagnosis import Check

if TYPE_CHECKING:  # it takes as long to import as everything else together, and is seldom wanted
    from sandbox.extensions.memory.consolidate.learner import Learner


class Learning:
    """Learns from the conversations of one open memory."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._made: Learner | None = None

    async def consolidate(self, session: str | None, scope: Scope, progress: LearningProgress | None) -> LearningReport:
        """Learn from a session, or from all of the user's that wait. Raises ``UnknownSession``."""
        learner = await self._learner()
        if session is None:
            return await learner.consolidate_pending(scope, progress)
        return await learner.consolidate(session, scope)

    async def maintain(
        self, only: Sequence[str] | None, progress: NightProgress | None, *, dry_run: bool
    ) -> MaintenanceReport:
        """The steps of a night. Raises ``UnknownStep``."""
        from sandbox.extensions.memory.asking.budget import Budget
        from sandbox.extensions.memory.maintain import night
        from sandbox.extensions.memory.maintain.step import Night

        opened = self._opened
        opened.recalls.flush()
        now, learner = opened.now_ms(), await self._learner()
        run = Night(
            store=opened.store,
            config=opened.config,
            now=now,
            model=opened.model,
            embedder=opened.embedder,
            budget=await Budget.open(opened.store, opened.config, now),
            dry_run=dry_run,
            learn=lambda budget, tell: learner.consolidate_pending(None, tell, budget),
            wait_until_embedded=opened.wait_until_embedded,
        )
        return await night.maintain(run, only=only, progress=progress)

    async def check(self) -> Check:
        """Who reads sessions, and which could not be read."""
        return await (await self._learner()).check()

    async def _learner(self) -> "Learner":
        """Made when it is first wanted, and imported in a thread."""
        if self._made is None:
            await asyncio.to_thread(import_module, "sandbox.extensions.memory.consolidate.learner")
            from sandbox.extensions.memory.consolidate.learner import Learner

            opened = self._opened
            self._made = self._made or Learner(
                opened.store,
                opened.recall,
                opened.embedder,
                opened.model,
                opened.config,
                opened.now_ms,
                opened.wake,
            )
        return self._made
