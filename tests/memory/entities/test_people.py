"""Who is who in conversations: two Annas stay two, and several names of one person become one."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import InvalidArgument, NotMerged, UnknownEntity
from sandbox.extensions.memory.text.names import Mention
from tests.memory.entities.conftest import Mentioned
from tests.memory.store import raw

SISTER, PETROVNA = Mention("Anna (sister)", "person"), Mention("Anna Petrovna", "person")
ROBERT = Mention("Robert Meyer", "person", ("Bob",))


async def facts(memory: Memory, name: str) -> set[str]:
    return {fact.content for fact in (await memory.entity(name)).facts}


def graph(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything about entities, without the log of merges."""
    return {
        table: raw.query(folder, f"SELECT * FROM {table} ORDER BY 1, 2, 3")
        for table in ("entities", "entity_names", "node_entities")
    }


async def test_two_persons_named_anna_stay_two(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: My sister Anna painted a kitchen in Porto. Anna Petrovna, our accountant, lives in Moscow.
    user: Anna called.
    """
    await mentioned(await memory.remember("The user's sister Anna painted a kitchen in Porto."), SISTER)
    await mentioned(await memory.remember("Anna Petrovna lives in Moscow."), PETROVNA)
    await mentioned(await memory.remember("Anna called the user."), Mention("Anna", "person"))
    assert await facts(memory, "Anna (sister)") == {"The user's sister Anna painted a kitchen in Porto."}
    assert await facts(memory, "Anna Petrovna") == {"Anna Petrovna lives in Moscow."}
    doubtful = await memory.entity("Anna")
    assert [fact.content for fact in doubtful.facts] == ["Anna called the user."]
    assert set(doubtful.namesakes.values()) == {"Anna (sister)", "Anna Petrovna"}
    assert [(await memory.entity(id)).name for id in doubtful.namesakes] == list(doubtful.namesakes.values())


async def test_a_name_means_its_only_bearer(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: Anna Petrovna is our accountant.
    user: Anna called.
    later: Anna Ivanova is new here.    Anna sings.
    """
    await mentioned(await memory.remember("Anna Petrovna is an accountant."), PETROVNA)
    await mentioned(await memory.remember("Anna called the user."), Mention("Anna", "person"))
    assert (await memory.entity("Anna")).name == "Anna Petrovna"
    await mentioned(await memory.remember("Anna Ivanova is new."), Mention("Anna Ivanova", "person"))
    await mentioned(await memory.remember("Somebody called Anna sings."), Mention("Anna", "person"))
    assert await facts(memory, "Anna Petrovna") == {"Anna Petrovna is an accountant.", "Anna called the user."}
    assert await facts(memory, "Anna") == {"Somebody called Anna sings."}


async def test_a_told_nickname_means_the_person(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: Bob, short for Robert, is my boss.
    user: Bob is ill.
    """
    await mentioned(await memory.remember("Robert Meyer is the user's boss."), ROBERT)
    await memory.remember("He is ill.", subject="Bob")
    profile = await memory.entity("bob")
    assert (profile.name, profile.aliases) == ("Robert Meyer", ("Bob",))
    assert {fact.content for fact in profile.facts} == {"Robert Meyer is the user's boss.", "He is ill."}


async def test_an_alias_learnt_late_joins_two(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: Bob is ill.    Robert Meyer is my boss.
    user: Robert Meyer is Bob, by the way.
    """
    await memory.remember("He is ill.", subject="Bob")
    await mentioned(await memory.remember("Is the user's boss."), Mention("Robert Meyer", "person"))
    assert await facts(memory, "Bob") == {"He is ill."}
    told = await memory.remember("Robert Meyer is called Bob.")
    await mentioned(told, ROBERT)
    profile = await memory.entity("Bob")
    assert (profile.name, profile.type, profile.merged) == ("Robert Meyer", "person", ("Bob",))
    assert (profile.mentions, len(profile.facts)) == (3, 3)
    assert (await memory.explain(told)).entities == ("Robert Meyer",)
    found = await memory.search("Who is Bob?", entity="Bob")
    assert {hit.content for hit in found} == {"He is ill.", "Is the user's boss.", "Robert Meyer is called Bob."}


async def test_two_sisters_stay_two(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: My sister Anna sings.    My sister Maria paints.
    """
    for name, what in (("Anna", "Sings."), ("Maria", "Paints.")):
        await mentioned(await memory.remember(what), Mention(name, "person", ("the user's sister",)))
    assert (await facts(memory, "Anna"), await facts(memory, "Maria")) == ({"Sings."}, {"Paints."})


async def test_a_named_sister_is_the_same_sister(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: My sister sings.    My sister Anna paints.
    """
    await mentioned(await memory.remember("Sings."), Mention("the user's sister", "person"))
    await mentioned(await memory.remember("Paints."), Mention("Anna", "person", ("the user's sister",)))
    assert await facts(memory, "Anna") == {"Sings.", "Paints."}


async def test_a_late_name_joins_two_entities(memory: Memory, mentioned: Mentioned) -> None:
    """
    user: Max is my neighbour.    Max is short for Maximilian.
    """
    await memory.remember("Is the user's neighbour.", subject="Max")
    await mentioned(await memory.remember("Is called Max."), Mention("Maximilian", "person", ("Max",)))
    profile = await memory.entity("Maximilian")
    assert (profile.name, profile.type, profile.aliases) == ("Max", "person", ("Maximilian",))


async def test_a_speaker_and_an_addressee_stay_two(memory: Memory, mentioned: Mentioned) -> None:
    await memory.observe("user", "Hello Anna.", speaker="Max", session="s")
    await memory.observe("user", "Call me Max, everybody does.", speaker="Anna", session="s")
    await mentioned(await memory.remember("Anna is called Max."), Mention("Anna", "person", ("Max",)))
    assert (await memory.entity("Anna")).merged == ()
    assert (await memory.entity("Max")).name == "Max"


async def test_an_entity_can_get_its_type_later(memory: Memory, mentioned: Mentioned) -> None:
    """The subject of a statement has no type until a later one gives it."""
    id = await memory.remember("Is used for queues.", subject="Redis")
    assert (await memory.entity("redis")).type == "concept"
    await mentioned(id, Mention("Redis", "tool"))
    await mentioned(id, Mention("redis", "project"), Mention("Redis"))
    assert ((await memory.entity("redis")).type, (await memory.entity("redis")).mentions) == ("tool", 1)
    await mentioned(id, Mention("Redis", "person"))
    assert (await memory.statistics()).entities == 2


@pytest.mark.parametrize("visibility", ["user", "project", "session"])
async def test_persons_are_separate_by_scope(memory: Memory, visibility: str) -> None:
    """A person in one home is no person of another, and no merge crosses homes."""
    home = Scope("ann", "house", session_id="mon", visibility=visibility)  # type: ignore[arg-type]
    await memory.remember("Is ill.", subject="Bob", scope=home)
    other = Scope("bob")
    await memory.remember("Is well.", subject="Bob", scope=other)
    assert {fact.content for fact in (await memory.entity("Bob", scope=other)).facts} == {"Is well."}
    wide = Scope("ann", "house", session_id="mon")
    await memory.remember("Is the boss.", subject="Robert", scope=wide)
    if visibility == "user":
        await memory.merge_entities("Bob", "Robert", scope=wide)
    else:
        with pytest.raises(InvalidArgument):
            await memory.merge_entities("Bob", "Robert", scope=wide)


# --- merging and splitting --------------------------------------------------------------------------------------------


async def test_a_split_restores_both_exactly(memory: Memory, mentioned: Mentioned, tmp_path: Path) -> None:
    """One memory links both in the same role; each has names of its own; one of them gives the type."""
    await memory.observe("user", "I am ill.", speaker="Bob", session="s")
    both = await memory.remember("Bob and Robert Meyer.", subject="Bob")
    await mentioned(both, Mention("Bob", "person", ("Bobby", "B.")), Mention("Robert Meyer", "concept", ("Rob",)))
    await memory.remember("Is the user's boss.", subject="Robert Meyer")
    before = graph(tmp_path / "memory")
    await memory.merge_entities("Bobby", "Robert Meyer")
    merged = await memory.entity("B.")
    assert (merged.name, merged.type, merged.mentions) == ("Robert Meyer", "person", 3)
    assert merged.aliases == ("B.", "Bob", "Bobby", "Rob")
    assert graph(tmp_path / "memory") != before
    await memory.split_entity("Robert Meyer")
    assert graph(tmp_path / "memory") == before
    assert (await memory.entity("Robert Meyer")).merged == ()


async def test_several_merges_are_undone_one_by_one(memory: Memory, tmp_path: Path) -> None:
    for name in ("Bob", "Robert", "Rob", "Bert"):
        await memory.remember(f"{name} was mentioned.", subject=name)
    states = [graph(tmp_path / "memory")]
    for name, into in (("Bert", "Bob"), ("Bob", "Robert"), ("Rob", "Robert")):
        await memory.merge_entities(name, into)
        states.append(graph(tmp_path / "memory"))
    assert (await memory.entity("Bert")).merged == ("Bob", "Rob")
    for name in ("Robert", "Robert", "Bob"):
        states.pop()
        await memory.split_entity(name)
        assert graph(tmp_path / "memory") == states[-1]
    with pytest.raises(NotMerged):
        await memory.split_entity("Bob")


async def test_knowledge_since_a_merge_survives_the_split(memory: Memory) -> None:
    """After the merge "Bob" means Robert; after the split it means Bob again, and newer knowledge stays."""
    await memory.remember("Is ill.", subject="Bob")
    await memory.remember("Is the boss.", subject="Robert")
    await memory.merge_entities("Bob", "Robert")
    await memory.remember("Has a dog.", subject="Bob")
    await memory.split_entity("Robert")
    assert await facts(memory, "Bob") == {"Is ill."}
    assert await facts(memory, "Robert") == {"Is the boss.", "Has a dog."}
    assert ((await memory.entity("Bob")).mentions, (await memory.entity("Robert")).mentions) == (1, 2)


async def test_learning_does_not_merge_split_entities_again(memory: Memory, mentioned: Mentioned) -> None:
    for name in ("Bob", "Robert Meyer"):
        await memory.remember(f"{name} was mentioned.", subject=name)
    told = await memory.remember("Robert Meyer is called Bob.")
    await mentioned(told, ROBERT)
    await memory.split_entity("Robert Meyer")
    await mentioned(told, ROBERT)
    assert (await memory.entity("Robert Meyer")).merged == ()
    await memory.merge_entities("Bob", "Robert Meyer")
    assert (await memory.entity("Robert Meyer")).merged == ("Bob",)


async def test_a_summary_of_both_goes_with_the_split(memory: Memory, tmp_path: Path) -> None:
    for name in ("Bob", "Robert"):
        await memory.remember(f"{name} was mentioned.", subject=name)
    raw.query(tmp_path / "memory", "UPDATE entities SET summary = 'Of ' || name RETURNING id")
    await memory.merge_entities("Bob", "Robert")
    await memory.split_entity("Robert")
    assert [(await memory.entity(name)).summary for name in ("Bob", "Robert")] == ["Of Bob", "Of Robert"]
    await memory.merge_entities("Bob", "Robert")
    raw.query(tmp_path / "memory", "UPDATE entities SET summary = 'Of both' WHERE name = 'Robert' RETURNING id")
    await memory.split_entity("Robert")
    assert [(await memory.entity(name)).summary for name in ("Bob", "Robert")] == ["Of Bob", None]


async def test_merges_and_splits_are_logged(memory: Memory, tmp_path: Path) -> None:
    """It names merged and split entities by ids, never by names."""
    scope = Scope(actor_id="ann")
    for name in ("Bob", "Robert"):
        await memory.remember(f"{name} was mentioned.", subject=name)
    bob, robert = [(await memory.entity(name)).id for name in ("Bob", "Robert")]
    await memory.merge_entities(bob, robert, scope=scope)
    await memory.split_entity(robert, scope=scope)
    detail = f'{{"entity": "{bob}", "into": "{robert}"}}'
    assert raw.query(
        tmp_path / "memory", "SELECT event, actor, detail FROM changes WHERE event LIKE 'entity%' ORDER BY seq"
    ) == [("entity_merged", "ann", detail), ("entity_split", "ann", detail)]


async def test_unknown_and_equal_entities_cannot_be_merged(memory: Memory) -> None:
    await memory.remember("Is ill.", subject="Bob")
    for one, other in (("Zoe", "Bob"), ("Bob", "Zoe")):
        with pytest.raises(UnknownEntity):
            await memory.merge_entities(one, other)
    with pytest.raises(UnknownEntity):
        await memory.split_entity("Zoe")
    with pytest.raises(InvalidArgument):
        await memory.merge_entities("Bob", "bob")
    with pytest.raises(NotMerged):
        await memory.split_entity("Bob")
