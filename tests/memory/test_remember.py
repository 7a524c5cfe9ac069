"""Statements: stored once, with near matches as asked, with the confidence of their source and the trust of their
origin.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import InvalidArgument, SimilarMemory
from sandbox.extensions.memory.text.words import fingerprint
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import contents

# --- the same is kept once ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["«Ann», LIVES\n  in (berlin)…", "Ａnn lives in Berlin."])
async def test_the_same_statement_is_stored_once(memory: Memory, again: str) -> None:
    id = await memory.remember("Ann lives in Berlin.")
    assert await memory.remember(again) == id
    assert contents(await memory.search("Ann")) == ["Ann lives in Berlin."]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 5432", "The port is 5433"),
        ("Ann drinks tea", "Ann doesn't drink tea"),
        ("tabs over spaces", "spaces over tabs"),
    ],
)
async def test_a_statement_that_differs_in_a_word_is_stored_beside(embedded: Memory, one: str, other: str) -> None:
    """Their vectors are nearly equal, but similar statements are not the same."""
    assert await embedded.remember(one) != await embedded.remember(other)
    assert set(contents(await embedded.search(one))) == {one, other}


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=st.text("abc 12.+-!?", min_size=1, max_size=8), other=st.text("abc 12.+-!?", min_size=1, max_size=8))
async def test_one_memory_for_each_fingerprint(memory: Memory, one: str, other: str) -> None:
    if one.strip() and other.strip():
        same = fingerprint(one) == fingerprint(other)
        assert (await memory.remember(one) == await memory.remember(other)) == same


async def test_another_type_or_subject_is_another_statement(memory: Memory) -> None:
    ids = [
        await memory.remember("Likes tea."),
        await memory.remember("Likes tea.", subject="Ann"),
        await memory.remember("Likes tea.", subject="Bob"),
        await memory.remember("Likes tea.", type="opinion"),
    ]
    assert len(set(ids)) == 4


@pytest.mark.parametrize("maintained", [True, False])
async def test_a_faded_statement_is_learnt_again(memory: Memory, clock: FakeClock, maintained: bool) -> None:
    """`same_statement` finds a faded memory that is not pruned yet; the new statement must not stay invisible
    with it.
    """
    await memory.remember("Ann lives in Berlin.", source="inferred")
    clock.advance(days=400)
    assert await memory.search("Ann") == []
    if maintained:
        await memory.maintain()
    await memory.remember("Ann lives in Berlin.")
    assert contents(await memory.search("Ann")) == ["Ann lives in Berlin."]


async def test_a_forgotten_statement_can_be_told_again(memory: Memory) -> None:
    first = await memory.remember("Ann lives in Berlin.")
    await memory.forget(first)
    again = await memory.remember("Ann lives in Berlin.")
    assert again != first
    assert [hit.id for hit in await memory.search("Ann")] == [again]


async def test_a_known_fact_can_become_a_standing_wish(memory: Memory) -> None:
    await memory.remember("Answers should be in English.")
    await memory.remember("Answers should be in English.", category="instruction")
    assert await memory.context("Guten Tag!") is not None


# --- near matches -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann plays chess in Berlin.", "Ann plays chess in Leipzig now."),
        ("The port is 5432.", "The port is 5433."),
        ("The parser calls the scanner.", "The scanner calls the parser."),
    ],
)
async def test_near_matches_are_kept_superseded_or_refused(memory: Memory, known: str, said: str) -> None:
    id = await memory.remember(known)
    with pytest.raises(SimilarMemory, match=id):
        await memory.remember(said, on_similar="refuse")
    assert contents(await memory.search(known)) == [known]
    await memory.remember(f"{said} ", on_similar="keep")
    assert set(contents(await memory.search(known))) == {known, f"{said} "}


async def test_superseding_closes_the_near_match(memory: Memory, clock: FakeClock) -> None:
    old = await memory.remember("I prefer tabs over spaces.")
    new = await memory.remember("I prefer spaces over tabs.", on_similar="supersede", at=clock.advance(days=7))
    assert [hit.id for hit in await memory.search("tabs or spaces?")] == [new]
    assert (await memory.explain(old)).memory.valid_until == clock()


async def test_vectors_nominate_near_matches_too(embedded: Memory) -> None:
    await embedded.remember("My beloved cat is ill.")
    await embedded.wait_until_embedded()
    with pytest.raises(SimilarMemory):
        await embedded.remember("My beloved cats: illness!", on_similar="refuse")


async def test_a_distant_statement_is_always_stored(embedded: Memory) -> None:
    await embedded.remember("Ann lives in Berlin.")
    await embedded.wait_until_embedded()
    await embedded.remember("The port is 5432.", on_similar="refuse")
    await embedded.remember("Bob plays the violin.", on_similar="supersede")
    assert len(await embedded.search("")) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket ABC-101 is about the login page.", "Ticket ABC-102 is about the login page."),
        ("Error E1001 is mended by deleting the cache.", "Error E1002 is mended by deleting the cache."),
        ("Backups of the orders database go to Frankfurt.", "Backups of the customers database go to Frankfurt."),
        ("The service A is owned by team Red.", "The service B is owned by team Red."),
        ("Die Waschmaschine im Keller ist neu.", "Die Waschmaschine im Bad ist neu."),
        ("Ключ от гаража лежит в синей вазе.", "Ключ от подвала лежит в синей вазе."),
        ("Max's locker number 1 is blue.", "Max's locker number 11 is blue."),
        ("Pool 1 is heated.", "Pool 2 is heated."),
        ("The file a.py holds the routes.", "The file b.py holds the routes."),
        ("Max had surgery on his left knee.", "Max had surgery on his right knee."),
        ("Jonas takes metformin 500 mg in the morning.", "Jonas takes metformin 1000 mg in the evening."),
        ("Jonas's blood pressure was 140/90 on 1 May.", "Jonas's blood pressure was 130/85 on 8 May."),
        ("Lena may watch TV until 19:00 on school days.", "Lena may watch TV until 21:00 at weekends."),
        ("Lena has a dentist appointment on 3 December.", "Lena has a dentist appointment on 17 December."),
        ("Anna has a meeting with Bob on Monday at 10:00.", "Anna has a meeting with Bob on Monday at 15:00."),
        ("Mia has ballet on Tuesdays.", "Mia has ballet on Thursdays."),
        ("The alarm for Tom is set to 06:30 on weekdays.", "The alarm for Tom is set to 08:00 on weekends."),
        ("Max takes ibuprofen before meals.", "Max takes ibuprofen after meals."),
        ("Tom must take his inhaler before sport.", "Tom must take his inhaler before bed."),
        ("Маша принимает 5 мг утром.", "Маша принимает 10 мг вечером."),
    ],
)
async def test_what_is_said_of_another_thing_supersedes_nothing(embedded: Memory, one: str, other: str) -> None:
    first = await embedded.remember(one)
    await embedded.wait_until_embedded()
    second = await embedded.remember(other, on_similar="supersede")
    assert {(await embedded.explain(id)).memory.valid_until for id in (first, second)} == {None}
    await embedded.wait_until_embedded()
    await embedded.remember(f"{other[:-1]} now.", on_similar="supersede")
    assert (await embedded.explain(first)).memory.valid_until is None
    assert (await embedded.explain(second)).memory.valid_until is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Backups of the orders database go to Frankfurt.", "Backups of the orders database go to Paris."),
        ("The staging database listens on port 5433.", "The staging database listens on port 6543."),
        ("The ballet of Mia is on Tuesday.", "The ballet of Mia is on Thursday."),
        ("The standup is at 10:00.", "The standup is at 9:30."),
        ("The project needs Python 3.11 in production.", "The project needs Python 3.13 in production."),
        ("Lines have at most 100 characters.", "Lines have at most 120 characters."),
        ("Answer in at most 3 sentences.", "Answer in at most 5 sentences."),
    ],
)
async def test_another_value_supersedes_the_old_one(embedded: Memory, one: str, other: str) -> None:
    first = await embedded.remember(one)
    await embedded.wait_until_embedded()
    await embedded.remember(other, on_similar="supersede")
    assert (await embedded.explain(first)).memory.valid_until is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jonas takes methotrexate daily.", "Jonas takes methotrexate weekly."),
        ("We use PostgreSQL in production.", "We use PostgreSQL in staging."),
        ("I'm allergic to nuts.", "I'm allergic to nuts, but only to walnuts."),
    ],
)
async def test_a_statement_that_says_more_than_its_claim_is_not_known_already(
    memory: Memory, one: str, other: str
) -> None:
    first = await memory.remember(one)
    assert await memory.remember(other) != first
    assert await memory.remember(one.replace(".", "!")) == first


async def test_another_subject_is_never_superseded(embedded: Memory) -> None:
    """Ann likes green tea. Bob likes green tea, too, and that is no change."""
    ann = await embedded.remember("Likes green tea a lot.", subject="Ann")
    await embedded.wait_until_embedded()
    await embedded.remember("Likes green tea quite a lot.", subject="Bob", on_similar="supersede")
    await embedded.remember("Likes green tea quite a lot.", subject="Zoe", on_similar="refuse")
    assert (await embedded.explain(ann)).memory.valid_until is None


async def test_subjects_are_compared_as_names(memory: Memory) -> None:
    old = await memory.remember("Lives in Berlin.", subject="Ann")
    await memory.remember("Lives in Leipzig.", subject="  ANN ", on_similar="supersede")
    assert (await memory.explain(old)).memory.valid_until is not None


async def test_other_types_and_turns_are_not_compared(memory: Memory) -> None:
    await memory.observe("user", "Ann speaks French.")
    await memory.remember("Ann speaks French.", type="opinion")
    await memory.remember("Ann speaks German.", on_similar="refuse")
    assert len(await memory.search("Ann")) == 3
    with pytest.raises(SimilarMemory):
        await memory.remember("Ann speaks Dutch.", on_similar="refuse")


async def test_the_same_statement_supersedes_nothing(memory: Memory) -> None:
    id = await memory.remember("Ann lives in Berlin.")
    assert await memory.remember("Ann lives in berlin", on_similar="supersede") == id
    assert (await memory.explain(id)).memory.valid_until is None


async def test_lower_trust_does_not_supersede_higher(memory: Memory) -> None:
    known = await memory.remember("The bank is the Sparkasse in Leipzig.", trust="user")
    await memory.remember("The bank is the Sparkasse in Lagos.", trust="web", on_similar="supersede")
    assert (await memory.explain(known)).memory.valid_until is None


# --- how sure, how lasting, how trusted ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "confidence", "rate"), [("explicit", 1.0, 0.0), ("corrected", 1.0, 0.0), ("inferred", 0.7, 0.1)]
)
async def test_confidence_by_source(memory: Memory, source: str, confidence: float, rate: float) -> None:
    id = await memory.remember("Ann lives in Berlin.", source=source)
    known = (await memory.explain(id)).memory
    assert (known.confidence, known.source, known.decay_rate) == (confidence, source, rate)


@pytest.mark.parametrize(
    ("trust", "in_context"), [("web", False), ("tool", True), ("assistant", True), ("user", True), ("confirmed", True)]
)
async def test_an_untrusted_memory_is_found_and_not_shown(memory: Memory, trust: Any, in_context: bool) -> None:
    id = await memory.remember("Ann lives in Berlin.", trust=trust)
    assert [hit.id for hit in await memory.search("Ann")] == [id]
    known = (await memory.explain(id)).memory
    assert (known.trust, known.quarantined) == (trust, not in_context)
    assert (await memory.context("where does Ann live?") is not None) == in_context


@pytest.mark.settings(quarantine_below="user")
async def test_the_needed_trust_is_a_setting(memory: Memory) -> None:
    await memory.observe("assistant", "Ann lives in Berlin.")
    assert await memory.context("where does Ann live?") is None
    await memory.observe("user", "Ann lives in Porto.")
    assert contents(await memory.context("where does Ann live?")) == ["Ann lives in Porto."]


async def test_confirming_protects_and_a_person_raises_trust(memory: Memory, clock: FakeClock) -> None:
    by_agent = await memory.remember("Ann lives in Berlin.", trust="web", source="inferred")
    by_person = await memory.remember("Bob lives in Porto.", trust="web", source="inferred")
    clock.advance(days=5)
    await memory.confirm(by_agent)
    await memory.confirm(by_person, by_person=True)
    one, other = (await memory.explain(by_agent)).memory, (await memory.explain(by_person)).memory
    assert one.confidence == other.confidence == 1.0
    assert one.fades_at is other.fades_at is None
    assert (one.trust, one.quarantined) == ("web", True)
    assert (other.trust, other.quarantined) == ("confirmed", False)
    assert contents(await memory.context("what about Ann and Bob?")) == ["Bob lives in Porto."]


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("type", "episodic"),
        ("type", "fact"),
        ("category", "gossip"),
        ("category", ""),
        ("source", "hearsay"),
        ("trust", "blind"),
        ("on_similar", "replace"),
        ("tags", "one"),
        ("subject", 5),
        ("at", datetime(2026, 3, 2)),
        ("at", "yesterday"),
        ("key", 7),
        *(("importance", number) for number in (0, 6, -1)),
    ],
)
async def test_a_senseless_argument_is_refused_by_name(memory: Memory, argument: str, value: object) -> None:
    arguments: dict[str, Any] = {argument: value}
    with pytest.raises(InvalidArgument) as refused:
        await memory.remember("Ann lives in Berlin.", **arguments)
    assert refused.value.details["argument"] == argument
    assert await memory.search("") == []


async def test_tags_are_distinct_words(memory: Memory) -> None:
    id = await memory.remember("Ann lives in Berlin.", tags=["home", " home ", "", "city"])
    assert (await memory.explain(id)).memory.tags == ("home", "city")


@pytest.mark.parametrize("zone", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
async def test_a_moment_outside_the_calendar_is_refused(memory: Memory, zone: str) -> None:
    with pytest.raises(InvalidArgument):
        await memory.observe("user", "Ann was born.", at=datetime.fromisoformat(zone))


@pytest.mark.parametrize("at", [NOON - timedelta(days=365 * 2000), NOON + timedelta(days=365 * 2000)])
async def test_any_moment_of_the_calendar_is_remembered(memory: Memory, at: datetime) -> None:
    await memory.observe("user", "Ann lives in Berlin.", at=at)
    (hit,) = await memory.search("Ann")
    assert hit.event_time == at
    assert await memory.context("where does Ann live?") is not None


async def test_a_subject_tells_two_people_of_one_name_apart(memory: Memory) -> None:
    for subject, city in (("customer 17", "Rome"), ("customer 18", "Kiel"), ("customer 19", "Kiel")):
        await memory.remember(f"Tom lives in {city}.", subject=subject)
    await memory.remember("Tom lives in Bonn.", subject="customer 19")
    known = {each.memory.subject: each.memory.content for each in (await memory.list()).items}
    assert known == {
        "customer 17": "Tom lives in Rome.",
        "customer 18": "Tom lives in Kiel.",
        "customer 19": "Tom lives in Bonn.",
    }
