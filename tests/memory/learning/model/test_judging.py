"""Verdicts on pairs: the question, which verdicts are believed, and that in doubt both statements stay."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sandbox.extensions.memory.asking.question import prompt_tokens
from sandbox.extensions.memory.consolidate.judging import Judgement, Stated, StatementPair, judge, question
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.extensions.memory.testing import ScriptedLanguageModel

JANUARY = datetime(2026, 1, 3, tzinfo=UTC)
MARCH = datetime(2026, 3, 9, tzinfo=UTC)
LISBON = Stated("The user lives in Lisbon.", JANUARY)
PORTO = Stated("The user lives in Porto.", MARCH)


def said(
    verdict: str, pair: int = 1, *, sure: bool = True, one_value: bool = True, reason: str = "r"
) -> dict[str, Any]:
    return {"pair": pair, "reason": reason, "one_value": one_value, "verdict": verdict, "sure": sure}


async def verdict(pair: StatementPair, **given: Any) -> Judgement:
    model = ScriptedLanguageModel({"verdicts": [said(**given)]})
    return (await judge(model, [pair])).verdicts[0].kind


async def test_each_pair_gets_its_verdict() -> None:
    model = ScriptedLanguageModel({"verdicts": [said("same", 2), said("change", 1, reason="moved\n to Porto")]})
    again = StatementPair(
        Stated("The user's dog is Rex.", MARCH), Stated("Rex is the dog of the user.", JANUARY, subject="Rex")
    )
    judged = await judge(model, [StatementPair(PORTO, LISBON), again])
    assert [(each.kind, each.reason) for each in judged.verdicts] == [("change", "moved to Porto"), ("same", "r")]
    assert judged.spent.calls == 1
    lines = model.asked[0].user.splitlines()
    assert "- known, 2026-01-03: The user lives in Lisbon." in lines
    assert "- known, 2026-01-03, about Rex: Rex is the dog of the user." in lines


async def test_no_pairs_need_no_question() -> None:
    assert (await judge(ScriptedLanguageModel(), [])).verdicts == ()


@pytest.mark.parametrize("kind", ["same", "change", "correction"])
async def test_an_unsure_verdict_means_different(kind: str) -> None:
    pair = StatementPair(Stated("The user likes tea.", MARCH), Stated("The user enjoys tea.", JANUARY))
    assert await verdict(pair, verdict=kind) == kind
    assert await verdict(pair, verdict=kind, sure=False) == "different"


async def test_an_unknown_verdict_means_different() -> None:
    assert await verdict(StatementPair(PORTO, LISBON), verdict="contradiction") == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The database listens on port 5432.", "The database listens on port 5433."),
        ("The user likes coriander.", "The user does not like coriander."),
        ("Пользователь ест мясо.", "Пользователь не ест мясо."),
    ],
)
async def test_other_numbers_and_denials_are_never_the_same(one: str, other: str) -> None:
    assert await verdict(StatementPair(Stated(one, MARCH), Stated(other, JANUARY)), verdict="same") == "different"


async def test_a_predicate_of_several_values_does_not_change() -> None:
    pair = StatementPair(Stated("The user plays chess.", MARCH), Stated("The user plays go.", JANUARY))
    assert await verdict(pair, verdict="change", one_value=False) == "different"
    assert await verdict(pair, verdict="correction", one_value=False) == "correction"


@pytest.mark.parametrize("kind", ["change", "correction"])
async def test_a_statement_of_another_time_is_not_replaced(kind: str) -> None:
    past = Stated("The user lives in Lisbon.", JANUARY, until=JANUARY + timedelta(days=9))
    assert await verdict(StatementPair(PORTO, past), verdict=kind) == "different"


async def test_an_older_statement_does_not_change_a_newer_one() -> None:
    assert await verdict(StatementPair(LISBON, PORTO), verdict="change") == "different"


async def test_a_pair_without_a_verdict_is_asked_again_and_then_different() -> None:
    model = ScriptedLanguageModel(otherwise={"verdicts": [said("change", 1), said("same", 7)]})
    judged = await judge(model, [StatementPair(PORTO, LISBON), StatementPair(PORTO, PORTO)])
    assert [each.kind for each in judged.verdicts] == ["change", "different"]
    assert judged.refused == {"violation": 2}
    assert model.asked[1].earlier[0][1].startswith("Pair 2 needs exactly one verdict. ")


async def test_no_answer_is_no_verdict() -> None:
    with pytest.raises(BadAnswer) as error:
        await judge(ScriptedLanguageModel(otherwise="They differ."), [StatementPair(PORTO, LISBON)])
    assert error.value.details["spent"].calls == 2
    with pytest.raises(ModelUnavailable):
        await judge(ScriptedLanguageModel(), [StatementPair(PORTO, LISBON)])


async def test_a_reason_keeps_no_secret() -> None:
    reason = "password: hunter2-Xk9!pQ"
    model = ScriptedLanguageModel({"verdicts": [said("change", reason=reason)]})
    assert (await judge(model, [StatementPair(PORTO, LISBON)])).verdicts[0].reason == ""


def test_the_cost_of_asking_can_be_estimated() -> None:
    one, two = (prompt_tokens(question([StatementPair(PORTO, LISBON)] * count)) for count in (1, 2))
    assert 0 < two - one < 60
