"""Verdicts on pairs: the question, which verdicts are believed, and that in doubt both statements stay."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sandbox.extensions.memory.asking.ask import ask, prompt_tokens
from sandbox.extensions.memory.consolidate.extraction import Judgement, Stated
from sandbox.extensions.memory.consolidate.judging import JUDGE, StatementPair, verdicts
from sandbox.extensions.memory.errors import BadAnswer
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from tests.memory.learning.scripts import verdict

JANUARY = datetime(2026, 1, 3, tzinfo=UTC)
MARCH = datetime(2026, 3, 9, tzinfo=UTC)
LISBON = Stated("The user lives in Lisbon.", JANUARY)
PORTO = Stated("The user lives in Porto.", MARCH)


async def judged(model: ScriptedLanguageModel, *pairs: StatementPair) -> list[Judgement | None]:
    return verdicts(pairs, (await ask(model, JUDGE, pairs=pairs)).answer)


async def believed(kind: str, new: Stated, known: Stated, **more: bool) -> Judgement | None:
    """The verdict on a pair that is believed."""
    model = ScriptedLanguageModel({"verdicts": [verdict(1, kind, **more)]})
    return (await judged(model, StatementPair(new, known)))[0]


async def test_each_pair_gets_its_verdict() -> None:
    model = ScriptedLanguageModel({"verdicts": [verdict(2, "same"), verdict(1, "change", reason="moved to Porto")]})
    again = StatementPair(
        Stated("The user's dog is Rex.", MARCH), Stated("Rex is the dog of the user.", JANUARY, subject="Rex")
    )
    assert await judged(model, StatementPair(PORTO, LISBON), again) == ["change", "same"]
    lines = model.asked[0].user.splitlines()
    assert "- known, 2026-01-03: The user lives in Lisbon." in lines
    assert "- known, 2026-01-03, about Rex: Rex is the dog of the user." in lines


TEA, ENJOYED = Stated("The user likes tea.", MARCH), Stated("The user enjoys tea.", JANUARY)


@pytest.mark.parametrize("kind", ["same", "change", "correction"])
async def test_an_unsure_verdict_means_different(kind: str) -> None:
    assert await believed(kind, TEA, ENJOYED) == kind
    assert await believed(kind, TEA, ENJOYED, sure=False) == "different"


@pytest.mark.parametrize(
    ("kind", "new", "known"),
    [
        ("contradiction", PORTO, LISBON),  # which is no verdict
        ("change", LISBON, PORTO),  # the older one
        ("change", PORTO, replace(LISBON, until=JANUARY + timedelta(days=9))),  # of another time
        ("correction", PORTO, replace(LISBON, until=JANUARY + timedelta(days=9))),
        ("same", Stated("It listens on port 5432.", MARCH), Stated("It listens on port 5433.", JANUARY)),
        ("same", TEA, Stated("The user does not like tea.", JANUARY)),
        ("same", Stated("Пользователь ест мясо.", MARCH), Stated("Пользователь не ест мясо.", JANUARY)),
    ],
)
async def test_an_impossible_verdict_means_different(kind: str, new: Stated, known: Stated) -> None:
    assert await believed(kind, new, known) == "different"


async def test_a_predicate_of_several_values_does_not_change() -> None:
    assert await believed("change", TEA, ENJOYED, one_value=False) == "different"
    assert await believed("correction", TEA, ENJOYED, one_value=False) == "correction"


async def test_a_pair_without_exactly_one_verdict_is_not_judged() -> None:
    given = [verdict(1, "change"), verdict(3, "same"), verdict(3, "different"), verdict(7, "same")]
    pairs = [StatementPair(PORTO, LISBON), StatementPair(PORTO, PORTO), StatementPair(PORTO, PORTO)]
    assert await judged(ScriptedLanguageModel({"verdicts": given}), *pairs) == ["change", None, None]


async def test_no_answer_is_no_verdict() -> None:
    with pytest.raises(BadAnswer):
        await judged(ScriptedLanguageModel(otherwise="They differ."), StatementPair(PORTO, LISBON))


def test_the_cost_of_asking_can_be_estimated() -> None:
    one, two = (prompt_tokens(JUDGE.question(pairs=[StatementPair(PORTO, LISBON)] * count)) for count in (1, 2))
    assert 0 < two - one < 60
