"""Claims fill a profile, whatever the words of their statements are."""

from datetime import timedelta

import pytest

from sandbox.extensions.memory import Claim, Memory
from sandbox.extensions.memory.profile import UserProfile
from sandbox.testing import NOON

DAY = timedelta(days=1)


async def test_a_statement_fills_the_fields_of_its_claims(memory: Memory) -> None:
    id = await memory.remember(
        "Max (they/them) has settled in Porto and would run a marathon one day; German, and briefly, please.",
        claims=[
            Claim("the user", "name", "Max"),
            Claim("", "pronouns", "They/Them"),
            Claim("", "home", "Porto"),
            Claim("", "answer_language", "German"),
            Claim("", "tone", "briefly", modality="wish"),
            Claim("", "goal", "run a marathon", modality="wish"),
        ],
    )
    found = await memory.profile()
    single = found.preferred_name, found.pronouns, found.city, found.language
    assert [value and (value.value, value.id) for value in single] == [
        ("Max", id),
        ("they/them", id),
        ("Porto", id),
        ("German", id),
    ]
    assert [value.value for value in (*found.tone, *found.goals)] == ["briefly", "run a marathon"]


@pytest.mark.parametrize(
    "claim",
    [
        Claim("Ann", "home", "Porto"),
        Claim("", "home", "Portugal"),
        Claim("", "home", "Porto", modality="plan"),
        Claim("", "home", "Porto", modality="past"),
        Claim("", "home", "Porto", is_affirmed=False),
        Claim("", "pronouns", "ship/its"),
        Claim("", "answer_language", "rhymes"),
    ],
)
async def test_other_claims_fill_no_field(memory: Memory, claim: Claim) -> None:
    """Its words could fill a field; its claim decides."""
    await memory.remember("The user lives in Faro.", claims=[claim])
    assert await memory.profile() == UserProfile()


async def test_a_field_changes_with_its_claim(memory: Memory) -> None:
    """First words and then a claim fill it; then the other way round."""
    await memory.remember("The user lives in Faro.", at=NOON - 2 * DAY)
    await memory.remember("Porto is home now.", at=NOON - DAY, claims=[Claim("", "home", "Porto")])
    city = (await memory.profile()).city
    assert city is not None
    assert city.value == "Porto"
    await memory.remember("The user lives in Lima.", at=NOON)
    city = (await memory.profile()).city
    assert city is not None
    assert city.value == "Lima"


async def test_a_denied_claim_fills_no_field(memory: Memory) -> None:
    await memory.remember("Porto is home.", at=NOON - DAY, claims=[Claim("", "home", "Porto")])
    await memory.remember("Porto was home until now.", claims=[Claim("", "home", "Porto", is_affirmed=False)])
    assert await memory.profile() == UserProfile()
