"""The log: every write has its line, with its author, its interface and its session."""

from pathlib import Path

from sandbox.extensions.memory import Memory, Scope
from sandbox.testing import FakeClock

ANN = Scope(actor_id="ann", session_id="s-7")


async def test_a_line_names_actor_interface_session_and_reason(folder: Path, clock: FakeClock) -> None:
    """The statistics count the lines of a user."""
    async with Memory.open(folder, embedder=None, clock=clock, interface="mcp") as memory:
        await memory.remember("Ann lives in Berlin.", subject="Ann", scope=ANN)
        clock.advance(days=1)
        await memory.remember("Ann lives in Potsdam.", subject="Ann", scope=ANN)
        lines = await memory.changes()
        await memory.remember("Cleo sings.", scope=Scope("cleo"))
        assert (await memory.statistics()).writes == {"mcp.created": 2, "mcp.superseded": 1, "mcp.linked": 1}
    assert {(each.actor, each.interface, each.session) for each in lines} == {("ann", "mcp", "s-7")}
    assert [each.event for each in lines] == ["created", "created", "superseded", "linked"]
    assert lines[2].reason
    assert len({each.batch for each in lines[1:]}) == 1
    assert lines[0].batch != lines[1].batch


async def test_links_and_unlinks_have_their_lines(memory: Memory, clock: FakeClock) -> None:
    """Every link between memories and its removal, except that a turn follows another."""
    turn = await memory.observe("user", "I moved to Berlin.", session="s")
    await memory.observe("user", "It is fine here.", session="s")
    berlin = await memory.remember("I live in Berlin.", rests_on=[turn])
    clock.advance(days=1)
    potsdam = await memory.remember("I live in Potsdam.")
    await memory.restore(berlin)
    joined = [each for each in await memory.changes() if each.event.endswith("linked")]
    assert [(each.event, each.id, each.detail["relation"], each.detail["to"]) for each in joined] == [
        ("linked", berlin, "derived_from", turn),
        ("linked", potsdam, "supersedes", berlin),
        ("unlinked", potsdam, "supersedes", berlin),
    ]


async def test_no_line_shows_a_row_number(memory: Memory) -> None:
    """Links and merges are named by public ids."""
    turn = await memory.observe("user", "I moved to Berlin.", session="s")
    one = await memory.remember("I live in Berlin.", subject="Ann", rests_on=[turn])
    other = await memory.remember("My home is Berlin.")
    await memory.merge(one, into=other)
    told = {each.event: each.detail for each in await memory.changes()}
    assert told["linked"] == {
        **{"relation": "derived_from", "predicate": "", "strength": 1.0, "confidence": 1.0, "evidence": "[]"},
        "to": turn,
    }
    assert told["merged"] == {"into": other, "tags": 0, "importance": 2, "pinned": 0}


async def test_the_night_is_an_interface_of_its_own(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=2000)
    await memory.maintain()
    assert [(each.event, each.interface) for each in await memory.changes()] == [
        ("created", "library"),
        ("pruned", "night"),
    ]


async def test_an_erased_memory_is_logged_by_its_id(memory: Memory) -> None:
    """A follower sees that it is gone; for another project, only a follower of that project."""
    shop = Scope(project_id="shop", visibility="project")
    turn = await memory.observe("user", "I moved to Berlin.", session="s")
    inside = await memory.observe("user", "The shop opens at nine.", session="s", scope=shop)
    await memory.erase(session="s")
    await memory.erase(session="s", scope=shop)
    erased = [each.id for each in await memory.changes() if each.event == "erased"]
    assert erased == [turn]
    assert [each.id for each in await memory.changes(scope=shop) if each.event == "erased"] == [turn, inside]
    assert "erased" not in {each.event for each in await memory.changes(scope=Scope("cleo"))}


async def test_the_whole_log_of_a_user_has_every_project_and_private_conversation(memory: Memory) -> None:
    scopes = [
        Scope("ann"),
        Scope("ann", project_id="shop", visibility="project"),
        Scope("ann", session_id="s", visibility="session"),
    ]
    ids = [await memory.remember(f"Number {place}", scope=scope) for place, scope in enumerate(scopes)]
    await memory.remember("Cleo likes tea", scope=Scope("cleo"))
    assert [each.id for each in await memory.changes(scope=Scope("ann"))] == ids[:1]
    assert [each.id for each in await memory.changes(whole=True, scope=Scope("ann"))] == ids
