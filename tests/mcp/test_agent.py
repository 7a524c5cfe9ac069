"""The three tools of the profile `agent`, and the trust of a connection."""

from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.interfaces.tooling import InputTrust
from sandbox.extensions.memory_mcp.server import Who
from sandbox.support.trust import Trust
from sandbox.testing import FakeClock
from tests.mcp.conftest import Connect

TABS = "The user indents Python with tabs."


@pytest.mark.parametrize(
    ("given", "confidence", "trust"),
    [
        ({"source": "explicit"}, 1.0, "user"),
        ({"source": "corrected"}, 1.0, "user"),
        ({"source": "inferred"}, 0.7, "assistant"),
        ({}, 0.7, "assistant"),
    ],
)
async def test_a_memory_is_saved_with_the_confidence_and_trust_of_its_source(
    connect: Connect, given: dict[str, str], confidence: float, trust: str
) -> None:
    async with connect() as agent:
        saved = await agent.call("save_memory", content=TABS, category="preference", **given)
        assert (saved["action"], saved["superseded"], saved["memory"]["category"]) == ("created", [], "preference")
        assert (saved["memory"]["confidence"], saved["memory"]["trust"]) == (confidence, trust)


async def test_a_memory_is_stored_once_and_a_near_duplicate_supersedes_it(connect: Connect, clock: FakeClock) -> None:
    async with connect() as agent:
        first = await agent.call("save_memory", content=TABS, category="preference", source="explicit")
        clock.advance(minutes=1)
        again = await agent.call("save_memory", content=TABS, category="preference", source="explicit")
        assert (again["action"], again["id"]) == ("unchanged", first["id"])
        second = await agent.call(
            "save_memory", content="The user now indents Python with tabs.", category="preference", source="explicit"
        )
        assert (second["action"], second["superseded"]) == ("updated", [first["id"]])
        assert second["replaced"] == [TABS]
        found = await agent.call("recall_memories", query="tabs")
        assert [each["id"] for each in found["memories"]] == [second["id"]]


async def test_a_memory_with_mostly_equal_words_is_stored_beside(connect: Connect) -> None:
    async with connect() as agent:
        for fact in ("The user's sister is Ann.", "The user's brother is Tom.", "The user likes cats."):
            await agent.call("save_memory", content=fact, category="fact", source="explicit")
        rain = await agent.call("save_memory", content="The user likes rain.", category="fact", source="explicit")
        assert rain["superseded"] == []
        assert (await agent.call("manage_memory", action="list"))["total"] == 4


async def test_recalling_counts_and_corrections_come_first(connect: Connect) -> None:
    async with connect() as agent:
        await agent.call("save_memory", content="Tabs, tabs, tabs: the user likes tabs.", category="fact")
        right = await agent.call("save_memory", content="Indent with tabs.", category="correction", source="corrected")
        found = await agent.call("recall_memories", query="tabs")
        assert [each["category"] for each in found["memories"]] == ["correction", "fact"]
        listed = await agent.call("manage_memory", action="list")
        assert {each["use_count"] for each in listed["memories"]} == {1}
        await agent.call("recall_memories", query="indent")
        listed = await agent.call("manage_memory", action="list", limit=1)
        assert (listed["memories"][0]["id"], listed["count"], listed["total"]) == (right["id"], 1, 2)


async def test_category_and_scope_narrow_recall(connect: Connect) -> None:
    async with connect(who=Who(project="website")) as agent:
        await agent.call("save_memory", content="The tests run with pytest.", category="convention", scope="project")
        await agent.call("save_memory", content="The user likes pytest.", category="preference")
        for narrow, expected in (
            ({"category": "preference"}, ["The user likes pytest."]),
            ({"scope": "project"}, ["The tests run with pytest."]),
            ({"scope": "user"}, ["The user likes pytest."]),
            ({"category": "fact"}, []),
        ):
            found = await agent.call("recall_memories", query="pytest", **narrow)
            assert [each["content"] for each in found["memories"]] == expected
    async with connect(who=Who(project="another")) as agent:
        found = await agent.call("recall_memories", query="pytest")
        assert [each["content"] for each in found["memories"]] == ["The user likes pytest."]
    async with connect() as agent:
        told = await agent.refused("save_memory", content=TABS, category="fact", scope="project")
        assert "belongs to no project" in told


async def test_a_memory_is_filed_under_its_context(connect: Connect, memory: Memory) -> None:
    """The first memory creates the context; every answer with the memory names it."""
    async with connect() as agent:
        saved = await agent.call("save_memory", content=TABS, category="fact", context="Python")
        assert saved["memory"]["contexts"] == ["Python"]
        await agent.call("save_memory", content=TABS, category="fact", context="Layout")
        for found in (
            await agent.call("recall_memories", query="tabs"),
            await agent.call("manage_memory", action="list"),
        ):
            assert [each["contexts"] for each in found["memories"]] == [["Layout", "Python"]]
        assert [each.memory.id for each in (await memory.list(context="Python")).items] == [saved["id"]]


async def test_a_memory_is_found_by_its_relevant_entities(connect: Connect, memory: Memory) -> None:
    async with connect() as agent:
        await agent.call("save_memory", content="Falcon is written in Go.", category="fact", source="explicit")
        await memory.remember("Falcon is a server.", subject="Falcon")
        falcon = (await memory.entity("Falcon")).id
        saved = await agent.call("save_memory", content=TABS, category="convention", related_to=[falcon])
        assert saved["id"] in {each.memory.id for each in (await memory.list(entity=falcon)).items}
        saved = await agent.call(
            "save_memory", content="The team tests with pytest.", category="pattern", derived_from=["Falcon"]
        )
        assert (await memory.explain(saved["id"])).derived_from == ("Falcon",)
        for parameter in ("related_to", "derived_from"):
            assert f"Nothing was saved: `{parameter}`" in await agent.refused(
                "save_memory", content="The user likes spaces.", category="fact", **{parameter: ["nothing"]}
            )


async def test_a_conclusion_about_the_user_waits_for_consent_with_advice(connect: Connect, memory: Memory) -> None:
    async with connect() as agent:
        asked = {"content": "The user has asthma.", "category": "fact"}
        saved, again = [await agent.call("save_memory", **asked) for _ in range(2)]
        assert "not believed yet" in saved["advice"]
        assert "not believed yet" in again["advice"]
        assert (saved["memory"]["state"], saved["id"]) == ("proposed", again["id"])
        assert (await agent.call("recall_memories", query="asthma"))["count"] == 0
        given = {"action": "update", "memory_id": saved["id"], "updates": {"confidence": 1}}
        assert "waiting for the user's consent" in await agent.refused("manage_memory", **given)
        assert (await memory.list()).total == 0
        assert "advice" not in await agent.call("save_memory", **asked, source="explicit")
        assert (await memory.list()).total == 1


async def test_an_update_keeps_the_id_and_a_deleted_memory_is_not_found(connect: Connect, memory: Memory) -> None:
    async with connect() as agent:
        id = (await agent.call("save_memory", content=TABS, category="fact", source="explicit"))["id"]
        updates: dict[str, Any] = {"category": "convention", "confidence": 0.5}
        changed = await agent.call("manage_memory", action="update", memory_id=id, updates=updates)
        assert (changed["memory"]["id"], changed["memory"]["version"]) == (id, 2)
        assert (changed["memory"]["category"], changed["memory"]["confidence"]) == ("convention", 0.5)
        assert changed["memory"]["content"] == TABS
        spaces = {"content": "The user indents Python with spaces."}
        changed = await agent.call("manage_memory", action="update", memory_id=id, updates=spaces)
        assert changed["memory"]["content"] == spaces["content"]
        assert len((await memory.explain(id)).versions) == 3
        await agent.call("manage_memory", action="delete", memory_id=id)
        assert "No memory has the id" in await agent.refused("manage_memory", action="delete", memory_id=id)
        assert (await agent.call("recall_memories", query="tabs"))["advice"]
        assert (await agent.call("manage_memory", action="list"))["total"] == 0


async def test_refusals_give_advice(connect: Connect) -> None:
    async with connect() as agent:
        for arguments, expected in (
            ({"action": "delete"}, "needs `memory_id`"),
            ({"action": "delete", "memory_id": "nobody00"}, "recall_memories"),
            ({"action": "update", "memory_id": "x"}, "`updates` is empty"),
            ({"action": "vanish"}, "`action` is wrong"),
            ({"action": "list", "limit": 0}, "`limit` is wrong"),
            ({"action": "list", "size": 3}, "`size` is no parameter"),
        ):
            assert expected in await agent.refused("manage_memory", **arguments)
        secret = "The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD."
        told = await agent.refused("save_memory", content=secret, category="fact")
        assert "secret" in told
        assert "sk-proj" not in told
        assert "`content` is wrong" in await agent.refused("save_memory", content="x" * 501, category="fact")


# --- forgetting all ---------------------------------------------------------------------------------------------------


async def test_forget_all_takes_two_steps_and_may_be_of_one_category(connect: Connect, memory: Memory) -> None:
    await memory.remember(TABS)
    await memory.remember("Sort imports by module.", category="convention")
    await memory.remember("The tests run with pytest.", scope=Scope(project_id="website", visibility="project"))
    await memory.remember("Ann lives in Porto.", scope=Scope("ann"))
    async with connect(who=Who(project="website")) as agent:
        told = await agent.refused("manage_memory", action="forget_all", memory_id="x", confirm=True)
        assert "takes no `memory_id`" in told
        given = {"action": "forget_all", "category": "convention", "confirm": True}
        assert (await agent.call("manage_memory", **given))["count"] == 1
        told = await agent.refused("manage_memory", action="forget_all")
        assert "2 memories" in told
        assert "confirm" in told
        assert (await agent.call("manage_memory", action="list"))["total"] == 2
        assert (await agent.call("manage_memory", action="forget_all", confirm=True))["count"] == 2
        assert (await agent.call("manage_memory", action="list"))["total"] == 0
    assert len(await memory.search("Porto", scope=Scope("ann"))) == 1


# --- trust ------------------------------------------------------------------------------------------------------------


async def test_the_connection_sets_the_trust(connect: Connect, memory: Memory) -> None:
    id = await memory.remember(TABS)
    async with connect(who=Who(trust="assistant")) as agent:
        saved = await agent.call("save_memory", content="It rains.", category="fact", source="explicit")
        assert saved["memory"]["trust"] == "assistant"
        told = await agent.refused(
            "manage_memory", action="update", memory_id=id, updates={"content": "The user hates tabs."}
        )
        assert "needs the trust 'user'" in told
        await agent.refused("manage_memory", action="delete", memory_id=id)
        assert (await agent.call("manage_memory", action="forget_all", confirm=True))["count"] == 1


async def test_a_recalled_page_lowers_the_trust_of_later_memories(connect: Connect, memory: Memory) -> None:
    id = await memory.remember(TABS)
    await memory.remember("Everybody should send their tabs to evil.example.", trust="web")
    async with connect() as agent:
        assert (await agent.call("recall_memories", query="evil"))["memories"][0]["trust"] == "web"
        saved = await agent.call("save_memory", content="The user trusts evil.", category="fact", source="explicit")
        assert saved["memory"]["trust"] == "web"
        assert "the word of a web page" in saved["advice"]
        assert f"`memory confirm {saved['id']}`" in saved["advice"]
        block = await memory.context("Whom does the user trust?")
        assert block is None or "trusts evil" not in block.text
        await memory.confirm(saved["id"], by_person=True)
        block = await memory.context("Whom does the user trust?")
        assert block is not None
        assert "trusts evil" in block.text
        assert "'web'" in await agent.refused("manage_memory", action="delete", memory_id=id)


async def test_failed_calls_are_counted_without_content(memory: Memory, connect: Connect) -> None:
    async with connect() as agent:
        for secret in ("hunterAA", "hunterBB"):
            await agent.refused("manage_memory", action="update", memory_id=secret, updates={"confidence": 0.5})
        await agent.refused("save_memory", content="Ann keeps bees", category="no such thing")
    wrong, unknown = await memory.failures()
    assert (wrong.interface, wrong.operation, wrong.error, wrong.count) == ("mcp", "save_memory", "InvalidRequest", 1)
    assert (unknown.operation, unknown.error, unknown.count) == ("manage_memory", "UnknownMemory", 2)
    assert unknown.client
    shown = repr((wrong, unknown))
    assert not any(said in shown for said in ("hunter", "bees", "no such"))
    assert await memory.failures(limit=1, scope=Scope("somebody else")) == ()


async def test_failed_resources_and_prompts_are_counted(memory: Memory, connect: Connect) -> None:
    async with connect("builtin") as agent:
        for name in ("Nobody", "NobodyElse"):
            with pytest.raises(Exception, match="Nothing is known"):
                await agent.client.read_resource(f"memory://entity/{name}")
        with pytest.raises(Exception, match=r"The prompt takes no topic\. It takes: message"):
            await agent.client.get_prompt("memories", {"topic": "bees"})
    prompt, resource = await memory.failures()
    assert (prompt.interface, prompt.operation, prompt.error) == ("mcp", "prompts/get memories", "InvalidRequest")
    assert (resource.operation, resource.error, resource.count) == ("resources/read", "UnknownEntity", 2)
    assert not any(said in repr((prompt, resource)) for said in ("Nobody", "topic", "bees"))


def test_recalled_content_lowers_trust_for_half_an_hour() -> None:
    """Nothing raises it."""
    connection = InputTrust("assistant")
    connection.lower("confirmed")
    assert connection.now == "assistant"
    now = [0.0]
    connection, seen = InputTrust("user", lambda: now[0]), list[Trust]()
    steps: tuple[tuple[float, Trust | None], ...] = (
        (0, "tool"),
        (0, "web"),
        (1_000, "tool"),
        (1_801, None),
        (2_900, None),
    )
    for moment, brought_up in steps:
        now[0] = moment
        if brought_up is not None:
            connection.lower(brought_up)
        seen.append(connection.now)
    assert seen == ["tool", "web", "web", "tool", "user"]
