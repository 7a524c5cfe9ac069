"""Sessions to knowledge: read new turns, resolve them against known memories, apply the result at once.

If there is a model, it reads. If it gives no usable answer, rules read meanwhile, and the session waits for the model
with a growing pause.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from sandbox.extensions.memory.asking.budget import SPENT, Budget
from sandbox.extensions.memory.consolidate.apply import STEP, Applied
from sandbox.extensions.memory.consolidate.draft import SessionDraft
from sandbox.extensions.memory.consolidate.extraction import Extraction, Judgement
from sandbox.extensions.memory.consolidate.known import candidates, known_to
from sandbox.extensions.memory.consolidate.related_candidates import Neighbours
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable, StoreError, UnknownSession
from sandbox.extensions.memory.model import Record, Scope
from sandbox.extensions.memory.ports import LanguageModel
from sandbox.extensions.memory.reports import LearningProgress, LearningReport, Spent
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import maintenance, nodes, search, sessions
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import RULES, Node
from sandbox.extensions.memory.store.sessions import READ, ReadingFailure, Session
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.diagnosis import Check

if TYPE_CHECKING:  # what asks a language model takes .13 s to import, twice as long as what rules need
    from sandbox.extensions.memory.consolidate.judging import StatementPair

logger = logging.getLogger(__name__)

_RETRY = 15  # minutes after a failure; each further one doubles it
_AHEAD = 2  # sessions that are read at once, each by a process; one: 38 rather than 49 a second on two cores
_FEW = 20  # waiting sessions that rules read one by one, so that each knows the people of those before


@dataclass(slots=True)
class _Run:
    """The common state of the sessions of one run, and what was learnt from them so far."""

    budget: Budget
    neighbours: Neighbours
    verdicts: "dict[StatementPair, Judgement | None]" = field(default_factory=dict)  # past verdicts
    sessions: list[str] = field(default_factory=list)
    learnt: list[int] = field(default_factory=list)
    merged: list[int] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    waiting: dict[str, str] = field(default_factory=dict)
    by: dict[str, None] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)

    def add(self, draft: SessionDraft, applied: Applied) -> None:
        self.sessions.append(draft.session.session_id)
        self.learnt += applied.learnt
        self.merged += applied.merged
        self.replaced += applied.replaced
        self.skipped.update(draft.skipped)
        self.skipped.update(applied.skipped)
        self.by[draft.by] = None

    def spend(self, spent: Spent, user_id: str) -> None:
        self.budget.spend(spent, user_id)
        self.spent += spent


@dataclass(slots=True)
class Learner:
    """Learns from one memory. It reads one session at a time, so that the next one is compared with what was learnt
    from it, and one question is asked at a time.
    """

    _runtime: Runtime
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def consolidate(self, session: str, scope: Scope) -> LearningReport:
        """Learn from the new turns of one session of the scope's project, even if it is not over. The session is read
        once for each visibility of its turns. Raises ``UnknownSession``.
        """
        found = await self._runtime.store.read(lambda snapshot: sessions.homes(snapshot, scope, session))
        if not found:
            raise UnknownSession(session=session)
        return await self._learn(found, None, shown_to=replace(scope, session_id=session))

    async def consolidate_pending(
        self, scope: Scope | None, progress: LearningProgress | None, budget: Budget | None = None
    ) -> LearningReport:
        """Learn from every session of the scope's user (None: of all users) that waits and is due, within the given
        budget or one of its own. It also learns what the scope may not see, but does not report it.
        """
        user_id = None if scope is None else scope.user_id
        now = self._runtime.now_ms()
        found = await self._runtime.store.read(
            partial(sessions.pending, now=now, user_id=user_id, reread=self._runtime.model is not None)
        )
        return await self._learn(found, progress, budget, scope)

    async def check(self) -> Check:
        """Which reader reads, and which sessions it could not read."""
        reread = self._runtime.model is not None
        found = await self._runtime.store.read(lambda snapshot: sessions.troubles(snapshot, reread=reread))
        if found:
            problems = "; ".join(f"{problem} ({count:,})" for problem, count in found.items())
            count = sum(found.values())
            unread = f"{count:,} {'conversation' if count == 1 else 'conversations'} could not be read: {problems}"
            advice = "rules have read them meanwhile; each night tries again"
            return Check("learning", False, unread, advice, "unread", {"count": count, "problem": problems})
        if self._runtime.model is None:
            return Check("learning", True, "by rules, no model is configured", finding="learns_by_rules")
        model = self._runtime.model.model_id
        return Check("learning", True, f"by {model}", finding="learns_by_model", values={"model": model})

    async def _learn(
        self,
        waiting: Sequence[Session],
        progress: LearningProgress | None,
        budget: Budget | None = None,
        shown_to: Scope | None = None,
    ) -> LearningReport:
        started = time.monotonic()
        budget = budget or await Budget.open(self._runtime.store, self._runtime.config, self._runtime.now_ms())
        run = _Run(budget, Neighbours(self._runtime))
        in_turn = self._runtime.model is not None or len(waiting) <= _FEW
        steps = self._one_by_one(waiting, run) if in_turn else self._reading_ahead(waiting, run)
        while (done := await self._next(steps, budget)) is not None:
            if progress is not None:
                progress(done, len(waiting))
        if progress is not None:
            progress(len(waiting), len(waiting))
        return await self._report(run, time.monotonic() - started, shown_to)

    async def _next(self, steps: AsyncIterator[int], budget: Budget) -> int | None:
        """Learn from the next session. Other calls learn in between, so that nobody waits for all of another user's."""
        async with self._one_at_a_time:
            if self._runtime.model is not None:
                await budget.update(self._runtime.store, self._runtime.now_ms())
            return await anext(steps, None)

    async def _one_by_one(self, waiting: Sequence[Session], run: _Run) -> AsyncIterator[int]:
        """Yields the number of sessions that are done, before each. What was learnt from one is known when the next is
        read.
        """
        for done, session in enumerate(waiting):
            yield done
            await self._learn_from(session, run)

    async def _reading_ahead(self, waiting: Sequence[Session], run: _Run) -> AsyncIterator[int]:
        """The same for rules and many sessions: the next ones are read while one is applied. A session knows the people
        of those that were applied before its reading began.
        """
        drafts = [SessionDraft(self._runtime, session, RULES) for session in waiting]
        drafts = [draft for draft in drafts if not draft.is_session_consolidated()]
        for draft in drafts[:_AHEAD]:
            await draft.look()
        reading = [asyncio.create_task(self._read_by_rules(draft, run)) for draft in drafts[:_AHEAD]]
        try:
            for done, draft in enumerate(drafts):
                yield done
                following = drafts[done + _AHEAD : done + _AHEAD + 1]
                for each in following:  # before a process can read it
                    await each.look()
                is_read = await reading.pop(0)
                reading += [asyncio.create_task(self._read_by_rules(each, run)) for each in following]
                if is_read:
                    await self._finish(draft, run)
        finally:
            for task in reading:
                task.cancel()

    async def _learn_from(self, session: Session, run: _Run) -> None:
        """Learn by the model; by rules if there is none, or it fails."""
        problem: str | None = None
        is_due = session.retry_at is None or session.retry_at <= self._runtime.now_ms()
        if self._runtime.model is not None and session.attempts and not is_due:
            problem = session.problem
        elif self._runtime.model is not None:
            problem = await self._by_model(self._runtime.model, session, run)
            if problem is None:
                return
        await self._by_rules(session, run, problem)

    async def _by_model(self, model: LanguageModel, session: Session, run: _Run) -> str | None:
        """Let the model read; return the problem, if there is one."""
        from sandbox.extensions.memory.consolidate.model_extractor import ModelExtractor

        if not run.budget.allows(session.user_id):
            return SPENT
        draft = SessionDraft(self._runtime, session, model.model_id)
        if draft.is_session_consolidated():
            return None
        shown: list[frozenset[str]] = []  # to the reader of each statement
        reader = ModelExtractor(model, self._runtime.config, self._runtime.embedder)
        try:
            for turns in await draft.get_session_episodes():
                known = await known_to(self._runtime, turns, draft.session.scope)
                self._take(draft, await reader.read(turns, known), run)
                seen = frozenset(fact.id for fact in known.facts)
                shown += [seen] * (len(draft.statements) - len(shown))
            await self._detect_conflicts(model, draft, shown, run)
        except (ModelUnavailable, BadAnswer) as error:
            await self._pay(model, draft, error, run)
            return str(error.details["problem"])
        await self._finish(draft, run)
        return None

    async def _by_rules(self, session: Session, run: _Run, problem: str | None) -> None:
        """Let rules read; with a ``problem``, the model tries again later."""
        draft = SessionDraft(self._runtime, session, RULES)
        attempts = session.attempts + 1 if problem else 0
        retry_at = self._runtime.now_ms() + self._pause(attempts) if problem and problem != SPENT else None
        if problem is not None:
            run.waiting[session.session_id] = problem
        if draft.is_session_consolidated():
            if problem and retry_at:
                await self._runtime.store.write(lambda tx: sessions.fail(tx, session, retry_at, problem))
            return
        await draft.look()
        if await self._read_by_rules(draft, run):
            await self._finish(draft, run, ReadingFailure(attempts, retry_at, problem))

    async def _read_by_rules(self, draft: SessionDraft, run: _Run) -> bool:
        """Whether rules could read what the draft has looked up. An error about one text must not stop other
        sessions.
        """
        session = draft.session
        try:
            for extraction in await draft.read_by_rules():
                self._take(draft, extraction, run)
        except StoreError:
            raise
        except Exception as error:
            problem = f"the rules failed ({type(error).__name__})"
            # its text may contain content
            logger.error("the rules could not read a session (%s); learning tries again later", type(error).__name__)
            run.waiting[session.session_id] = problem
            retry_at = self._runtime.now_ms() + self._pause(session.attempts + 1)
            await self._runtime.store.write(lambda tx: sessions.fail(tx, session, retry_at, problem))
            return False
        return True

    def _take(self, draft: SessionDraft, extraction: Extraction, run: _Run) -> None:
        draft.save_nodes_batch(extraction)
        draft.extract_and_link_entities(extraction)
        run.spend(extraction.spent, draft.session.user_id)

    async def _detect_conflicts(
        self, model: LanguageModel, draft: SessionDraft, shown: Sequence[Collection[str]], run: _Run
    ) -> None:
        """Find memories that the statements may repeat, change or correct, and let the model judge the doubtful pairs,
        each once.
        """
        from sandbox.extensions.memory.asking.ask import ask
        from sandbox.extensions.memory.consolidate import judging

        found = await draft.resolve_cited()
        ending = {node for statement in draft.statements for node in statement.replaces}
        for place, statement in enumerate(draft.statements):
            near = await candidates(self._runtime, statement.draft, shown[place])
            found += [(place, node) for node in near if node.id not in ending]
        pair_of = judging.StatementPair.of
        pairs = {(place, node.id): (pair_of(draft.statements[place].draft, node), node) for place, node in found}
        asked = list(dict.fromkeys(pair for pair, _ in pairs.values() if pair not in run.verdicts))
        for start in range(0, len(asked), judging.PAIRS_IN_A_QUESTION):
            batch = asked[start : start + judging.PAIRS_IN_A_QUESTION]
            judged = await ask(model, judging.JUDGE, pairs=batch)
            draft.charge(judged.spent, judged.refused)
            run.spend(judged.spent, draft.session.user_id)
            run.verdicts.update(zip(batch, judging.verdicts(batch, judged.answer), strict=True))
        for (place, _), (pair, node) in pairs.items():
            if (verdict := run.verdicts[pair]) is not None:
                draft.resolve(place, node.id, verdict)

    async def _finish(self, draft: SessionDraft, run: _Run, failure: ReadingFailure = READ) -> None:
        await draft.resolve_changes()
        drafts, scope = [each.draft for each in draft.statements], draft.session.scope
        near = await run.neighbours.of(drafts, scope)
        applied = await draft.mark_session_consolidated(near, failure)
        if applied is not None:
            self._runtime.wake()
            run.add(draft, applied)

    async def _pay(
        self, model: LanguageModel, draft: SessionDraft, error: ModelUnavailable | BadAnswer, run: _Run
    ) -> None:
        read = error.details.get("read") or Extraction(
            model.model_id, spent=error.details.get("spent", Spent()), faults=error.details.get("refused", {})
        )
        run.spend(read.spent, draft.session.user_id)
        draft.charge(read.spent, read.faults, read.quality)
        user = draft.session.user_id
        await self._runtime.store.write(
            lambda tx: maintenance.record_spent(
                tx, user, STEP, model.model_id, draft.spent, draft.faults, draft.quality
            )
        )

    def _pause(self, attempts: int) -> int:
        """Milliseconds until a session is tried again: doubled with each failure, a week at most."""
        minutes = _RETRY << min(attempts - 1, 20)
        return min(minutes * 60_000, sessions.LONGEST_PAUSE)

    async def _report(self, run: _Run, seconds: float, shown_to: Scope | None) -> LearningReport:
        wanted = [*run.learnt, *run.merged, *run.replaced]

        def shown(snapshot: Snapshot) -> dict[int, Node]:
            everything = None if shown_to is None else Filter(shown_to, self._runtime.now_ms(), history=True)
            ids = wanted if everything is None else search.allowed(snapshot, wanted, everything)
            return nodes.by_ids(snapshot, ids)

        found = await self._runtime.store.read(shown)

        def records(ids: Sequence[int]) -> tuple[Record, ...]:
            return tuple(found[each].record(self._runtime.now_ms()) for each in dict.fromkeys(ids) if each in found)

        return LearningReport(
            sessions=tuple(run.sessions),
            learnt=records(run.learnt),
            merged=records([each for each in run.merged if each not in run.learnt]),
            replaced=records(run.replaced),
            skipped=dict(run.skipped),
            waiting=run.waiting,
            by=tuple(run.by),
            spent=run.spent,
            seconds=seconds,
            in_projects=len({*run.learnt} - found.keys()),
        )
