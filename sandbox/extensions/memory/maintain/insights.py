"""A model's conclusions about a person's feelings and relation to the assistant: few, rare, and of little weight."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Asked, Prompt
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.ingest import cleaning, drafts
from sandbox.extensions.memory.maintain.step import Night, Tally, ask_within_budget, pay
from sandbox.extensions.memory.maintain.wording import LONGEST, mended
from sandbox.extensions.memory.model import Scope, Statement
from sandbox.extensions.memory.store import graph, maintenance, nodes, summaries
from sandbox.extensions.memory.store.rows import INSIGHT, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.summaries import SESSION

_STEP = "insights"
_MOST = 3  # insights of one night
_ACTIVITIES, _FACTS, _SNIPPET = 5, 3, 1000  # the most in a question: items, items, characters
_TURNS = 30  # from which the snippet is taken
_IMPORTANCE, _CONFIDENCE = 2, 0.3  # both low: an insight is found on request, and seldom comes before facts
_INTERVAL = DAY - DAY // 12  # a night may begin a moment earlier than the last one, or an hour, when clocks change


class Insight(BaseModel):
    """One conclusion."""

    summary: str
    tags: list[str]


class Insights(BaseModel):
    """A model's answer; empty if there is no conclusion."""

    insights: list[Insight]


PROMPT = Prompt("insights", __package__, Insights, max_tokens=220)


@dataclass(frozen=True, slots=True)
class _Lately:
    """What happened to a user since the last time, and the last node of it."""

    user_id: str
    activities: tuple[str, ...]
    facts: tuple[Node, ...]
    turns: tuple[Node, ...]
    last: int

    @property
    def snippet(self) -> str:
        """The end of the conversation."""
        return "\n".join(f"{turn.speaker or turn.role}: {turn.content}" for turn in self.turns)[-_SNIPPET:]


async def reflect(night: Night, tally: Tally) -> None:
    """Draw conclusions about every user who talked since the last time, a day ago."""
    if night.model is None:
        tally.skipped = "there is no language model"
        return
    if INSIGHT not in night.runtime.config.categories:
        tally.skipped = f"the categories do not have {INSIGHT}"
        return
    users = await night.store.read(maintenance.last_turns)
    for done, (user_id, last) in enumerate(users.items()):
        night.tell(done, len(users))
        found = await night.store.read(partial(_lately, night=night, user_id=user_id, last=last))
        if found is not None:
            asked = await ask_within_budget(night, tally, user_id, PROMPT, lately=found, longest=LONGEST)
            if asked is not None:
                apply = partial(_apply, night=night, tally=tally, lately=found, asked=asked)
                tally.counts["insights"] += await night.store.write(apply)


def _lately(snapshot: Snapshot, night: Night, user_id: str, last: int) -> _Lately | None:
    """The material for a user; None if it is too early, or nothing was said."""
    mark = maintenance.mark(snapshot, user_id, _STEP)
    after = mark.position
    if after >= last or (mark.at is not None and 0 <= night.now - mark.at < _INTERVAL):
        return None
    turns = maintenance.turns_since(snapshot, user_id, after, _TURNS)
    if not turns:
        return None
    facts = maintenance.facts_since(snapshot, user_id, after, night.now, _FACTS)
    latest = summaries.latest(snapshot, user_id, SESSION, _ACTIVITIES)
    return _Lately(user_id, tuple(latest[::-1]), tuple(facts[::-1]), _at_the_end(turns), last)


def _at_the_end(turns: Sequence[Node]) -> tuple[Node, ...]:
    """The turns in the snippet, in order; the arguments are in reverse order."""
    taken, length = [], 0
    for turn in turns:
        if length < _SNIPPET:
            taken.append(turn)
            length += len(turn.content)
    return tuple(taken[::-1])


def _apply(tx: Transaction, night: Night, tally: Tally, lately: _Lately, asked: Asked[Insights]) -> int:
    pay(tx, night, tally, lately.user_id, asked)
    if maintenance.mark(tx, lately.user_id, _STEP).position >= lately.last:  # another process was faster
        return 0
    if not nodes.are_believed(tx, (each.id for each in (*lately.turns, *lately.facts))):  # it was erased, or forgotten
        return 0
    maintenance.set_mark(tx, lately.user_id, _STEP, lately.last, night.now)
    new = 0
    for draft in _drafts(asked.answer.insights, lately, tx.now, night.runtime.config):
        if nodes.said_before(tx, draft, tx.now) or nodes.was_rejected(tx, draft):
            continue
        added = nodes.add(tx, draft)
        for turn in lately.turns:
            graph.add_edge(tx, added.id, turn.id, "derived_from")
        new += 1
    return new


def _drafts(insights: Iterable[Insight], lately: _Lately, now: int, config: Config) -> list[Draft]:
    """The insights that can be stored, with the trust of an assistant at most, and of their sources."""
    found = []
    for each in list(insights)[:_MOST]:
        content = mended(each.summary, lately.snippet)
        if content is None:
            continue
        tags = cleaning.clean_names(each.tags)
        statement = Statement(content, "opinion", INSIGHT, tags=tags, source="inferred", trust="assistant")
        try:
            draft = drafts.knowledge(statement, Scope(lately.user_id), now, config)
        except MemoryExtensionError:
            continue
        weak = draft._replace(importance=_IMPORTANCE, confidence=_CONFIDENCE)
        found.append(drafts.trusted_as(weak, lately.turns, now, config))
    return found
