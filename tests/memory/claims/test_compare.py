"""How two claims relate: laws, and examples for what the laws leave open."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory.claims import MODALITIES, Claim, predicates
from sandbox.extensions.memory.claims.compare import Agreement, LinkedClaim, compare, deciding, verdict

NAMES = sorted(predicates())
VALUES = ("Berlin", "Potsdam", "Berlin Mitte", "Germany", "berlin", "a flat", "5432", "tea", "green tea", "чай")

values = st.sampled_from(VALUES) | st.text("ab- ", min_size=1, max_size=6).filter(str.strip)
claims = st.builds(
    Claim,
    subject=st.sampled_from(("", "Ann", "Bob")),
    predicate=st.sampled_from((*NAMES, "sings_in")),
    value=values,
    is_affirmed=st.booleans(),
    modality=st.sampled_from(MODALITIES),
)


@given(one=claims, other=claims)
def test_comparing_is_symmetric(one: Claim, other: Claim) -> None:
    assert compare(one, other) == compare(other, one)


@given(claim=claims)
def test_no_claim_excludes_itself(claim: Claim) -> None:
    assert compare(claim, claim) == ("unrelated" if claim.modality == "past" else "agree")


@given(claim=claims)
def test_a_denial_excludes_its_affirmation(claim: Claim) -> None:
    claim = replace(claim, is_affirmed=True)
    for value in (claim.value, ""):
        denied = replace(claim, is_affirmed=False, value=value)
        assert compare(claim, denied) == ("unrelated" if claim.modality == "past" else "exclude")


@given(one=claims, other=claims)
def test_only_predicates_of_one_value_exclude_other_values(one: Claim, other: Claim) -> None:
    one, other = replace(one, is_affirmed=True), replace(other, is_affirmed=True, predicate=one.predicate)
    known = predicates().get(one.predicate)
    if known is None or known.many:
        assert compare(one, other) in ("agree", "unrelated")


@given(one=claims, other=claims)
def test_a_plan_excludes_only_a_fact_such_as_a_home_or_a_job(one: Claim, other: Claim) -> None:
    known = predicates().get(one.predicate)
    found = compare(replace(one, modality="fact"), replace(other, modality="plan"))
    is_state = one.predicate == other.predicate and known is not None and known.is_state
    if not is_state and one.is_affirmed == other.is_affirmed:
        assert found == "unrelated"
    if is_state and one.is_affirmed and other.is_affirmed:
        assert found == "exclude"


@given(known=claims, new=st.lists(claims, max_size=4))
def test_a_statement_excludes_nothing_that_it_says_itself(known: Claim, new: list[Claim]) -> None:
    said = [LinkedClaim(claim) for claim in (*new, known)]
    assert verdict(LinkedClaim(known), said) in ("agree", "unrelated")


def test_opposites_are_symmetric() -> None:
    for each in predicates().values():
        assert each.opposite is None or predicates()[each.opposite].opposite == each.name


def fact(predicate: str, value: str) -> Claim:
    return Claim("Ann", predicate, value)


def no(predicate: str, value: str = "") -> Claim:
    return Claim("Ann", predicate, value, is_affirmed=False)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (fact("home", "Berlin"), fact("home", "Potsdam"), "exclude"),
        (fact("home", "Berlin"), fact("home", "Berlin Mitte"), "agree"),
        (fact("home", "Berlin"), fact("home", "berlin"), "agree"),
        (fact("home", "Berlin"), fact("home", "Germany"), "doubtful"),
        (fact("home", "Germany"), fact("home", "Spain"), "exclude"),
        (fact("home", "Берлин"), fact("home", "Берлине"), "agree"),
        (fact("home", "общага"), fact("home", "съёмная квартира"), "exclude"),
        (fact("employer", "MIT"), fact("employer", "Massachusetts Institute of Technology"), "agree"),
        (fact("employer", "Acme"), fact("employer", "a bank"), "doubtful"),
        (fact("manager", "Mr. Higgins"), fact("manager", "Higgins"), "agree"),
        (fact("birthday", "--05-12"), fact("birthday", "1990-05-12"), "agree"),
        (fact("birthday", "1990-05"), fact("birthday", "1990-05-12"), "agree"),
        (fact("birthday", "1990-05-12"), fact("birthday", "1990-05-13"), "exclude"),
        (fact("port", "5432"), fact("port", "5433"), "exclude"),
        (fact("version", "3.1"), fact("version", "3.1.1"), "exclude"),
        (fact("likes", "tea"), fact("likes", "coffee"), "unrelated"),
        (fact("likes", "tea"), fact("dislikes", "tea"), "exclude"),
        (fact("likes", "green tea"), fact("dislikes", "tea"), "doubtful"),
        (fact("likes", "tea"), no("likes", "tea"), "exclude"),
        (fact("likes", "green tea"), no("likes", "tea"), "doubtful"),
        (fact("likes", "tea"), no("likes", "green tea"), "unrelated"),
        (fact("home", "Berlin Mitte"), no("home", "Berlin"), "exclude"),
        (fact("home", "Potsdam"), no("home", "Berlin"), "unrelated"),
        (fact("spouse", "Tom"), no("spouse"), "exclude"),
        (fact("uses", "C"), no("uses", "C++"), "unrelated"),
        (no("home", "Berlin"), no("home", "Potsdam"), "unrelated"),
    ],
)
def test_two_claims_have_the_expected_verdict(one: Claim, other: Claim, expected: Agreement) -> None:
    assert compare(one, other) == expected
    assert compare(other, one) == verdict(LinkedClaim(one), [LinkedClaim(other)]) == expected


@pytest.mark.parametrize(("predicate", "expected"), [("appointment", "exclude"), ("likes", "unrelated")])
def test_a_denial_calls_off_a_dated_plan(predicate: str, expected: Agreement) -> None:
    """The appointment with the dentist on Friday is cancelled."""
    planned = replace(fact(predicate, "the dentist"), modality="plan")
    assert compare(planned, no(predicate, "the dentist")) == expected


def test_a_past_claim_keeps_nothing_valid() -> None:
    """Ann moved from Berlin to Potsdam, not to Rome."""
    over = replace(fact("home", "Berlin"), modality="past")
    said = [LinkedClaim(over), LinkedClaim(fact("home", "Potsdam")), LinkedClaim(no("home", "Rome"))]
    assert deciding(said) == said[1:2]
    assert deciding([said[0], said[2]]) == said[2:]
    assert deciding(said[:1]) == said[:1]
