"""The examples beside each frame are its tests: what a sentence claims, and what it does not."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from sandbox.extensions.memory.claims import predicates
from sandbox.extensions.memory.claims.compare import identity
from sandbox.extensions.memory.lexicon import LANGUAGES, read_data
from sandbox.extensions.memory.parse import claims_of, read

_SAID = datetime(2026, 3, 2, 18, 20, tzinfo=UTC)  # a Monday
_SECTIONS = ("ends", "plans", "was")
_READ_OTHERWISE = {  # why the memory's sentence for what is said is not read as the same
    "the claim has the verb in the person in which it was said": """
        я живу с родителями; я никогда не пью кофе; готовлюсь к марафону в октябре; в сентябре выхожу замуж;
        мы ждём второго ребёнка в августе; ich heirate im September""",
    "the sentence has other words for the same": """
        my grandmother passed away in 2019; мы с Леной поженились;
        мы с мужем развелись""",
    "*my* or *our* is told as *their*, with which nobody tells it": """
        I'm writing my thesis about bees; we squash merge; wir erwarten im August unser zweites Kind;
        ich wohne bei meinen Eltern""",
    "what and where are not told apart": "parents evening at Ada's school on wednesday 6 pm",
}
_OTHERS = {"say", "deny", "plan", "past", "not", "never", "also", "tail"}


def _rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for code in LANGUAGES:
        for name, row in read_data(code, "frames").items():
            yield code, name, row


def _examples() -> Iterator[Any]:
    for code, name, row in _rows():
        patterns = {key: examples for key, examples in row.items() if "{" in key}
        for section, framed in {"frames": patterns, **{each: row.get(each, {}) for each in _SECTIONS}}.items():
            for pattern, examples in framed.items():
                for example in examples:
                    yield pytest.param(name, section, example, id=f"{code} {pattern} {example}")


def _affirmed() -> Iterator[Any]:
    for each in _examples():
        name, section, example = each.values
        if section != "ends":
            yield pytest.param(name, example, id=each.id)


def _nots() -> Iterator[Any]:
    for code, name, row in _rows():
        for example in row.get("not") or ():
            yield pytest.param(name, example, id=f"{code} {name} {example}")


@pytest.mark.parametrize(("name", "section", "example"), list(_examples()))
def test_an_example_makes_its_claim(name: str, section: str, example: str) -> None:
    said, _, wanted = example.partition(" -> ")
    subject, _, value = wanted.rpartition(": ")
    found, *_ = read([("user", said, _SAID)], {"user": ""})
    claims = [claim for statement in found for claim in statement.claims]
    assert any(
        (name == "kin" or claim.predicate == name)
        and claim.is_affirmed == (section != "ends")
        and (not wanted or (claim.subject, claim.value) == (subject, value.strip()))
        for claim in claims
    ), claims


@pytest.mark.parametrize(("name", "example"), list(_affirmed()))
def test_the_sentence_for_an_example_is_read_as_the_same(name: str, example: str) -> None:
    """What the memory writes comes back in corrections, imports and statements of models."""
    said = example.partition(" -> ")[0]
    found, *_ = read([("user", said, _SAID)], {"user": ""})
    told = [each for each in found if any(name in ("kin", claim.predicate) for claim in each.claims)]
    is_same = all(
        {identity(claim) for claim in each.claims if claim.is_affirmed}
        <= {identity(claim) for claim in claims_of(each.content, _SAID)}
        for each in told
    )
    otherwise = {each.strip() for listed in _READ_OTHERWISE.values() for each in listed.split(";")}
    assert is_same != (said in otherwise), [(each.content, claims_of(each.content, _SAID)) for each in told]


@pytest.mark.parametrize(("name", "example"), list(_nots()))
def test_a_counterexample_makes_no_claim(name: str, example: str) -> None:
    found, *_ = read([("user", example, _SAID)], {"user": ""})
    claims = (claim for statement in found for claim in statement.claims)
    assert not [claim for claim in claims if claim.predicate == name and claim.is_affirmed]


@pytest.mark.parametrize(
    ("told", "name", "value"),
    [("has a brother called Tom", "sibling", "Tom"), ("likes leather jackets", "likes", "leather jackets")],
)
def test_a_word_that_holds_a_pronoun_is_read_as_it_is(told: str, name: str, value: str) -> None:
    (claim,) = claims_of(f"The user {told}.", _SAID)
    assert (claim.predicate, claim.value) == (name, value)


def test_frames_name_predicates_of_the_registry() -> None:
    assert {name for _, name, _ in _rows()} <= {*predicates(), "kin"}


def test_a_predicate_has_patterns_with_slots_and_known_fields_alone() -> None:
    assert {key for _, _, row in _rows() for key in row if "{" not in key} <= {*_SECTIONS, *_OTHERS}
