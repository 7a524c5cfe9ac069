"""Learn from conversations, and run the night, which maintains the memory."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from sandbox.extensions.memory.errors import DatabaseReplaced
from sandbox.extensions.memory.listings import PassedOver
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import LearningProgress, LearningReport, MaintenanceReport, NightProgress
from sandbox.extensions.memory.runtime import Runtime
from sandbox.support.diagnosis import Check

if TYPE_CHECKING:  # as slow to import as everything else together, and seldom needed
    from sandbox.extensions.memory.consolidate.learner import Learner


class Learning:
    """Learns from the conversations of one open memory."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._made: Learner | None = None

    async def consolidate(self, session: str | None, scope: Scope, progress: LearningProgress | None) -> LearningReport:
        """Learn from a session, or from all waiting sessions of the user. Raises ``UnknownSession``."""
        learner = await self._learner()
        if session is None:
            return await learner.consolidate_pending(scope, progress)
        return await learner.consolidate(session, scope)

    async def passed_over(self, session: str, offset: int, limit: int, scope: Scope) -> tuple[PassedOver, ...]:
        """The turns from which nothing, or less than they say, is learnt, with the reasons."""
        await self._learner()
        from sandbox.extensions.memory.consolidate import passed_over

        runtime = self._runtime
        return await passed_over.passed_over(
            runtime.store, runtime.config, runtime.now_ms(), session, scope, offset, limit
        )

    async def maintain(
        self, only: Sequence[str] | None, progress: NightProgress | None, *, dry_run: bool
    ) -> MaintenanceReport:
        """Run the steps of the night. Raises ``UnknownStep``."""
        from sandbox.extensions.memory.asking.budget import Budget
        from sandbox.extensions.memory.maintain import night
        from sandbox.extensions.memory.maintain.step import Night

        runtime = self._runtime
        runtime.recalls.flush()
        now, learner = runtime.now_ms(), await self._learner()
        run = Night(
            store=runtime.store,
            config=runtime.config,
            now=now,
            model=runtime.model,
            embedder=runtime.embedder,
            budget=await Budget.open(runtime.store, runtime.config, now),
            dry_run=dry_run,
            learn=lambda budget, tell: learner.consolidate_pending(None, tell, budget),
            wait_until_embedded=runtime.wait_until_embedded,
            tell=lambda *_: None,
        )
        return await night.maintain(run, only=only, progress=progress)

    async def check(self) -> list[Check]:
        """Whether sessions can be read, by which reader, and which could not be; nothing if the file is lost."""
        with suppress(DatabaseReplaced):
            return [await (await self._learner()).check()]
        return []

    async def _learner(self) -> "Learner":
        """The learner, created at its first use and imported in a thread."""
        if self._made is None:
            runtime = self._runtime
            for name in ("learner", "model_extractor") if runtime.model else ("learner",):
                await asyncio.to_thread(import_module, f"sandbox.extensions.memory.consolidate.{name}")
            from sandbox.extensions.memory.consolidate.learner import Learner

            self._made = self._made or Learner(
                runtime.store,
                runtime.recall,
                runtime.embedder,
                runtime.model,
                runtime.config,
                runtime.now_ms,
                runtime.wake,
            )
        return self._made
