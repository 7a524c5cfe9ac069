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
from sandbox.extensions.memory.maintain import causality, enrich, identity, insights, merge, relate, retain, sessions
from sandbox.extensions.memory.maintain.step import Night, Step, Tally
from sandbox.extensions.memory.reports import MaintenanceReport, NightProgress, StepReport, StepStatus
from sandbox.extensions.memory.store import browsing, history, maintenance, vectors

logger = logging.getLogger(__name__)

STEPS: Mapping[str, Step] = {
    "sessions": sessions.learn,
    "merge": merge.merge,
    "identity": identity.resolve,
    "relate": relate.relate,
    "enrich": enrich.enrich,
    "causality": causality.infer,
    "insights": insights.reflect,
    "prune": retain.prune,
    "retain": retain.retain,
}


async def maintain(
    night: Night, *, only: Sequence[str] | None = None, progress: NightProgress | None = None
) -> MaintenanceReport:
    """Run the night, or only the steps that ``only`` names. A second run changes nothing. Raises ``UnknownStep``."""
    for name in only or ():
        if name not in STEPS:
            raise UnknownStep(step=name, known=", ".join(STEPS))
    started, since = time.monotonic(), await night.store.read(history.last_seq)
    ran = [await _run(night, name, progress) for name in STEPS if not only or name in only]
    steps, seconds = tuple(report for _, report in ran), time.monotonic() - started
    if not night.dry_run:
        await night.store.write(lambda tx: maintenance.note_night(tx, night.now, seconds, steps, since))
    return MaintenanceReport(
        dry_run=night.dry_run,
        pruned=tuple(id for tally, _ in ran for id in tally.ids),
        sessions_pending=await night.store.read(browsing.pending_sessions),
        embedding_backlog=await night.store.read(vectors.backlog_size),
        seconds=seconds,
        steps=steps,
    )


async def _run(night: Night, name: str, progress: NightProgress | None) -> tuple[Tally, StepReport]:

    def tell(done: int, of: int) -> None:
        if progress is not None:
            progress(name, done, of)

    tell(0, 0)
    started, tally, problem, kind = time.monotonic(), Tally(name), None, None
    try:
        await STEPS[name](replace(night, tell=tell), tally)
    except Exception as error:
        kind = type(error).__name__
        problem = str(error) if isinstance(error, MemoryExtensionError) else kind
        logger.warning("the step %s failed: %s\n%s", name, problem, "".join(traceback.format_tb(error.__traceback__)))
    tell(1, 1)
    seconds = time.monotonic() - started
    status, note = _outcome(night, tally, problem)
    return tally, StepReport(name, status, dict(+tally.counts), note, tally.spent, seconds, kind)


def _outcome(night: Night, tally: Tally, problem: str | None) -> tuple[StepStatus, str | None]:
    if problem is not None:
        return "failed", problem
    if tally.skipped is not None:
        return "skipped", tally.skipped
    why = next(iter(tally.stopped.values()), None)
    if night.dry_run:
        return "planned", why
    return ("done", None) if why is None else ("partial", why)
