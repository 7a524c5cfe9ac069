"""A profile is what live memories say of the user: learnt, replaced, forgotten and erased with them."""

from datetime import timedelta

import pytest

from sandbox.extensions.memory import Claim, Memory, Scope
from sandbox.extensions.memory.profile import ProfileValue, UserProfile
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.support.trust import Trust
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import present

DAY = timedelta(days=1)


async def talk(memory: Memory, *said: str, session: str = "s1", speaker: str | None = None) -> None:
    """Say something, and let the memory learn from it."""
    for text in said:
        await memory.observe("user", text, session=session, speaker=speaker, key=f"{session}: {text}")
    await memory.consolidate(session)


def of(value: ProfileValue | None) -> str | None:
    return value.value if value else None


async def test_the_profile_of_a_stranger_is_empty(memory: Memory) -> None:
    await talk(
        memory,
        "What is the capital of France?",
        "I shop at Rakuten, formerly known as Ebates.",
        "I hate it when people use she/her for a ship.",
        "If I lived in Porto, I would surf.",
        "My sister lives in Porto and goes by Liz.",
    )
    assert await memory.profile() == UserProfile()


ENGLISH = (
    "Hi, I'm Maximilian, but call me Max.",
    "My pronouns are they/them.",
    "I live in Porto with my sister.",
    "Please answer in German from now on.",
    "And always keep your answers short.",
    "My goal is to run a marathon.",
)
RUSSIAN = (
    "Меня зовут Анна, но зови меня Аня.",
    "Мои местоимения — она/её.",
    "Я живу в Казани.",
    "Всегда отвечай на английском.",
    "Всегда отвечай коротко.",
    "Моя цель — пробежать марафон.",
)


@pytest.mark.parametrize(
    ("said", "single", "tone", "goal"),
    [
        (ENGLISH, ["Max", "they/them", "Porto", "German"], "always keep your answers short", "run a marathon"),
        (RUSSIAN, ["Аня", "она/её", "Казань", "английский"], "Всегда отвечай коротко", "пробежать марафон"),
    ],
)
async def test_every_field_is_learnt_by_rules(
    memory: Memory, said: tuple[str, ...], single: list[str], tone: str, goal: str
) -> None:
    await talk(memory, *said)
    found = await memory.profile()
    assert [of(each) for each in (found.preferred_name, found.pronouns, found.city, found.language)] == single
    assert [value.value for value in found.tone] == [tone]
    assert [value.value for value in found.goals] == [goal]


async def test_a_value_names_its_memory(memory: Memory, clock: FakeClock) -> None:
    await talk(memory, "I live in Porto.")
    city = present((await memory.profile()).city)
    assert (city.content, city.source, city.trust) == ("The user lives in Porto.", "rules", "user")
    assert (city.confidence, city.since) == (0.6, clock())
    assert city.rests_on == ("s1: I live in Porto.",)
    assert (await memory.explain(city.id)).memory.content == city.content
    clock.advance(days=10)
    assert 0.3 < present((await memory.profile()).city).confidence < 0.6


async def test_a_new_value_replaces_the_old_one(memory: Memory, clock: FakeClock) -> None:
    """Also in other words; the old value is history."""
    await talk(memory, "I live in Lisbon.", "Call me Max.")
    clock.advance(days=30)
    await memory.remember("The user is based in Porto.")
    await talk(memory, "Call me Maxi.", session="s2")
    found = await memory.profile()
    assert (of(found.city), of(found.preferred_name)) == ("Porto", "Maxi")
    [old] = [
        hit for hit in await memory.search("lives in Lisbon", history=True, types=("semantic",)) if "Li" in hit.content
    ]
    assert old.valid_until == clock()
    assert [each.id for each in (await memory.explain(present(found.city).id)).supersedes] == [old.id]
    await memory.restore(old.id)
    assert of((await memory.profile()).city) == "Porto"  # the later of the two


async def test_a_statement_that_says_more_than_its_value_is_kept(memory: Memory) -> None:
    """In other words it is only in doubt; the later value counts."""
    old = await memory.remember("The user lives in Lisbon and keeps two dogs in the garden.")
    new = await memory.remember("The user is based in Porto.")
    assert of((await memory.profile()).city) == "Porto"
    found = await memory.explain(new)
    assert [each.id for each in found.possible_conflicts] == [old]
    assert found.supersedes == ()


async def test_a_longer_wording_of_a_value_replaces_nothing(memory: Memory) -> None:
    old = await memory.remember("The user lives in Porto.")
    await memory.remember("The user is based in Porto, Portugal.")
    known = await memory.explain(old)
    assert (known.memory.valid_until, known.possible_conflicts) == (None, ())
    other = await memory.remember("The user is based in Madrid, Spain.")
    assert other in {each.id for each in (await memory.explain(old)).possible_conflicts}


@pytest.mark.parametrize(
    ("said", "category"),
    [("The user asks to always reply in Dutch.", "instruction"), ("The user wants answers in Dutch.", "fact")],
)
async def test_only_a_wish_ends_a_wish(memory: Memory, said: str, category: str) -> None:
    """A standing instruction is valid until another wish, in whichever category it is stored, or a person, ends it."""
    wish = await memory.remember("The user asks to always answer in German.", category="instruction")
    await memory.remember("The user is learning French.")
    assert (await memory.explain(wish)).memory.valid_until is None
    await memory.remember(said, category=category)
    assert (await memory.explain(wish)).memory.valid_until is not None
    assert of((await memory.profile()).language) == "Dutch"


async def test_a_form_of_address_does_not_replace_the_name(memory: Memory) -> None:
    await talk(memory, "My name is Maximilian.")
    assert of((await memory.profile()).preferred_name) == "Maximilian"
    await talk(memory, "Call me Max.", session="s2")
    called = present((await memory.profile()).preferred_name)
    assert called.value == "Max"
    shown = present(await memory.context("what is new?")).items
    assert [each.content for each in shown if each.section == "instructions"] == [called.content]
    assert "The user's name is Maximilian." in [hit.content for hit in await memory.search("name")]
    await memory.forget(called.id)
    assert of((await memory.profile()).preferred_name) == "Maximilian"


async def test_the_profile_follows_corrections_forgetting_and_time(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember("The user lives in Porto.")
    await memory.correct(id, "The user lives in Braga.")
    assert of((await memory.profile()).city) == "Braga"
    await memory.forget(id)
    assert (await memory.profile()).city is None
    await memory.restore(id)
    clock.advance(days=400)
    assert of((await memory.profile()).city) == "Braga"


@pytest.mark.settings(consent={"city": "never"})
async def test_a_guess_fills_a_field_until_it_has_faded(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("The user lives in Braga.", source="inferred")
    assert of((await memory.profile()).city) == "Braga"
    clock.advance(days=400)
    assert (await memory.profile()).city is None


async def test_a_merged_memory_still_fills_its_fields(memory: Memory, store: Store) -> None:
    """After a merge, and after the merge is undone."""
    kept = await memory.remember("The user has a flat in Porto, where the user lives.")
    gone = await memory.remember("The user lives in Porto.")

    def merge(tx: Transaction) -> None:
        one, other = (nodes.versions(tx, id, Scope())[0] for id in (kept, gone))
        nodes.merge(tx, one, other, "night")

    await store.write(merge)
    city = present((await memory.profile()).city)
    assert (city.id, city.value) == (kept, "Porto")
    await memory.forget(kept)
    assert (await memory.profile()).city is None
    await memory.restore(gone)
    city = present((await memory.profile()).city)
    assert (city.id, city.value) == (gone, "Porto")


async def test_two_speakers_fill_no_profile(memory: Memory) -> None:
    """2026-03-02 user (Ann): I live in Porto. user (Bob): I live in Lisbon."""
    await memory.observe("user", "I live in Porto.", session="s", speaker="Ann")
    await memory.observe("user", "I live in Lisbon.", session="s", speaker="Bob")
    report = await memory.consolidate("s")
    assert len(report.learnt) == 2
    assert (await memory.profile()).city is None


async def test_a_speaker_with_the_users_name_fills_the_profile(memory: Memory) -> None:
    await talk(memory, "I live in Porto.", "My brother lives in Lisbon.", speaker="Ann")
    assert of((await memory.profile()).city) == "Porto"
    await memory.remember("The user is based in Berlin.")
    assert of((await memory.profile()).city) == "Berlin"


async def test_an_assistants_statement_about_the_speaker_is_about_the_user(memory: Memory) -> None:
    ann = await memory.observe("user", "I live in Porto, Bob in Lisbon.", session="s", speaker="Ann")
    await memory.remember("Bob lives in Lisbon.", subject="Bob", rests_on=[ann])
    assert (await memory.profile()).city is None
    id = await memory.remember("Ann lives in Porto.", subject="Ann", rests_on=[ann])
    assert of((await memory.profile()).city) == "Porto"
    await memory.correct(id, "Ann lives in Braga.", rests_on=[ann])
    assert of((await memory.profile()).city) == "Braga"


async def test_a_profile_has_only_memories_visible_to_its_user(memory: Memory) -> None:
    await memory.remember("The user lives in Porto.", scope=Scope("ann"))
    await memory.remember("The user lives in Lisbon.", scope=Scope("bob", visibility="global", administrator=True))
    await memory.remember("The user lives in Braga.", scope=Scope("ann", project_id="p", visibility="project"))
    assert of((await memory.profile(scope=Scope("ann"))).city) == "Porto"
    assert of((await memory.profile(scope=Scope("ann", project_id="p"))).city) == "Braga"
    assert of((await memory.profile(scope=Scope("bob"))).city) == "Lisbon"
    assert await memory.profile(scope=Scope("eve")) == UserProfile()


# --- claims, whatever the words of their statements are ---------------------------------------------------------------


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


async def test_the_claim_of_a_statement_decides_and_not_its_words(memory: Memory) -> None:
    await memory.remember("The user lives in Faro.", claims=[Claim("Ann", "home", "Porto")])
    await memory.remember("Porto is home.", at=NOON - DAY, claims=[Claim("", "home", "Porto")])
    await memory.remember("Porto was home until now.", claims=[Claim("", "home", "Porto", is_affirmed=False)])
    assert await memory.profile() == UserProfile()


async def test_a_field_changes_with_its_claim(memory: Memory) -> None:
    """First words and then a claim fill it; then the other way round."""
    await memory.remember("The user lives in Faro.", at=NOON - 2 * DAY)
    await memory.remember("Porto is home now.", at=NOON - DAY, claims=[Claim("", "home", "Porto")])
    assert of((await memory.profile()).city) == "Porto"
    await memory.remember("The user lives in Lima.", at=NOON)
    assert of((await memory.profile()).city) == "Lima"


# --- in a context -----------------------------------------------------------------------------------------------------


async def test_the_form_of_address_is_shown_for_any_prompt(memory: Memory) -> None:
    await talk(
        memory, "Call me Max.", "My pronouns are they/them.", "I live in Porto.", "My goal is to run a marathon."
    )
    for number in range(50):
        await memory.remember(f"The cupboard number {number} holds the files of the year {1900 + number}.")
    await memory.observe("user", "The violin lesson is on Friday.", session="s2")
    block = present(await memory.context("when is the violin lesson?"))
    shown = [each.content for each in block.items if each.type != "episodic"]
    assert set(shown) == {
        "The user prefers to be called Max.",
        "The user's pronouns are they/them.",
        "The user lives in Porto.",
        "The user's goal is to run a marathon.",
    }


@pytest.mark.parametrize(
    ("subject", "said", "whose"),
    [
        ("Ann", "Vegetarian since 2019", "Ann"),
        ("Ann", "goal: Learn Spanish", "Ann"),
        ("Ann", "Prefers tea over coffee", "Ann"),
        ("Ann", "My goal is to learn Spanish", ""),
        ("Ann", "Always answer in French", ""),
        ("ann", "moved to Rome", "ann"),
        ("my sister", "moved to Rome", "the user's sister"),
        ("my sister", "She lives in Rome", "the user's sister"),
        ("Ann", "She no longer works at Acme", "Ann"),
        ("моя сестра", "Переехала в Рим", "сестра пользователя"),
        ("the user", "moved to Rome", ""),
    ],
)
async def test_what_leaves_out_its_subject_is_about_the_subject_that_is_given(
    memory: Memory, subject: str, said: str, whose: str
) -> None:
    id = await memory.remember(said, subject=subject)
    assert {claim.subject for claim in (await memory.explain(id)).claims} == {whose}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("She lives in Potsdam with her partner Tom", "Potsdam"),
        ("Sie wohnt in Potsdam mit Tom", "Potsdam"),
        ("She is allergic to nuts", "nuts"),
    ],
)
async def test_a_pronoun_is_read_as_the_subject_that_is_given(memory: Memory, said: str, value: str) -> None:
    id = await memory.remember(said, subject="Ann")
    assert [(claim.subject, claim.value) for claim in (await memory.explain(id)).claims] == [("Ann", value)]


@pytest.mark.parametrize("trust", ["user", "assistant"])
async def test_a_statement_that_calls_the_user_by_name_is_about_the_user(memory: Memory, trust: Trust) -> None:
    """
    user: My name is Jon. I live in Berlin.   (later) Jon lives in Rome.
    """
    for told in ("My name is Jon.", "I live in Berlin."):
        await memory.remember(told)
    await memory.remember("Jon lives in Rome.", trust=trust)
    city = (await memory.profile()).city
    assert city is not None
    assert city.value == ("Rome" if trust == "user" else "Berlin")
    assert [each.memory.content for each in await memory.proposals()] == ["Jon lives in Rome."] * (trust != "user")
