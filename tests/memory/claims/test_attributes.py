"""A statement that gives an attribute a value has a claim that says so; chat is not read for such claims."""

from datetime import timedelta

import pytest

from sandbox.extensions.memory import Claim, Memory
from sandbox.testing import NOON

USER = ""


@pytest.mark.parametrize(
    ("told", "claim"),
    [
        ("Kim's dentist is Dr. Wolf.", Claim("Kim", "the_dentist", "Dr. Wolf")),
        ("The capital of France is Paris.", Claim("France", "the_capital", "Paris")),
        ("Rosa Diaz is the mayor of Springfield.", Claim("Springfield", "the_mayor", "Rosa Diaz")),
        ("Preferred language: Python", Claim("it", "the_preferred_language", "Python")),
        ("The user's shoe size is 38.", Claim(USER, "the_shoe_size", "38")),
        ("Tom's new role is product manager.", Claim("Tom", "the_role", "product manager")),
        ("Bob weighs 82 kg.", Claim("Bob", "the_weight", "82 kg")),
        ("Peter is 180 cm tall.", Claim("Peter", "the_cm_tall", "180")),
        ("Столицей Казахстана является Астана.", Claim("Казахстан", "the_столица", "Астана")),
        ("У Анны двое детей.", Claim("Анна", "the_детей", "двое")),
        ("Her boss is Tom.", Claim("Her", "a_boss", "Tom")),
        ("The bakery is owned by Sam.", Claim("bakery", "a_owner", "Sam")),
        ("Ann's friend lives in Leeds.", Claim("Ann's friend", "a_home", "Leeds")),
    ],
)
async def test_a_statement_of_an_attribute_has_a_claim(memory: Memory, told: str, claim: Claim) -> None:
    assert (await memory.explain(await memory.remember(told))).claims == (claim,)


@pytest.mark.parametrize(
    "told",
    [
        "Is Ann's boss Tom?",
        "Ann's boss might be Tom.",
        "If Ann's boss is Tom, ask him.",
        "Ann's boss is not Tom.",
        "Ann's boss is no longer Tom.",
        "Ann's boss is strict.",
        "Ann's boss is also Tom.",
        "Ann's sister is Eve.",
        "Kim's lunch today is soup.",
        "Ann lives in a flat in summer.",
        "Some users live in France.",
    ],
)
async def test_what_gives_no_attribute_a_lasting_value_has_no_claim(memory: Memory, told: str) -> None:
    assert (await memory.explain(await memory.remember(told))).claims == ()


async def test_an_attribute_told_the_other_way_round_is_stored_once(memory: Memory) -> None:
    told = await memory.remember("The CEO of Initech is Bill Lumbergh.")
    assert await memory.remember("Bill Lumbergh is the CEO of Initech.") == told


async def test_a_home_that_is_no_place_fills_no_profile(memory: Memory) -> None:
    await memory.remember("The user lives in a small flat with two cats.")
    assert (await memory.profile()).city is None


async def test_an_event_fades_after_its_day_though_it_has_an_attribute(memory: Memory) -> None:
    told = "The meeting of the board is in Rome."
    meeting = await memory.explain(
        await memory.remember(told, category="event", source="inferred", at=NOON + timedelta(days=9))
    )
    assert meeting.claims == (Claim("meeting of the board", "a_whereabouts", "Rome"),)
    assert meeting.memory.fades_at is not None
    assert meeting.memory.fades_at < NOON + timedelta(days=99)


async def test_chat_is_not_read_for_attributes(memory: Memory) -> None:
    await memory.observe("user", "I live in Porto. Kim's dentist is Dr. Wolf.", session="s")
    await memory.consolidate("s")
    known = await memory.search("", types=("semantic",))
    claims = {claim.predicate for each in known for claim in (await memory.explain(each.id)).claims}
    assert "home" in claims <= {"home", "said"}


async def test_a_name_with_letters_that_predicates_cannot_have_is_compared_by_the_others(memory: Memory) -> None:
    older = await memory.remember("Its size is 1.", claims=[Claim("it", "the__size", "1")], at=NOON - timedelta(days=1))
    newer = await memory.remember("Its size is 2.", claims=[Claim("it", "the__size", "2")])
    assert [each.id for each in (await memory.explain(older)).superseded_by] == [newer]
