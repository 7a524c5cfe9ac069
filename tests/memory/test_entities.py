"""People and things, by any form of their name, with facts and turns."""

from datetime import timedelta

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.testing import NOON, FakeClock


async def test_a_profile_holds_facts_and_turns(memory: Memory) -> None:
    await memory.observe("user", "I moved to Berlin.", speaker="Ann", at=NOON - timedelta(days=1), session="s")
    await memory.observe("user", "I like it here.", speaker="ann", at=NOON, session="s")
    await memory.observe("user", "Me too.", speaker="Bob", session="s")
    for content, type in (("Lives in Berlin.", "semantic"), ("Prefers tea.", "opinion"), ("Call twice.", "procedural")):
        await memory.remember(content, type=type, subject="Ann")  # type: ignore[arg-type]
    profile = await memory.entity("Ann")
    assert (profile.name, profile.type, profile.mentions) == ("Ann", "person", 5)
    assert (profile.first_seen, profile.last_seen) == (NOON - timedelta(days=1), NOON)
    assert {fact.content for fact in profile.facts} == {"Lives in Berlin.", "Prefers tea.", "Call twice."}
    assert [turn.content for turn in profile.timeline] == ["I like it here.", "I moved to Berlin."]


async def test_the_latest_turns_are_the_latest_of_the_world(memory: Memory) -> None:
    """A conversation of last year is imported after today's."""
    await memory.observe("user", "I like it here.", speaker="Ann", at=NOON)
    await memory.observe("user", "I moved to Berlin.", speaker="Ann", at=NOON - timedelta(days=365))
    assert [turn.content for turn in (await memory.entity("Ann")).timeline] == ["I like it here.", "I moved to Berlin."]


async def test_a_plan_is_met_when_it_is_told(memory: Memory) -> None:
    await memory.observe("user", "I fly to Izmir on 3 April 2026.", at=NOON - timedelta(days=1), session="s")
    await memory.consolidate("s")
    izmir = await memory.entity("Izmir")
    assert (izmir.first_seen, izmir.last_seen) == (NOON - timedelta(days=1), NOON - timedelta(days=1))


@pytest.mark.parametrize(("speaker", "name"), [(None, "The user"), ("Selma", "Selma")])
async def test_the_users_relations_are_those_of_the_entity_that_stands_for_the_user(
    memory: Memory, speaker: str | None, name: str
) -> None:
    for said in ("My husband is called Murat.", "Murat works at Initech."):
        await memory.observe("user", said, speaker=speaker, session="s")
    await memory.consolidate("s")
    assert [(each.predicate, each.value) for each in (await memory.entity(name)).relations] == [("spouse", "Murat")]
    for centre in (name, "Murat"):
        near = await memory.neighbourhood(centre)
        names = {each.id: each.name for each in near.entities}
        joined = {(names[each.source], names[each.target], each.predicate) for each in near.edges}
        assert (name, "Murat", "spouse") in joined
        assert len([each for each in joined if {name, "Murat"} == set(each[:2])]) == 1
    assert "Initech" in {each.name for each in (await memory.neighbourhood(name, hops=2)).entities}


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        *(("Mary Jane", each) for each in ("MARY  JANE", " mary\njane ", "Mary Jane's", "Mary Jane’s", "Mary, Jane")),
        *(("Анна", each) for each in ("Анна", "анна", "АННА")),
        ("Пётр", "Петр"),
    ],
)
async def test_a_person_has_one_name_in_any_case(memory: Memory, name: str, spelled: str) -> None:
    """Ё and е are the same letter."""
    await memory.observe("user", "Привет.", speaker=name)
    await memory.observe("user", "Пока.", speaker=spelled)
    profile = await memory.entity(spelled)
    assert (profile.name, profile.mentions) == (name, 2)


@pytest.mark.parametrize(
    "question", ["О ком рассказывала Анна?", "Кто видел Анну?", "Что подарить Анне?", "Кто живёт с Анной?"]
)
async def test_an_inflected_name_in_a_question_finds_the_person(memory: Memory, question: str) -> None:
    """The question and the statement share only the name, in different forms."""
    await memory.observe("user", "Привет.", speaker="Анна")
    known = await memory.remember("Аллергия на орехи.", subject="Анна")
    hits = {hit.id: hit for hit in await memory.search(question)}
    assert "entity" in hits[known].legs


@pytest.mark.parametrize(("name", "typed"), [("José", "Jose"), ("Zoë Müller", "zoe muller"), ("Jose", "José")])
async def test_a_person_is_found_without_the_accents_of_the_name(memory: Memory, name: str, typed: str) -> None:
    """Unless that could be two."""
    await memory.remember("Plays chess.", subject=name)
    assert (await memory.entity(typed)).name == name
    await memory.remember("Plays go.", subject=name.replace("o", "ô"))
    with pytest.raises(UnknownEntity):
        await memory.entity(typed)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Катя", "Katya"),
        ("Катя", "katja"),
        ("Юрий", "Yuri"),
        ("Михаил Щукин", "Mikhail Shchukin"),
        ("Наталья", "Natalia"),
        ("Andrei", "Андрей"),
    ],
)
async def test_a_person_is_found_in_another_script(memory: Memory, name: str, typed: str) -> None:
    await memory.remember("Играет в шахматы.", subject=name)
    await memory.remember("Plays go.", subject="Jan")
    assert (await memory.entity(typed)).name == name
    with pytest.raises(UnknownEntity):
        await memory.entity("Ian")


@pytest.mark.parametrize("name", ["Zoe", "", "   ", "%", "Ann Smith", "🙂", "'", "\x00", "\ud800"])
async def test_an_unknown_name_is_named(memory: Memory, name: str) -> None:
    await memory.observe("user", "Hello.", speaker="Ann")
    with pytest.raises(UnknownEntity) as refused:
        await memory.entity(name)
    assert refused.value.details["name"] == name.replace("\ud800", "\N{REPLACEMENT CHARACTER}")


async def test_an_entity_shows_only_current_facts(memory: Memory, clock: FakeClock) -> None:
    """Without superseded, forgotten and faded facts."""
    for content in ("Lives in Berlin.", "Lives in Porto."):
        await memory.remember(content, subject="Ann", on_similar="supersede", source="inferred")
    forgotten = await memory.remember("Has a cat.", subject="Ann")
    await memory.forget(forgotten)
    assert [fact.content for fact in (await memory.entity("Ann")).facts] == ["Lives in Porto."]
    clock.advance(days=400)
    assert (await memory.entity("Ann")).facts == ()


@pytest.mark.parametrize("visibility", ["project", "session"])
async def test_a_person_of_one_scope_is_unknown_in_another(memory: Memory, visibility: str) -> None:
    home = Scope("ann", "house", session_id="mon", visibility=visibility)  # type: ignore[arg-type]
    await memory.observe("user", "Hello.", speaker="Dr. Sorg", session="mon", scope=home)
    with pytest.raises(UnknownEntity):
        await memory.entity("Dr. Sorg", scope=Scope("ann", "garden", session_id="tue"))
