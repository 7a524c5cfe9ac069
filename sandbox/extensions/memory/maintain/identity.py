"""Find entities that were stored under another name.

Exact names and aliases are resolved when a text is stored. This step examines names that are only similar, each once:
by rules, then by a model. Similarity only selects a few candidates. A merge can be split again.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Asked, Prompt
from sandbox.extensions.memory.consolidate.answer_schema import one_of
from sandbox.extensions.memory.consolidate.judging import PAIRS_IN_A_QUESTION, only_verdicts
from sandbox.extensions.memory.ingest.embed import embedded
from sandbox.extensions.memory.maintain.step import NIGHT, PAIRS_A_DAY, Night, Tally, allowance, ask_within_budget, pay
from sandbox.extensions.memory.store import entities, maintenance, nodes, summaries
from sandbox.extensions.memory.store.entities import EntityRow
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import compatible
from sandbox.extensions.memory.text.variants import any_variant, is_same_spelling
from sandbox.extensions.memory.text.words import terms
from sandbox.support.embedder import Vector

# the names of the two marks: what was examined by rules, and by a model
_RULES, _MODEL = "identity", "identity by model"
_NEW, _OTHERS = 15, 2_000  # entities examined together, and those they are compared with
_CANDIDATES = 3  # for one entity
_NEAR = 0.6  # cosine from which an entity is a candidate
_FACTS = 4  # facts of each entity that are compared
_EVIDENCE = 4  # exact terms common to the facts of both, before a typing error or a nickname is believed


_OneOrTwo = Literal["one", "two"]


class IdentityVerdict(BaseModel):
    """The verdict on one pair."""

    pair: int
    reason: str = ""
    verdict: Annotated[_OneOrTwo, one_of(_OneOrTwo, "two")]
    sure: bool = False


class IdentityAnswer(BaseModel):
    """A model's answer: a verdict for each pair."""

    verdicts: list[IdentityVerdict]


PROMPT = Prompt("identity", __package__, IdentityAnswer, max_tokens=600)


_Vectors = dict[int, Vector]
"""Vectors of entities with their descriptions, by id."""


class EntityPair(NamedTuple):
    """A new entity, and an older one that it may be."""

    new: EntityRow
    other: EntityRow


@dataclass(frozen=True, slots=True)
class _Shown:
    """An entity in the form for a model."""

    names: str
    type: str
    facts: tuple[str, ...]


async def resolve(night: Night, tally: Tally) -> None:
    """Compare the entities since the last night with the older ones."""
    for user_id in await night.store.read(nodes.users):
        await _rounds(night, tally, user_id, _RULES, None)
        if night.model is not None:
            left, _ = await allowance(night, user_id, _MODEL, PAIRS_A_DAY)
            await _rounds(night, tally, user_id, _MODEL, left)


async def _rounds(night: Night, tally: Tally, user_id: str, by: str, left: int | None) -> None:
    """Rounds, until no entity is left, or none of the pairs (``left``) that a model is asked about today. A new entity
    with two candidates is neither.
    """
    after, vectors = 0, None if left is None else _Vectors()
    while user_id not in tally.stopped:
        begin, new, others = await night.store.read(partial(_met, user_id=user_id, by=by, after=after))
        if not new:
            return
        pairs = await _nominated(night, new, others, vectors)
        facts = await night.store.read(partial(_facts, pairs=pairs, now=night.now))
        if left is None:
            one, judged = [each for each in pairs if _is_one(each, facts)], list[Asked[Any]]()
        elif len(pairs) > left:
            tally.stopped[user_id] = "the day's pairs are used up"
            return
        else:
            one, judged = await _judged(night, tally, user_id, pairs, facts)
            left -= len(pairs)
        if judged or user_id not in tally.stopped:
            count = Counter(pair.new.id for pair in one)
            sure = [pair for pair in one if count[pair.new.id] == 1]
            await _apply(night, tally, user_id, by, (begin, new[-1].id), sure, judged)
        after = new[-1].id


def _met(snapshot: Snapshot, user_id: str, by: str, after: int) -> tuple[int, Sequence[EntityRow], Sequence[EntityRow]]:
    """The place where a round begins, the entities behind it, and all up to the last of them."""
    begin = max(after, maintenance.mark(snapshot, user_id, by).position)
    new = entities.since(snapshot, user_id, begin, _NEW)
    return begin, new, entities.until(snapshot, user_id, new[-1].id, _OTHERS) if new else ()


async def _nominated(
    night: Night, new: Sequence[EntityRow], others: Sequence[EntityRow], vectors: _Vectors | None
) -> list[EntityPair]:
    """A few older entities that each new one may be: by spelling, then vectors; none known to be different."""
    if vectors is not None:
        await _embed(night, others, vectors)

    def nominate() -> list[EntityPair]:
        return [EntityPair(each, other) for each in new for other in _candidates(each, others, vectors or {})]

    pairs = await asyncio.to_thread(nominate)
    return await night.store.read(
        lambda snapshot: [each for each in pairs if entities.may_be_one(snapshot, each.new.id, each.other.id)]
    )


async def _embed(night: Night, known: Sequence[EntityRow], vectors: _Vectors) -> None:
    missing = [each for each in known if each.id not in vectors]
    if night.runtime.embedder is None or not missing:
        return
    with suppress(Exception):  # a provider may raise anything; spelling nominates without it
        found = await embedded(night.runtime.embedder, [_described(each) for each in missing])
        vectors.update(zip((each.id for each in missing), found, strict=True))


def _described(known: EntityRow) -> str:
    """The text that is embedded. It leaves out the type, which would make all entities of one type similar; those of
    different types are not compared.
    """
    return f"{', '.join(known.names)}: {known.summary}" if known.summary else ", ".join(known.names)


def _candidates(new: EntityRow, others: Sequence[EntityRow], vectors: _Vectors) -> list[EntityRow]:
    comparable = [other for other in others if _is_comparable(new, other)]
    spelt = [other for other in comparable if any_variant(new.names, other.names)]
    embedded = [other for other in comparable if other.id in vectors] if new.id in vectors else []
    near: list[EntityRow] = []
    if embedded:
        cosines = np.stack([vectors[other.id] for other in embedded]) @ vectors[new.id]
        near = [embedded[at] for at in np.argsort(-cosines, kind="stable") if cosines[at] >= _NEAR]
    return list({other.id: other for other in (*spelt, *near)}.values())[:_CANDIDATES]


def _is_comparable(new: EntityRow, other: EntityRow) -> bool:
    """Whether one is older, and both may have one type. Two of the same name were kept apart on purpose."""
    same_name = new.name.casefold() == other.name.casefold()
    return other.id < new.id and compatible(new.type, other.type) and not same_name


def _is_one(pair: EntityPair, facts: dict[int, tuple[str, ...]]) -> bool:
    """Whether the names differ only in spelling; or one has a typing error or is short, and the facts agree."""
    new, other = pair
    if is_same_spelling(new.name, other.name):
        return True
    return any_variant([new.name], [other.name]) and _shared(pair, facts) >= _EVIDENCE


def _shared(pair: EntityPair, facts: dict[int, tuple[str, ...]]) -> int:
    """How many exact terms the facts of both have in common, without names."""
    names = {term for each in pair for name in each.names for term in terms(name)}
    mine, theirs = ({frozenset(terms(fact)) - names for fact in facts[each.id]} for each in pair)
    return len(frozenset().union(*(mine & theirs)))


def _facts(snapshot: Snapshot, pairs: Sequence[EntityPair], now: int) -> dict[int, tuple[str, ...]]:
    known = {each.id: each for pair in pairs for each in pair}
    found = {id_: summaries.facts(snapshot, each, now, _FACTS) for id_, each in known.items()}
    return {id_: tuple(fact.content for fact in facts) for id_, facts in found.items()}


async def _judged(
    night: Night, tally: Tally, user_id: str, pairs: Sequence[EntityPair], facts: dict[int, tuple[str, ...]]
) -> tuple[list[EntityPair], list[Asked[Any]]]:
    """The pairs that are certainly one entity, by a model's only verdicts, and its answers."""
    one, answers = list[EntityPair](), list[Asked[Any]]()
    for start in range(0, len(pairs), PAIRS_IN_A_QUESTION):
        some = pairs[start : start + PAIRS_IN_A_QUESTION]
        shown = [tuple(_Shown(", ".join(each.names), each.type, facts[each.id]) for each in pair) for pair in some]
        asked = await ask_within_budget(night, tally, user_id, PROMPT, pairs=shown)
        if user_id in tally.stopped:
            break
        tally.counts["pairs"] += len(some)
        if asked is not None:
            answers.append(asked)
            given = only_verdicts(asked.answer.verdicts)
            sure = {place for place, each in given.items() if each.verdict == "one" and each.sure}
            one += [pair for place, pair in enumerate(some, 1) if place in sure]
    return one, answers


async def _apply(
    night: Night,
    tally: Tally,
    user_id: str,
    by: str,
    ends: tuple[int, int],
    one: Sequence[EntityPair],
    judged: Sequence[Asked[Any]],
) -> None:
    """Merge, and move the mark between the ``ends`` of a round; nothing if another process was faster."""

    def apply(tx: Transaction) -> int:
        for each in judged:
            pay(tx, night, tally, user_id, each)
        if maintenance.mark(tx, user_id, by).position > ends[0]:
            return 0
        if user_id not in tally.stopped:
            maintenance.set_mark(tx, user_id, by, ends[1], night.now)
        return sum(entities.merge_known(tx, pair.new, pair.other, NIGHT) for pair in one)

    tally.counts["made one"] += len(one) if night.dry_run else await night.store.write(apply)
