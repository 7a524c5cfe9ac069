"""Verdicts on pairs: the question, which verdicts are believed, and that in doubt both statements stay."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sandbox.extensions.memory.asking.ask import prompt_tokens
from sandbox.extensions.memory.consolidate.extraction import Judgement, Stated
from sandbox.extensions.memory.consolidate.judging import StatementPair, judge, question
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from tests.memory.learning.scripts import verdict

JANUARY = datetime(2026, 1, 3, tzinfo=UTC)
MARCH = datetime(2026, 3, 9, tzinfo=UTC)
LISBON = Stated("The user lives in Lisbon.", JANUARY)
PORTO = Stated("The user lives in Porto.", MARCH)


async def believed(kind: str, new: Stated, known: Stated, **more: bool) -> Judgement:
    """The kind of the verdict on a pair that is believed."""
    model = ScriptedLanguageModel({"verdicts": [verdict(1, kind, **more)]})
    return (await judge(model, [StatementPair(new, known)])).verdicts[0].kind


async def test_each_pair_gets_its_verdict() -> None:
    model = ScriptedLanguageModel({"verdicts": [verdict(2, "same"), verdict(1, "change", reason="moved\n to Porto")]})
    again = StatementPair(
        Stated("The user's dog is Rex.", MARCH), Stated("Rex is the dog of the user.", JANUARY, subject="Rex")
    )
    judged = await judge(model, [StatementPair(PORTO, LISBON), again])
    assert [(each.kind, each.reason) for each in judged.verdicts] == [("change", "moved to Porto"), ("same", "")]
    assert judged.spent.calls == 1
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


async def test_a_pair_without_exactly_one_verdict_is_different() -> None:
    given = [verdict(1, "change"), verdict(3, "same"), verdict(3, "different"), verdict(7, "same")]
    pairs = [StatementPair(PORTO, LISBON), StatementPair(PORTO, PORTO), StatementPair(PORTO, PORTO)]
    judged = await judge(ScriptedLanguageModel({"verdicts": given}), pairs)
    assert [each.kind for each in judged.verdicts] == ["change", "different", "different"]


async def test_no_pairs_need_no_question_and_no_answer_is_no_verdict() -> None:
    assert (await judge(ScriptedLanguageModel(), [])).verdicts == ()
    with pytest.raises(BadAnswer) as error:
        await judge(ScriptedLanguageModel(otherwise="They differ."), [StatementPair(PORTO, LISBON)])
    assert error.value.details["spent"].calls == 2
    with pytest.raises(ModelUnavailable):
        await judge(ScriptedLanguageModel(), [StatementPair(PORTO, LISBON)])


async def test_a_reason_keeps_no_secret() -> None:
    reason = "password: hunter2-Xk9!pQ"
    model = ScriptedLanguageModel({"verdicts": [verdict(1, "change", reason=reason)]})
    assert (await judge(model, [StatementPair(PORTO, LISBON)])).verdicts[0].reason == ""


def test_the_cost_of_asking_can_be_estimated() -> None:
    one, two = (prompt_tokens(question([StatementPair(PORTO, LISBON)] * count)) for count in (1, 2))
    assert 0 < two - one < 60
