"""Ask a language model whether two statements say the same or contradict each other; code doubts the answer.

Similarity selects the pairs. A pair is never the same if the model is unsure, if numbers differ, or if one denies the
other. A statement replaces nothing if both may be true, or hold at other times.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Protocol, TypeVar

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Prompt, ask
from sandbox.extensions.memory.consolidate.answer_schema import one_of
from sandbox.extensions.memory.consolidate.extraction import Judgement, Stated
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ports import LanguageModel, Question
from sandbox.extensions.memory.reports import Spent
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.text.words import is_denied, statement_words
from sandbox.support.times import from_ms, from_ms_or_none

PAIRS_IN_A_QUESTION = 8


class _OfPair(Protocol):
    pair: int


V = TypeVar("V", bound=_OfPair)

_LONGEST_REASON = 120  # characters


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the new statement is to the known one: it says the ``same``; it holds from now on instead (``change``); it
    shows that the known one was never true (``correction``); or neither (``different``). ``reason`` is a few words.
    """

    kind: Judgement
    reason: str = ""


NOT_GIVEN = Verdict("different", "no verdict")


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict for each pair, in order; the cost, and the refused answers, by kind."""

    verdicts: tuple[Verdict, ...] = ()
    spent: Spent = field(default_factory=Spent)
    refused: Mapping[str, int] = field(default_factory=dict)


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


def question(pairs: Sequence[StatementPair]) -> Question:
    """The question about some pairs, for an estimate of its cost."""
    return JUDGE.question(pairs=pairs)


async def judge(model: LanguageModel, pairs: Sequence[StatementPair]) -> Judged:
    """Judge a few pairs in one question; without pairs, ask nothing. A pair without exactly one verdict is
    ``different``.

    Raises ``ModelUnavailable`` and ``BadAnswer``, whose ``details["spent"]`` is the cost.
    """
    if not pairs:
        return Judged()
    asked = await ask(model, JUDGE, pairs=pairs)
    given = only_verdicts(asked.answer.verdicts)
    verdicts = tuple(_verdict(pair, given.get(place)) for place, pair in enumerate(pairs, 1))
    return Judged(verdicts, asked.spent, asked.refused)


def only_verdicts(verdicts: Sequence[V]) -> dict[int, V]:
    """The verdicts of an answer by the number of their pair, without those of a pair that has several."""
    given = Counter(one.pair for one in verdicts)
    return {one.pair: one for one in verdicts if given[one.pair] == 1}


def _verdict(pair: StatementPair, one: GivenVerdict | None) -> Verdict:
    if one is None:
        return NOT_GIVEN
    reason = "" if secrets.find(one.reason) else " ".join(one.reason.split())[:_LONGEST_REASON]
    doubt = _doubt(pair, one)
    return Verdict("different", doubt) if doubt else Verdict(one.verdict, reason)


def _doubt(pair: StatementPair, one: GivenVerdict) -> str | None:
    if one.verdict == "different":
        return None
    if not one.sure:
        return "not sure"
    if one.verdict == "same":
        return None if _same_figures(pair) else "other numbers, or a denial"
    if not _may_meet(pair.new, pair.known):
        return "other times"
    if one.verdict == "change":
        return _doubt_of_change(pair, one)
    return None


def _doubt_of_change(pair: StatementPair, one: GivenVerdict) -> str | None:
    if pair.new.at < pair.known.at and not pair.known.since.startswith(pair.new.since):
        return "older than what is known"
    return None if one.one_value else "both can be true"


def _same_figures(pair: StatementPair) -> bool:
    return _figures(pair.new.content) == _figures(pair.known.content) and (
        is_denied(pair.new.content) == is_denied(pair.known.content)
    )


def _figures(text: str) -> set[str]:
    return {word for word in statement_words(text) if any(sign.isdigit() for sign in word)}


def _may_meet(one: Stated, other: Stated) -> bool:
    return (one.until is None or other.at < one.until) and (other.until is None or one.at < other.until)
