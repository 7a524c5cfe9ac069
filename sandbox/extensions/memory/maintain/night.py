"""The night: steps in order, each bounded, resumable, reported, and failing alone.

A step's committed work stays, and it continues with the rest the next time: a night that is killed at any point and
repeated gives the same graph. A dry run writes nothing and asks nothing.
"""

import logging
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandbox.extensions.memory.asking.budget import Budget
from sandbox.extensions.memory.consolidate.draft import SessionDraft
from sandbox.extensions.memory.consolidate.extraction import Known
from sandbox.extensions.memory.consolidate.learner import Learner
from sandbox.extensions.memory.consolidate.model_extractor import EXTRACT, material
from sandbox.extensions.memory.errors import MemoryExtensionError, UnknownStep
from sandbox.extensions.memory.maintain import causality, enrich, identity, insights, merge, relate, retain
from sandbox.extensions.memory.maintain.step import Night, Step, Tally, estimate
from sandbox.extensions.memory.reports import MaintenanceReport, NightProgress, StepReport, StepStatus
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import browsing, changes, maintenance, sessions, vectors
from sandbox.extensions.memory.store.maintenance import EVERYBODY
from sandbox.extensions.memory.store.rows import RULES

logger = logging.getLogger(__name__)


async def learn(night: Night, tally: Tally) -> None:
    """Learn from every session that waits and is due."""
    if night.dry_run:
        await _estimate(night, tally)
        return
    report = await night.learner.consolidate_pending(None, night.tell, night.budget)
    tally.spent += report.spent
    tally.counts.update(
        {
            "sessions": len(report.sessions),
            "learnt": len(report.learnt),
            "merged": len(report.merged),
            "replaced": len(report.replaced),
        }
    )
    if report.waiting:
        problems = ", ".join(sorted(set(report.waiting.values())))
        tally.stopped[EVERYBODY] = f"{len(report.waiting):,} wait for the model: {problems}"


async def _estimate(night: Night, tally: Tally) -> None:
    """Count the waiting sessions, and the cost of asking a model about them, without the known facts in the prompt."""
    by = RULES if night.model is None else night.model.model_id
    waiting = await night.store.read(
        lambda connection: sessions.pending(connection, now=night.now, reread=night.model is not None)
    )
    for session in waiting:
        draft = SessionDraft(night.runtime, session, by)
        chunks = await draft.get_session_episodes()
        tally.counts.update({"sessions": 1, "turns": sum(map(len, chunks))})
        if night.model is not None:
            asked = (EXTRACT.question(**material(turns, Known(), night.runtime.config)) for turns in chunks)
            tally.spent = sum(map(estimate, asked), tally.spent)


STEPS: Mapping[str, Step] = {
    "sessions": learn,
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
    runtime: Runtime, learner: Learner, only: Sequence[str] | None, progress: NightProgress | None, *, dry_run: bool
) -> MaintenanceReport:
    """Run the night, or only the steps that ``only`` names. A second run changes nothing. Raises ``UnknownStep``."""
    for name in only or ():
        if name not in STEPS:
            raise UnknownStep(step=name, known=", ".join(STEPS))
    runtime.recalls.flush()
    budget = await Budget.open(runtime.store, runtime.config, runtime.now_ms())
    night = Night(runtime, runtime.store, runtime.model, learner, runtime.now_ms(), budget, dry_run)
    started, since = time.monotonic(), await night.store.read(changes.last_seq)
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
