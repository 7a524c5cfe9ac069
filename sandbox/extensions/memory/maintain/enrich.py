"""Write summaries of entities that are mentioned often.

A summary rests on facts. It is stale when these change, and is removed together with any of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Prompt
from sandbox.extensions.memory.ingest.embed import embedded
from sandbox.extensions.memory.maintain.step import Night, Tally, ask_within_budget, pay
from sandbox.extensions.memory.maintain.wording import LONGEST, mended
from sandbox.extensions.memory.ports import model_of
from sandbox.extensions.memory.store import summaries
from sandbox.extensions.memory.store.entities import EntityRow
from sandbox.extensions.memory.store.rows import RULES, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.summaries import ENTITY, Summary
from sandbox.support.characters import storable

_MENTIONS = 3  # of an entity, at least
_FACTS = 12  # facts for one summary, at most
_ENTITIES = 200  # entities read together
_EMBEDDED = 256  # summaries embedded together


class EntitySummary(BaseModel):
    """A model's answer."""

    summary: str


PROMPT = Prompt("entity_summary", __package__, EntitySummary, max_tokens=200)


@dataclass(frozen=True, slots=True)
class _Stale:
    """An entity, the facts about it, and the stale summary, if there is one."""

    entity: EntityRow
    facts: tuple[Node, ...]
    summary: Summary | None

    @property
    def rests_on(self) -> tuple[int, ...]:
        return tuple(sorted(fact.id for fact in self.facts))

    @property
    def said(self) -> str:
        return "\n".join(fact.content for fact in self.facts)


async def enrich(night: Night, tally: Tally) -> None:
    """Write a summary of every entity that is mentioned often enough and has none, or a stale one."""
    after: int | None = 0
    while after is not None:
        stale, after = await night.store.read(partial(_stale, night=night, after=after))
        for done, each in enumerate(stale):
            night.tell(done, len(stale))
            await _sum_up(night, tally, each)
    if not night.dry_run:
        await _embed(night)


def _stale(snapshot: Snapshot, night: Night, after: int) -> tuple[list[_Stale], int | None]:
    """Some entities that need a summary, and where to continue; None at the end. Once there is a model, a summary by
    rules is stale, too.
    """
    found, stale = summaries.mentioned(snapshot, _MENTIONS, after, _ENTITIES), list[_Stale]()
    for entity in found:
        facts, old = summaries.facts(snapshot, entity, night.now, _FACTS), _current(snapshot, entity)
        each = _Stale(entity, tuple(facts), old)
        by_rules = old is not None and night.model is not None and old.made_by == RULES
        if by_rules or (old.rests_on != each.rests_on if old else facts):
            stale.append(each)
    return stale, found[-1].id if found else None


def _current(snapshot: Snapshot, entity: EntityRow) -> Summary | None:
    return summaries.current(snapshot, entity, ENTITY, entity.public_id)


async def _sum_up(night: Night, tally: Tally, stale: _Stale) -> None:
    if not stale.facts:
        tally.counts["dropped"] += 1
        if not night.dry_run and stale.summary is not None:
            await night.store.write(partial(summaries.retire, summary=stale.summary))
        return
    asked = None
    if stale.entity.user_id in tally.stopped:
        return
    if night.model is not None:
        material = {"entity": stale.entity, "facts": stale.facts, "longest": LONGEST}
        asked = await ask_within_budget(night, tally, stale.entity.user_id, PROMPT, **material)
        if stale.entity.user_id in tally.stopped:
            return
    if night.dry_run:
        tally.counts["summed up"] += 1
        return
    content = None if asked is None else mended(storable(asked.answer.summary), stale.said)
    made_by = RULES if content is None or night.model is None else night.model.model_id
    content = content or _extract(stale.facts)

    def apply(tx: Transaction) -> bool:
        if asked is not None:
            pay(tx, night, tally, stale.entity.user_id, asked)
        old = _current(tx, stale.entity)
        if old is not None and (old.content, old.rests_on, old.made_by) == (content, stale.rests_on, made_by):
            return False  # another process was faster
        return summaries.put_entity(tx, stale.entity, content, stale.rests_on, made_by)

    tally.counts["summed up"] += await night.store.write(apply)


def _extract(facts: Sequence[Node]) -> str:
    """The most important facts, as many as fit; if the first alone is too long, it is cut."""
    taken = ""
    for fact in facts:
        sentence = " ".join(fact.content.split())
        sentence += "" if sentence[-1:] in ".!?…" else "."
        longer = f"{taken} {sentence}".strip()
        if len(longer) <= LONGEST:
            taken = longer
    return taken or facts[0].content[: LONGEST - 1].rstrip() + "…"


async def _embed(night: Night) -> None:
    embedder = night.runtime.embedder
    name = None if embedder is None else model_of(embedder)
    if embedder is None or name is None:
        return
    while waiting := await night.store.read(lambda snapshot: summaries.unembedded(snapshot, name, _EMBEDDED)):
        vectors = await embedded(embedder, [f"{each.name}: {each.summary}" for each in waiting])
        found = dict(zip(waiting, vectors, strict=True))
        await night.store.write(partial(summaries.embed, model=name, found=found))
