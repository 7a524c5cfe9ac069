"""Links from a memory to entities that its words do not name: those it helps with, and those it was concluded from."""

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownEntity

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
    id = await memory.remember(TABS, category="convention", **{link: ["Falcon"]})  # type: ignore[arg-type]
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
        await memory.remember(TABS, **{link: ["Osprey"]})  # type: ignore[arg-type]
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
