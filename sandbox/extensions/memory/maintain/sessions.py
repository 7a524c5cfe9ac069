"""Learn from sessions that wait; consolidation does the work."""

from sandbox.extensions.memory.consolidate.draft import SessionDraft
from sandbox.extensions.memory.consolidate.extraction import Known
from sandbox.extensions.memory.consolidate.model_extractor import EXTRACT, material
from sandbox.extensions.memory.maintain.step import Night, Tally, estimate
from sandbox.extensions.memory.store import sessions
from sandbox.extensions.memory.store.maintenance import EVERYBODY
from sandbox.extensions.memory.store.rows import RULES


async def learn(night: Night, tally: Tally) -> None:
    """Learn from every session that waits and is due."""
    if night.dry_run:
        await _estimate(night, tally)
        return
    report = await night.learn(night.budget, night.tell)
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
        draft = SessionDraft(night.store, session, by, night.config, lambda: night.now)
        chunks = await draft.get_session_episodes()
        tally.counts.update({"sessions": 1, "turns": sum(map(len, chunks))})
        if night.model is not None:
            asked = (EXTRACT.question(**material(turns, Known(), night.config)) for turns in chunks)
            tally.spent = sum(map(estimate, asked), tally.spent)
