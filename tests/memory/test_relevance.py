"""What a memory helps with: its links to entities that its words do not name."""

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownEntity

TABS = "Indent with tabs."
MORE = "Indent with two tabs."


@pytest.fixture
async def id(memory: Memory) -> str:
    await memory.remember("Falcon is written in Go.", subject="Falcon")
    return await memory.remember(TABS, category="convention", relevant_to=["Falcon"])


FALCON = pytest.mark.usefixtures("id")


async def of(memory: Memory, name: str) -> set[str]:
    return {each.memory.content for each in (await memory.list(entity=name)).items}


@FALCON
async def test_a_memory_is_found_by_what_it_is_relevant_to(memory: Memory) -> None:
    await memory.remember("Drink water.")
    assert await of(memory, "Falcon") == {"Falcon is written in Go.", TABS}
    assert TABS in [hit.content for hit in await memory.search("tabs", entity="Falcon")]


@FALCON
async def test_an_id_means_the_entity_as_its_name_does(memory: Memory) -> None:
    falcon = (await memory.entity("Falcon")).id
    await memory.remember("Lint before a commit.", relevant_to=[falcon])
    assert "Lint before a commit." in await of(memory, "Falcon")


async def test_a_correction_keeps_the_link(memory: Memory, id: str) -> None:
    await memory.correct(id, MORE)
    assert await of(memory, "Falcon") == {"Falcon is written in Go.", MORE}


async def test_the_same_said_again_adds_a_link(memory: Memory, id: str) -> None:
    await memory.remember("Heron is a library.", subject="Heron")
    assert await memory.remember(TABS, category="convention", relevant_to=["Heron"]) == id
    assert TABS in await of(memory, "Heron")
    assert TABS in await of(memory, "Falcon")


@FALCON
async def test_a_merge_takes_the_links_along(memory: Memory) -> None:
    await memory.remember("Heron is a library.", subject="Heron")
    await memory.merge_entities("Falcon", "Heron")
    assert TABS in await of(memory, "Heron")


async def test_an_unknown_entity_is_refused_and_nothing_is_kept(memory: Memory) -> None:
    with pytest.raises(UnknownEntity, match="Osprey"):
        await memory.remember(TABS, relevant_to=["Osprey"])
    assert not (await memory.list()).items


@FALCON
async def test_the_entity_of_another_user_is_unknown(memory: Memory) -> None:
    falcon = (await memory.entity("Falcon")).id
    for name in ("Falcon", falcon):
        with pytest.raises(UnknownEntity):
            await memory.remember(TABS, relevant_to=[name], scope=Scope(user_id="another"))


async def test_a_global_entity_is_not_linked_by_others(memory: Memory) -> None:
    everybody = Scope(user_id="root", visibility="global", administrator=True)
    await memory.remember("Falcon is written in Go.", subject="Falcon", scope=everybody)
    with pytest.raises(UnknownEntity):
        await memory.remember(TABS, relevant_to=["Falcon"], scope=Scope(user_id="another"))
