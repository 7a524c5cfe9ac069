"""Ask a language model whether two statements say the same or contradict each other; code doubts the answer.

Similarity selects the pairs. A pair is never the same if the model is unsure, if numbers differ, or if one denies the
other. A statement replaces nothing if both may be true, or hold at other times.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol, TypeVar

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Prompt
from sandbox.extensions.memory.consolidate.answer_schema import one_of
from sandbox.extensions.memory.consolidate.extraction import Judgement, Stated
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.text.words import is_denied, statement_words
from sandbox.support.times import from_ms, from_ms_or_none

PAIRS_IN_A_QUESTION = 8


class _OfPair(Protocol):
    pair: int


V = TypeVar("V", bound=_OfPair)


def stated_by(node: Node) -> Stated:
    """What a known memory says."""
    until = from_ms_or_none(node.valid_until)
    return Stated(node.content, from_ms(node.valid_from), until, node.subject, node.told)


@dataclass(frozen=True, slots=True)
class StatementPair:
    """A new statement, and a known one to compare it with."""

    new: Stated
    known: Stated

    @classmethod
    def of(cls, draft: Draft, known: Node) -> "StatementPair":
        """A statement that is not stored yet, and a known memory."""
        at = from_ms(draft.valid_from or draft.event_time)
        return cls(Stated(draft.content, at, subject=draft.subject, told=draft.told), stated_by(known))


class GivenVerdict(BaseModel):
    """The verdict on one pair. ``one_value``: only one value of their predicate can hold at a time."""

    pair: int
    reason: str = ""
    one_value: bool = False
    verdict: Annotated[Judgement, one_of(Judgement, "different")]
    sure: bool = False


class JudgeAnswer(BaseModel):
    """The answer: a verdict for each pair."""

    verdicts: list[GivenVerdict]


JUDGE = Prompt("judge", __package__, JudgeAnswer, max_tokens=1000)
"""Asks about at most ``PAIRS_IN_A_QUESTION`` pairs; its material is ``pairs``."""


def verdicts(pairs: Sequence[StatementPair], answer: JudgeAnswer) -> list[Judgement | None]:
    """What the new statement of each pair is to the known one, in order: it says the ``same``; it holds from now on
    instead (``change``); it shows that the known one was never true (``correction``); or neither (``different``). None
    for a pair without exactly one verdict.
    """
    given = only_verdicts(answer.verdicts)
    return [_believed(pair, given[place]) if place in given else None for place, pair in enumerate(pairs, 1)]


def only_verdicts(verdicts: Sequence[V]) -> dict[int, V]:
    """The verdicts of an answer by the number of their pair, without those of a pair that has several."""
    given = Counter(one.pair for one in verdicts)
    return {one.pair: one for one in verdicts if given[one.pair] == 1}


def _believed(pair: StatementPair, one: GivenVerdict) -> Judgement:
    """A verdict, or ``different`` in doubt: the model is not sure, or the statements do not allow it."""
    new, known = pair.new, pair.known
    if one.verdict == "same":
        may_be = _figures(new.content) == _figures(known.content) and is_denied(new.content) == is_denied(known.content)
    else:
        may_be = (known.until is None or new.at < known.until) and (new.until is None or known.at < new.until)
        if one.verdict == "change":  # an older one changes nothing, and of several values each can be true
            may_be = may_be and one.one_value and (new.at >= known.at or known.since.startswith(new.since))
    return one.verdict if one.sure and may_be else "different"


def _figures(text: str) -> set[str]:
    return {word for word in statement_words(text) if any(sign.isdigit() for sign in word)}
