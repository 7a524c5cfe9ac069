"""Learnt knowledge is visible where it was said, and nowhere else, whatever the names of sessions, keys and
people are.
"""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import InvalidArgument, UnknownEntity, UnknownMemory, UnknownSession
from tests.memory.hits import counted
from tests.memory.learning.scripts import item, learns, named, scripted

ANN = Scope("ann")
A, B = Scope("ann", "a", visibility="project"), Scope("ann", "b", visibility="project")
PRIVATE = Scope("ann", session_id="s", visibility="session")


async def facts(memory: Memory, scope: Scope) -> list[str]:
    return sorted(hit.content for hit in await memory.search("live", types=["semantic"], reinforce=False, scope=scope))


async def test_facts_belong_to_the_scope_of_their_turn(memory: Memory) -> None:
    for scope, city in ((A, "Oslo"), (B, "Lima"), (ANN, "Rome"), (PRIVATE, "Kyiv")):
        await memory.observe("user", f"I live in {city}.", session="s", scope=scope)
    for scope in (A, B, ANN):
        await memory.consolidate("s", scope=scope)
    assert await facts(memory, A) == ["The user lives in Oslo.", "The user lives in Rome."]
    assert await facts(memory, B) == ["The user lives in Lima.", "The user lives in Rome."]
    assert await facts(memory, ANN) == ["The user lives in Rome."]
    assert await facts(memory, PRIVATE) == ["The user lives in Kyiv.", "The user lives in Rome."]


async def test_a_report_has_only_visible_memories(memory: Memory) -> None:
    """It still learns from all sessions of the user."""
    await memory.observe("user", "I live in Oslo.", session="s", scope=A)
    await memory.observe("user", "I live in Rome.", session="s", scope=ANN)
    report = await memory.consolidate(scope=B)
    assert [each.content for each in report.learnt] == ["The user lives in Rome."]
    assert await facts(memory, A) == ["The user lives in Oslo.", "The user lives in Rome."]
    with pytest.raises(UnknownSession):
        await memory.consolidate("s", scope=B)


@pytest.mark.parametrize("one", [A, ANN, PRIVATE])
async def test_keys_are_separate_by_project(memory: Memory, one: Scope) -> None:
    """Or of the private conversation."""
    first = await memory.observe("user", "Oslo.", session="s", key="1", scope=one)
    second = await memory.observe("user", "Lima.", session="s", key="1", scope=B)
    assert first != second
    assert (await memory.explain(second, scope=B)).memory.content == "Lima."
    assert await memory.observe("user", "Oslo.", session="s", key="1", scope=one) == first
    known = await memory.remember("Ann likes Oslo.", key="1", scope=one)
    assert await memory.remember("Ann likes Lima.", key="1", scope=B) != known
    ids = await memory.observe_many([Message("user", "Oslo.", "s", key="1")], scope=Scope("ann", "c"))
    assert ids not in ([first], [second])


async def test_a_session_of_another_project_cannot_be_erased(memory: Memory) -> None:
    turn = await memory.observe("user", "I live in Oslo.", session="s", scope=A)
    await memory.consolidate("s", scope=A)
    for scope in (B, ANN, Scope("bob", "a", visibility="project")):
        assert counted(await memory.erase(session="s", scope=scope)) == (0, 0, 0)
        await memory.end_session("s", scope=scope)
    assert (await memory.statistics(scope=A)).sessions_ended == 0
    assert (await memory.explain(turn, scope=A)).memory.content == "I live in Oslo."
    assert counted(await memory.erase(session="s", scope=A)) == (1, 1, 0)


async def test_an_erased_key_is_refused_in_its_project_alone(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "I live in Oslo.", "key": "1", "session": "s"}\n')
    await memory.import_file(file, scope=A)
    await memory.erase(session="s", scope=A)
    assert (await memory.import_file(file, scope=A)).erased == 1
    assert (await memory.import_file(file, scope=B)).new == 1


async def test_a_fact_from_a_private_turn_is_private(memory: Memory) -> None:
    turn = await memory.observe("user", "My doctor is Vera.", session="s", scope=PRIVATE)
    within = Scope("ann", session_id="s")
    fact = await memory.remember("The user's doctor is Vera.", rests_on=[turn], scope=within)
    with pytest.raises(UnknownMemory):
        await memory.explain(fact, scope=ANN)
    known = await memory.remember("The user's doctor is Olga.", scope=ANN)
    with pytest.raises(InvalidArgument, match="do not see it"):
        await memory.correct(known, "The user's doctor is Vera.", rests_on=[turn], scope=within)


async def test_a_name_told_in_private_stays_private(folder: Path) -> None:
    """For a person who is known everywhere."""
    model = scripted(
        learns(item("Vera plays chess.", 1), entities=[named("Vera")]),
        learns(item("Vera, called Xanthippa, sings.", 1), entities=[named("Vera", "Xanthippa")]),
    )
    async with Memory.open(folder, embedder=None, model=model) as memory:
        await memory.observe("user", "My sister Vera plays chess.", session="open", speaker="Ann", scope=ANN)
        await memory.consolidate("open", scope=ANN)
        before = await memory.entity("Vera", scope=ANN)
        await memory.observe("user", "My sister Vera, called Xanthippa, sings.", session="s", scope=PRIVATE)
        await memory.consolidate("s", scope=ANN)
        vera = await memory.entity("Vera", scope=ANN)
        assert ("Xanthippa" in vera.aliases, vera.mentions) == (False, before.mentions)
        with pytest.raises(UnknownEntity):
            await memory.entity("Xanthippa", scope=ANN)
        assert (await memory.entity("Vera", scope=Scope("ann", session_id="s"))).mentions == before.mentions + 2


async def test_counts_include_only_visible_memories(memory: Memory) -> None:
    await memory.observe("user", "I met Zoe in Oslo.", session="s", speaker="Ann", scope=A)
    await memory.consolidate("s", scope=A)
    seen = await memory.statistics(scope=B)
    assert (dict(seen.nodes), seen.entities, seen.sessions, seen.orphan_nodes) == ({}, 0, 0, 0)
    assert (await memory.statistics(scope=A)).sessions == 1
