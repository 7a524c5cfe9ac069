"""People and things, by any form of their name, with facts and turns, and memories whose words do not name them."""

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


TABS = "Indent with tabs."
MORE = "Indent with two tabs."


@pytest.fixture
async def id(memory: Memory) -> str:
    await memory.remember("Falcon is written in Go.", subject="Falcon")
    return await memory.remember(TABS, category="convention", relevant_to=["Falcon"])


LINKS = pytest.mark.parametrize("link", ["relevant_to", "derived_from"])


async def of(memory: Memory, name: str) -> set[str]:
    return {each.memory.content for each in (await memory.list(entity=name)).items}


@pytest.mark.usefixtures("id")
async def test_a_memory_is_found_by_its_relevant_entities(memory: Memory) -> None:
    await memory.remember("Drink water.")
    assert await of(memory, "Falcon") == {"Falcon is written in Go.", TABS}
    assert TABS in [hit.content for hit in await memory.search("tabs", entity="Falcon")]


@LINKS
async def test_a_correction_keeps_the_link(memory: Memory, link: str) -> None:
    await memory.remember("Falcon is written in Go.", subject="Falcon")
    id = await memory.remember(TABS, category="convention", **{link: ["Falcon"]})  # type: ignore[arg-type]  # any name
    await memory.correct(id, MORE)
    assert await of(memory, "Falcon") == {"Falcon is written in Go.", MORE}
    assert (await memory.explain(id)).derived_from == (("Falcon",) if link == "derived_from" else ())


async def test_a_repeated_statement_can_add_a_link(memory: Memory, id: str) -> None:
    await memory.remember("Heron is a library.", subject="Heron")
    assert await memory.remember(TABS, category="convention", relevant_to=["Heron"]) == id
    assert TABS in await of(memory, "Heron")
    assert TABS in await of(memory, "Falcon")


@LINKS
async def test_an_unknown_entity_is_refused_and_nothing_is_kept(memory: Memory, link: str) -> None:
    with pytest.raises(UnknownEntity, match="Osprey"):
        await memory.remember(TABS, **{link: ["Osprey"]})  # type: ignore[arg-type]  # any name
    assert not (await memory.list()).items


async def test_only_administrators_link_global_entities(memory: Memory) -> None:
    everybody = Scope(user_id="root", visibility="global", administrator=True)
    await memory.remember("Falcon is written in Go.", subject="Falcon", scope=everybody)
    with pytest.raises(UnknownEntity):
        await memory.remember(TABS, relevant_to=["Falcon"], scope=Scope(user_id="another"))


async def test_the_log_has_a_line_for_each_link_and_undo_takes_it_back(memory: Memory, id: str) -> None:
    await memory.remember("Heron is a library.", subject="Heron")
    heron = (await memory.entity("Heron")).id
    mentions = (await memory.entity("Heron")).mentions
    await memory.remember(TABS, category="convention", relevant_to=["Heron"], derived_from=["Heron"], contexts=["Go"])
    context = (await memory.contexts())[0].id
    lines = [each for each in await memory.changes() if each.event == "linked"][1:]
    assert [(each.id, dict(each.detail)) for each in lines] == [
        (id, {"relation": "relevant_to", "to": heron}),
        (id, {"relation": "derived_from", "to": heron}),
        (id, {"relation": "belongs_to", "to": context}),
    ]
    for line in lines:
        report = await memory.undo(line.seq)
        assert [(each.outcome, each.id) for each in report.steps] == [("unlinked", id)]
    explained = await memory.explain(id)
    assert (explained.derived_from, explained.contexts) == ((), ())
    assert TABS not in await of(memory, "Heron")
    assert TABS in await of(memory, "Falcon")
    assert (await memory.entity("Heron")).mentions == mentions
    undone = [each for each in await memory.changes() if each.event == "unlinked"][1]
    assert [each.outcome for each in (await memory.undo(undone.seq)).steps] == ["linked"]
    assert (await memory.explain(id)).derived_from == ("Heron",)


async def test_undo_keeps_the_links_of_merged_memories(memory: Memory, id: str) -> None:
    await memory.remember("Heron is a library.", subject="Heron")
    linked = (await memory.changes())[2]
    assert (linked.event, linked.id) == ("linked", id)
    await memory.merge_entities("Falcon", "Heron")
    assert [each.outcome for each in (await memory.undo(linked.seq)).steps] == ["kept"]
    assert TABS in await of(memory, "Heron")


async def test_links_are_erased(memory: Memory) -> None:
    falcon = await memory.remember("Falcon is written in Go.", subject="Falcon")
    id = await memory.remember(TABS, category="convention", derived_from=["Falcon"])
    await memory.erase(falcon)
    assert (await memory.explain(id)).derived_from == ()
    await memory.remember("Falcon is written in Go.", subject="Falcon")
    other_id = await memory.remember("Lint before a commit.", derived_from=["Falcon"])
    await memory.erase(subject="Falcon")
    assert other_id not in {each.memory.id for each in (await memory.list()).items}
