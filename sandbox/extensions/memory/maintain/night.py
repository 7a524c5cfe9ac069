"""The night: steps in order, each bounded, resumable, reported, and failing alone.

A step's committed work stays, and it continues with the rest the next time: a night that is killed at any point and
repeated gives the same graph. A dry run writes nothing and asks nothing.
"""

import logging
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandbox.extensions.memory.errors import MemoryExtensionError, UnknownStep
from sandbox.extensions.memory.maintain import (
    causality,
    enrich,
    identity,
    insights,
    merge,
    profile,
    prune,
    relate,
    retain,
    sessions,
)
from sandbox.extensions.memory.maintain.step import Night, Step, Tally
from sandbox.extensions.memory.reports import MaintenanceReport, NightProgress, StepReport, StepStatus
from sandbox.extensions.memory.store import inspect

logger = logging.getLogger(__name__)

STEPS: Mapping[str, Step] = {
    "sessions": sessions.learn,
    "merge": merge.merge,
    "identity": identity.resolve,
    "relate": relate.relate,
    "enrich": enrich.enrich,
    "causality": causality.infer,
    "insights": insights.reflect,
    "profile": profile.fill,
    "prune": prune.prune,
    "retain": retain.retain,
}


async def maintain(
    night: Night, *, only: Sequence[str] | None = None, progress: NightProgress | None = None
) -> MaintenanceReport:
    """Run the night, or only the steps that ``only`` names. A second run changes nothing. Raises ``UnknownStep``."""
    for name in only or ():
        if name not in STEPS:
            raise UnknownStep(step=name, known=", ".join(STEPS))
    started = time.monotonic()
    ran = [await _run(night, name, progress) for name in STEPS if not only or name in only]
    if not night.dry_run:
        await night.store.write(lambda tx: inspect.note_maintained(tx, night.now))
    waiting = await night.store.read(inspect.waiting)
    return MaintenanceReport(
        dry_run=night.dry_run,
        pruned=tuple(id for tally, _ in ran for id in tally.ids),
        sessions_pending=waiting.sessions,
        embedding_backlog=waiting.embeddings,
        seconds=time.monotonic() - started,
        steps=tuple(report for _, report in ran),
    )


async def _run(night: Night, name: str, progress: NightProgress | None) -> tuple[Tally, StepReport]:
    """Run one step, and report its failure."""

    def tell(done: int, of: int) -> None:
        if progress is not None:
            progress(name, done, of)

    tell(0, 0)
    started, tally, problem = time.monotonic(), Tally(name), None
    try:
        await STEPS[name](replace(night, tell=tell), tally)
    except Exception as error:
        problem = str(error) if isinstance(error, MemoryExtensionError) else type(error).__name__
        logger.warning("the step %s failed: %s\n%s", name, problem, "".join(traceback.format_tb(error.__traceback__)))
    tell(1, 1)
    seconds = time.monotonic() - started
    status, note = _outcome(night, tally, problem)
    return tally, StepReport(name, status, dict(+tally.counts), note, tally.spent, seconds)


def _outcome(night: Night, tally: Tally, problem: str | None) -> tuple[StepStatus, str | None]:
    if problem is not None:
        return "failed", problem
    if tally.skipped is not None:
        return "skipped", tally.skipped
    if night.dry_run:
        return "planned", tally.stopped
    return ("done", None) if tally.stopped is None else ("partial", tally.stopped)
