"""Find causes and effects among consecutive turns.

Rules select pairs with words for a cause; a model says which turn is the cause. Without a model only plain wording
counts. Both examine each pair once, in the order of the conversation.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Prompt
from sandbox.extensions.memory.consolidate.apply import CAUSE_CONFIDENCE
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.maintain.cause_words import Cause, asks_why, cause_by_rule, is_filler, speaks_of_cause
from sandbox.extensions.memory.maintain.step import Night, Tally, allowance, ask_within_budget, pay
from sandbox.extensions.memory.store import graph, maintenance
from sandbox.extensions.memory.store.graph import Following
from sandbox.extensions.memory.store.maintenance import MemoryPair
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_STEP, _BY_RULES = "causality", "causality by rules"
_SCANNED = 2000  # pairs read together
_ASKED = 8  # pairs in one question
_SHOWN = 600  # characters of a turn in a question


class PairVerdict(BaseModel):
    """A model's verdict on one pair, by its number: which turn is the cause of the other."""

    pair: int
    cause: Literal["first", "second", "none"]


class CausalVerdicts(BaseModel):
    """A model's answer."""

    verdicts: list[PairVerdict]


PROMPT = Prompt("causes", __package__, CausalVerdicts, max_tokens=400)


async def infer(night: Night, tally: Tally) -> None:
    """Continue where the last night stopped, for ``causal_inference_batch_size`` pairs of each user."""
    for user_id in await night.store.read(maintenance.talkers):
        await _infer(night, tally, user_id)


async def _infer(night: Night, tally: Tally, user_id: str) -> None:
    step = _STEP if night.model is not None else _BY_RULES
    left, since = await allowance(night, user_id, step, night.config.causal_inference_batch_size)
    position, last = await night.store.read(partial(_begin, user_id=user_id, step=step))
    is_used_up = False
    following = partial(graph.following, user_id=user_id, limit=_SCANNED)
    while not is_used_up and (found := await night.store.read(partial(following, after=position))):
        nominated = [each for each in found if _is_nominated(each, night)]
        is_used_up = len(nominated) > left
        if is_used_up:
            found = [each for each in found if each.edge < nominated[left].edge]
        some = nominated[:left]
        for start in range(0, len(some), _ASKED):
            if not await _judge(night, tally, some[start : start + _ASKED], step, since):
                return
        left -= len(some)
        position = found[-1].edge if found else position
    if is_used_up:
        tally.stopped[user_id] = "the night's pairs are used up"
    else:
        position = max(position, last)
    if not night.dry_run:
        await night.store.write(partial(_end, user_id=user_id, step=step, position=position, now=night.now))


def _begin(snapshot: Snapshot, user_id: str, step: str) -> tuple[int, int]:
    """The edge after which to continue, and the last one between turns."""
    return maintenance.mark(snapshot, user_id, step).position, graph.last_turn(snapshot)


def _end(tx: Transaction, user_id: str, step: str, position: int, now: int) -> None:
    maintenance.set_mark(tx, user_id, step, position, now)
    maintenance.forget_pairs(tx, user_id, step, now - now % DAY)  # they are counted by day


def _is_nominated(pair: Following, night: Night) -> bool:
    """Whether a pair is worth a question; without a model, whether its words are enough."""
    if pair.asks or not pair.stand:
        return False
    if night.model is None:
        return _by_rule(pair) is not None
    speaks = speaks_of_cause(pair.second) or asks_why(pair.between_them)
    return speaks and not (is_filler(pair.first) or is_filler(pair.second))


def _by_rule(pair: Following) -> Cause | None:
    return cause_by_rule(pair.first, pair.second, pair.between_them)


async def _judge(night: Night, tally: Tally, batch: Sequence[Following], step: str, since: int) -> bool:
    """Add the causal edges of some pairs, and move the mark; False if the budget is spent."""
    user_id, asked = batch[0].user_id, None
    if night.model is not None:
        check = partial(_wrong_with, count=len(batch))
        asked = await ask_within_budget(night, tally, user_id, PROMPT, check, pairs=batch, shown=_SHOWN)
        if user_id in tally.stopped:
            return False
    tally.counts["pairs"] += len(batch)
    night.tell(tally.counts["pairs"], 0)
    found: dict[int, Cause] = {each.edge: cause for each in batch if (cause := _by_rule(each)) is not None}
    if asked is not None:
        found = {batch[each.pair - 1].edge: each.cause for each in asked.answer.verdicts if each.cause != "none"}
    if night.dry_run:
        tally.counts["causes"] += len(found) if night.model is None else 0
        return True

    def apply(tx: Transaction) -> int:
        if asked is not None:
            pay(tx, night, tally, user_id, asked)
        seen = [MemoryPair(each.first_id, each.second_id, str(each.edge)) for each in batch]
        maintenance.note_pairs(tx, user_id, step, seen, night.now)
        maintenance.set_mark(tx, user_id, step, batch[-1].edge, since)
        return sum(_join(tx, pair, found.get(pair.edge)) for pair in batch)

    tally.counts["causes"] += await night.store.write(apply)
    return True


def _wrong_with(answer: CausalVerdicts, count: int) -> list[str]:
    numbers = sorted(each.pair for each in answer.verdicts)
    expected = list(range(1, count + 1))
    return [] if numbers == expected else [f"Give one verdict for each of the pairs {expected}, not {numbers[:50]}."]


def _join(tx: Transaction, pair: Following, cause: Cause | None) -> bool:
    return cause is not None and graph.add_cause(tx, pair, first_is_cause=cause == "first", confidence=CAUSE_CONFIDENCE)
