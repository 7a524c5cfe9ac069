"""Which statements with claims are believed: their claims decide, whatever their words are."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from sandbox.extensions.memory import Claim, Memory
from sandbox.extensions.memory.errors import InvalidArgument, SecretRefused
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import contents, present

DAY, MONTH = timedelta(days=1), timedelta(days=30)


async def known(memory: Memory) -> set[str]:
    """All memories that are believed and true now."""
    return set(contents(await memory.search("", limit=50)))


def home(who: str, where: str) -> list[Claim]:
    return [Claim(who, "home", where)]


# --- changes ------------------------------------------------------------------------------------------------------


async def test_a_corrected_age_ends_the_wrong_one(memory: Memory) -> None:
    six = await memory.remember("Tomas turns 6 on 12 May.", at=NOON - DAY, claims=[Claim("Tomas", "age", "6")])
    seven = [Claim("Tomas", "age", "7"), Claim("Tomas", "age", "6", is_affirmed=False)]
    await memory.remember("Actually Tomas turns 7, not 6.", claims=seven)
    assert await known(memory) == {"Actually Tomas turns 7, not 6."}
    await memory.remember("Tomas is 8 now.", at=NOON + DAY, claims=[Claim("Tomas", "age", "8")])
    assert (await memory.explain(six)).memory.valid_until == NOON


async def test_a_future_claim_ends_the_present_one_at_its_beginning(memory: Memory, clock: FakeClock) -> None:
    """It is 2 March: a statement that begins in April ends nothing before."""
    old = await memory.remember("Ann works at Acme.", claims=[Claim("Ann", "employer", "Acme")])
    later = Claim("Ann", "employer", "Initech", time="2026-04/..")
    await memory.remember("From April on Ann works at Initech.", claims=[later])
    assert len(await known(memory)) == 2
    until = present((await memory.explain(old)).memory.valid_until)
    assert (until.year, until.month, until.day) == (2026, 4, 1)
    clock.advance(days=40)
    assert await known(memory) == {"From April on Ann works at Initech."}


async def test_a_memory_ends_with_the_last_of_its_claims(memory: Memory, clock: FakeClock) -> None:
    """It is 2 March. Of two claims with an end the later end counts; a claim that has ended ends nothing more."""
    acme, initech = (
        Claim("Ann", "client", name, time=f"../2026-{month}") for name, month in (("Acme", "04"), ("Initech", "03"))
    )
    old = Claim("Ann", "employer", "Globex", modality="past", time="../2019")
    both = await memory.remember(
        "Ann advises Acme until the end of April and Initech until that of March.", claims=[acme, initech]
    )
    await memory.remember("Ann was at Globex until 2019.", claims=[old])
    until = present((await memory.explain(both)).memory.valid_until)
    assert until.date().isoformat() == "2026-05-01"
    clock.advance(days=61)
    assert await known(memory) == {"Ann was at Globex until 2019."}


@pytest.mark.parametrize("modality", ["wish", "plan", "opinion", "past"])
async def test_wishes_and_opinions_end_no_fact(memory: Memory, modality: str) -> None:
    await memory.remember("Ann lives in Rome.", at=NOON - MONTH, claims=home("Ann", "Rome"))
    claim = Claim("Ann", "home", "Oslo", modality=modality)  # type: ignore[arg-type]
    await memory.remember("Ann and Oslo, that is a long story.", claims=[claim])
    assert len(await known(memory)) == 2


async def test_wording_is_not_compared_if_both_have_claims(memory: Memory) -> None:
    """By its words the second would end the first; it claims a home for weekends."""
    await memory.remember("Ann lives in Berlin.", at=NOON - MONTH, claims=home("Ann", "Berlin"))
    await memory.remember("Ann lives in Potsdam.", claims=[Claim("Ann", "weekend_home", "Potsdam")])
    assert len(await known(memory)) == 2


# --- corrections --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("has_claims", [True, False])
async def test_a_correction_ends_what_cannot_be_true_beside_it(
    memory: Memory, clock: FakeClock, is_first: bool, has_claims: bool
) -> None:
    """
    Bob lives in Berlin.                (before or after the other)
    Bob likes to live in the country.   (corrected: Bob lives in Potsdam.)
    """

    async def berlin() -> str:
        return await memory.remember("Bob lives in Berlin.", claims=home("Bob", "Berlin") if has_claims else ())

    if is_first:
        await berlin()
    clock.advance(minutes=1)
    wrong = await memory.remember("Bob likes to live in the country.")
    clock.advance(minutes=1)
    if not is_first:
        await berlin()
    clock.advance(minutes=1)
    await memory.correct(wrong, "Bob lives in Potsdam.", claims=home("Bob", "Potsdam") if has_claims else ())
    assert await known(memory) == {"Bob lives in Potsdam."}


# --- denials ------------------------------------------------------------------------------------------------------


async def test_a_denied_fact_ends_and_can_begin_again(memory: Memory) -> None:
    tea = Claim("Ann", "likes", "tea")
    no_tea = Claim("Ann", "likes", "tea", is_affirmed=False)
    await memory.remember("Ann likes tea.", at=NOON - 2 * MONTH, claims=[tea])
    await memory.remember("Ann likes coffee.", at=NOON - 2 * MONTH, claims=[Claim("Ann", "likes", "coffee")])
    await memory.remember("Ann has gone off tea.", at=NOON - MONTH, claims=[no_tea])
    assert await known(memory) == {"Ann likes coffee.", "Ann has gone off tea."}
    await memory.remember("Ann enjoys her tea again.", claims=[tea])
    assert await known(memory) == {
        "Ann likes coffee.",
        "Ann has gone off tea.",
        "Ann enjoys her tea again.",
    }  # in doubt


async def test_a_denial_without_a_value_denies_all_values(memory: Memory) -> None:
    await memory.remember("Ann has a dog called Rex.", at=NOON - MONTH, claims=[Claim("Ann", "pet", "Rex")])
    await memory.remember("Ann has a cat called Ada.", at=NOON - MONTH, claims=[Claim("Ann", "pet", "Ada")])
    await memory.remember("Ann has no pets now.", claims=[Claim("Ann", "pet", "", is_affirmed=False)])
    assert await known(memory) == {"Ann has no pets now."}


async def test_a_denial_of_one_claim_keeps_the_others(memory: Memory) -> None:
    acme, rome = Claim("Ann", "employer", "Acme"), Claim("Ann", "home", "Rome")
    both = await memory.remember("Ann works at Acme and lives in Rome.", at=NOON - 2 * MONTH, claims=[acme, rome])
    left = Claim("Ann", "employer", "Acme", is_affirmed=False)
    quit = await memory.remember("Ann left Acme.", at=NOON - MONTH, claims=[left])
    explained = await memory.explain(both)
    assert explained.memory.valid_until is None
    assert [each.id for each in explained.possible_conflicts] == [quit]
    moved = await memory.remember("Ann moved to Oslo.", claims=home("Ann", "Oslo"))
    explained = await memory.explain(both)
    assert explained.memory.valid_until == NOON
    assert [each.id for each in explained.superseded_by] == [moved]


# --- whose it is, and who may ---------------------------------------------------------------------------------------


async def test_the_user_is_the_same_by_word_and_by_name(memory: Memory) -> None:
    await memory.remember("My name is Katya Orlova.", claims=[Claim("", "name", "Katya Orlova")])
    await memory.remember("The user lives in Rome.", at=NOON - MONTH, claims=home("the user", "Rome"))
    await memory.remember("Katya Orlova lives in Oslo.", claims=home("Katya Orlova", "Oslo"))
    assert await known(memory) == {"My name is Katya Orlova.", "Katya Orlova lives in Oslo."}


async def test_an_alias_means_the_same_subject(memory: Memory) -> None:
    await memory.remember(
        "Ann Smith lives in Rome.", subject="Ann Smith", at=NOON - MONTH, claims=home("Ann Smith", "Rome")
    )
    await memory.remember("Annie plays chess.", subject="Annie", claims=[Claim("Annie", "plays", "chess")])
    await memory.merge_entities("Annie", "Ann Smith")
    await memory.remember("Annie lives in Oslo.", subject="Annie", claims=home("Annie", "Oslo"))
    assert await known(memory) == {"Annie plays chess.", "Annie lives in Oslo."}


# --- the same -----------------------------------------------------------------------------------------------------


async def test_simultaneous_paraphrases_become_one_memory(embedded: Memory) -> None:
    """The first one has no vector yet."""
    one, other = await asyncio.gather(
        embedded.remember("Ann lives in Berlin.", claims=home("Ann", "Berlin")),
        embedded.remember("Ann resides in Berlin.", claims=home("Ann", "Berlin")),
    )
    assert one == other
    assert len(await known(embedded)) == 1


async def test_the_same_in_other_words_is_one_memory(memory: Memory) -> None:
    told = await memory.remember("Пользователь знает испанский язык.")
    assert await memory.remember("Пользователь говорит по-испански.") == told


async def test_a_statement_that_says_more_is_stored_beside(memory: Memory) -> None:
    berlin = home("Ann", "Berlin")
    short = await memory.remember("Ann lives in Berlin.", claims=berlin)
    assert await memory.remember("Ann lives in Berlin with her mother, who is ill.", claims=berlin) != short
    assert await memory.remember("Ann's home is Berlin.", claims=[*berlin, Claim("Ann", "likes", "Berlin")]) != short
    assert (
        await memory.remember(
            "Ann would like to live in Berlin.", claims=[Claim("Ann", "home", "Berlin", modality="wish")]
        )
        != short
    )


async def test_the_wording_of_higher_trust_is_kept(memory: Memory) -> None:
    read = await memory.remember("Ann resides in Berlin.", claims=home("Ann", "Berlin"), trust="web")
    assert await memory.remember("Ann lives in Berlin.", claims=home("Ann", "Berlin")) == read
    assert (await memory.explain(read)).memory.trust == "user"
    assert await known(memory) == {"Ann lives in Berlin."}


# --- what can be claimed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        Claim("Ann", "Lives In", "Rome"),
        Claim("Ann", "home", ""),
        Claim("Ann", "home", "R" * 1000),
        Claim("Ann", "home", "Rome", modality="hope"),  # type: ignore[arg-type]
        *(
            Claim("Ann", "home", "Rome", time=time)
            for time in ("26", "2026-13", "2026-02-30", "--02-30", "2026-03-02T25:00", "2026/2027", "../2026-13")
        ),
    ],
)
async def test_an_invalid_claim_is_refused(memory: Memory, claim: Claim) -> None:
    with pytest.raises(InvalidArgument, match=r"claims|modality"):
        await memory.remember("Ann lives in Rome.", claims=[claim])
    assert not await known(memory)


async def test_a_claim_holds_no_secret(memory: Memory) -> None:
    with pytest.raises(SecretRefused):
        await memory.remember("Ann has a key.", claims=[Claim("Ann", "has", "AKIAIOSFODNN7EXAMPLE")])


# --- laws ---------------------------------------------------------------------------------------------------------

_CLAIMS = st.lists(
    st.builds(
        Claim,
        st.sampled_from(("", "Ann")),
        st.sampled_from(("home", "employer", "likes")),
        st.sampled_from(("Rome", "Oslo", "Lima")),
        st.booleans(),
        st.sampled_from(("fact", "fact", "wish", "past")),
    ),
    min_size=1,
    max_size=2,
)


@settings(max_examples=25, deadline=None)
@given(told=st.lists(_CLAIMS, min_size=2, max_size=5), data=st.data())
async def test_the_order_of_telling_does_not_matter(told: list[list[Claim]], data: st.DataObject) -> None:
    """Each statement belongs to another month, and says something else that no other says."""
    statements = [
        (f"number {number}", [*claims, Claim("it", "numbered", str(number), modality="past")])
        for number, claims in enumerate(told)
    ]
    orders = [range(len(told)), data.draw(st.permutations(range(len(told))))]
    outcomes = [await _believed([(number, *statements[number]) for number in order]) for order in orders]
    assert outcomes[0] == outcomes[1]


async def _believed(told: Sequence[tuple[int, str, list[Claim]]]) -> dict[int, object]:
    """The end of each statement, after they are stored in some order."""
    with TemporaryDirectory() as folder:
        async with Memory.open(Path(folder), embedder=None, clock=FakeClock()) as memory:
            ids = {
                number: await memory.remember(text, at=NOON - (10 - number) * MONTH, claims=claims)
                for number, text, claims in told
            }
            return {number: (await memory.explain(id)).memory.valid_until for number, id in sorted(ids.items())}
