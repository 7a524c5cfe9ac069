"""Find causes and effects among consecutive turns.

Rules select pairs with words for a cause (``causes.yaml`` in the folder of each language); a model says which turn is
the cause. Without a model only plain wording counts: rules alone join two turns if the second begins with a reference
to the first ("That's why ...", "Because ..."), or repeats it on one side of such words ("I moved." "I moved because the
rent was too high."). Otherwise such words join parts of one turn; a bare "so" joins nothing ("Caroline, so glad!").
Both examine each pair once, in the order of the conversation.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Literal

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Prompt
from sandbox.extensions.memory.consolidate.apply import CAUSE_CONFIDENCE
from sandbox.extensions.memory.consolidate.judging import only_verdicts
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.lexicon import form, pattern
from sandbox.extensions.memory.maintain.step import Night, Tally, allowance, ask_within_budget, pay
from sandbox.extensions.memory.store import graph, maintenance, nodes
from sandbox.extensions.memory.store.graph import Following
from sandbox.extensions.memory.store.maintenance import MemoryPair
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import courtesies, terms

Cause = Literal["first", "second"]

_IO, _IE = "\N{CYRILLIC SMALL LETTER IO}", "\N{CYRILLIC SMALL LETTER IE}"  # many writers use one letter for both
_OPENED = r"^(?:{causes.opening}\b[,.!—– -]*)*"  # how a text begins, with words of reply
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")

_STEP, _BY_RULES = "causality", "causality by rules"
_SCANNED = 2000  # pairs read together
_ASKED = 8  # pairs in one question
_SHOWN = 600  # characters of a turn in a question


def _asks_why(text: str) -> bool:
    """Whether a text asks for a cause."""
    return "?" in text and bool(pattern("causes", "asks_why").search(_plain(text)))


def _is_filler(text: str) -> bool:
    """Whether a text says nothing: thanks, greetings, praise without a subject."""
    known = courtesies()
    is_courteous = all(term in known for term in terms(text))
    return is_courteous and not (pattern("causes", "subject").search(_plain(text)) or speaks_of_cause(text))


def speaks_of_cause(text: str) -> bool:
    """Whether a text contains a word of cause or effect."""
    return bool(pattern("causes", "speaks").search(_plain(text)))


def cause_by_rule(first: str, second: str, between: str = "") -> Cause | None:
    """Which of two texts is the cause of the other: by the opening of the second, by the question ``between`` them, or
    by a sentence of one that joins the content of the first with something else. None if the words do not show it.
    """
    plain = _plain(second)
    if _is_filler(first) or _is_filler(second):
        return None
    if form(_OPENED + "{causes.points_back}").match(plain):
        return "first"
    if form(_OPENED + "{causes.gives_reason}").match(plain) or _asks_why(between):
        return "second"
    cause = frozenset(terms(first))
    return next(filter(None, (_joined(sentence, cause) for sentence in _SENTENCE_END.split(plain))), None)


def _joined(sentence: str, cause: frozenset[str]) -> Cause | None:
    """Whether a sentence gives the first text as a cause, or as an effect."""
    for name, is_cause_first in (("from_effect", False), ("from_cause", True)):
        if found := pattern("causes", name).search(sentence):
            before, after = _repeats(sentence[: found.start()], cause), _repeats(sentence[found.end() :], cause)
            if before != after:
                return "first" if before == is_cause_first else "second"
    return None


def _repeats(clause: str, cause: frozenset[str]) -> bool:
    """Whether a clause repeats the first text: at least half of its terms are there."""
    said = set(terms(clause))
    return bool(said) and 2 * len(said & cause) >= len(said)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").replace(_IO, _IE).split())


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
    for user_id in await night.store.read(nodes.users):
        await _infer(night, tally, user_id)


async def _infer(night: Night, tally: Tally, user_id: str) -> None:
    step = _STEP if night.model is not None else _BY_RULES
    left, since = await allowance(night, user_id, step, night.runtime.config.causal_inference_batch_size)
    position = (await night.store.read(partial(maintenance.mark, user_id=user_id, step=step))).position
    last = await night.store.read(graph.last_turn)
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


def _end(tx: Transaction, user_id: str, step: str, position: int, now: int) -> None:
    maintenance.set_mark(tx, user_id, step, position, now)
    maintenance.forget_pairs(tx, user_id, step, now - now % DAY)  # they are counted by day


def _is_nominated(pair: Following, night: Night) -> bool:
    """Whether a pair is worth a question; without a model, whether its words are enough."""
    if pair.asks or not pair.stand:
        return False
    if night.model is None:
        return _by_rule(pair) != "none"
    speaks = speaks_of_cause(pair.second) or _asks_why(pair.between_them)
    return speaks and not (_is_filler(pair.first) or _is_filler(pair.second))


def _by_rule(pair: Following) -> Cause | Literal["none"]:
    return cause_by_rule(pair.first, pair.second, pair.between_them) or "none"


async def _judge(night: Night, tally: Tally, batch: Sequence[Following], step: str, since: int) -> bool:
    """Add the causal edges of some pairs, and move the mark; False if the budget is spent. Rules decide of a pair
    without a verdict.
    """
    user_id, asked = batch[0].user_id, None
    if night.model is not None:
        asked = await ask_within_budget(night, tally, user_id, PROMPT, pairs=batch, shown=_SHOWN)
        if user_id in tally.stopped:
            return False
    tally.counts["pairs"] += len(batch)
    night.tell(tally.counts["pairs"], 0)
    given = only_verdicts(asked.answer.verdicts if asked is not None else ())
    causes = [given[place].cause if place in given else _by_rule(pair) for place, pair in enumerate(batch, 1)]
    if night.dry_run:
        tally.counts["causes"] += sum(cause != "none" for cause in causes) if night.model is None else 0
        return True

    def apply(tx: Transaction) -> int:
        if asked is not None:
            pay(tx, night, tally, user_id, asked)
        seen = [MemoryPair(each.first_id, each.second_id, str(each.edge)) for each in batch]
        maintenance.note_pairs(tx, user_id, step, seen, night.now)
        maintenance.set_mark(tx, user_id, step, batch[-1].edge, since)
        return sum(_join(tx, pair, cause) for pair, cause in zip(batch, causes, strict=True) if cause != "none")

    tally.counts["causes"] += await night.store.write(apply)
    return True


def _join(tx: Transaction, pair: Following, cause: Cause) -> bool:
    ends = (pair.first_id, pair.second_id) if cause == "first" else (pair.second_id, pair.first_id)
    return graph.join_cause(tx, *ends, CAUSE_CONFIDENCE, (pair.first_public_id, pair.second_public_id))
