"""The nine tools of the profile `orchestrator`, and what every profile shares."""

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_mcp.profiles import NAMES
from sandbox.testing import FakeClock
from tests.mcp.conftest import Connect

TOOLS = {
    "agent": ["save_memory", "recall_memories", "manage_memory"],
    "orchestrator": (
        "search_memory remember_fact correct_fact confirm_fact forget_fact"
        " get_entity_info memory_stats explain_fact weak_facts"
    ).split(),
    "simple": ["add_to_memory", "update_memory"],
    "supervisor": ["memory.query"],
    "builtin": ["memory_store", "memory_search", "memory_delete"],
    "graph": (
        "create_entities create_relations add_observations delete_entities delete_observations"
        " delete_relations read_graph search_nodes open_nodes"
    ).split(),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_tools_are_typed_and_described(connect: Connect, name: str, mode: Any) -> None:
    async with connect(name, mode=mode) as agent:
        tools = (await agent.client.list_tools()).tools
        assert [each.name for each in tools] == TOOLS[name]
        for tool in tools:
            assert tool.description
            assert tool.annotations
            assert tool.annotations.open_world_hint is False
            for schema in (tool.input_schema, tool.output_schema):
                assert schema
                assert schema["type"] == "object"
                assert "$ref" not in str(schema)
                assert "{'type': 'null'}" not in str(schema)
                jsonschema.Draft202012Validator.check_schema(schema)
            assert all(
                part.get("description") for part in tool.input_schema.get("properties", {}).values()
            ) or name in ("graph",)


@pytest.mark.parametrize("name", NAMES)
async def test_guidelines_are_a_prompt_and_the_instructions(connect: Connect, name: str) -> None:
    async with connect(name) as agent:
        prompts = (await agent.client.list_prompts()).prompts
        assert prompts[0].name == "memory_guidelines"
        prompt = await agent.client.get_prompt("memory_guidelines")
        assert prompt.messages[0].content.text == agent.client.instructions  # type: ignore[union-attr]


async def test_a_fact_passes_through_every_tool(connect: Connect, clock: FakeClock) -> None:
    """The client checks every answer against the schema of its tool."""
    async with connect("orchestrator") as agent:
        fact = await agent.call("remember_fact", content="Ann lives in Berlin.", subject="Ann", tags=["home"])
        id = fact["memory"]["id"]
        assert (await agent.call("search_memory", query="where does Ann live?"))["memories"][0]["id"] == id
        assert "on_similar" not in await agent.refused("remember_fact", content="Ann lives in Berlin now.")
        clock.advance(days=1)
        assert (await agent.call("correct_fact", id=id, content="Ann lives in Potsdam."))["memory"]["version"] == 2
        explained = await agent.call("explain_fact", id=id)
        assert [each["content"] for each in explained["earlier_versions"]] == ["Ann lives in Berlin."]
        assert (await agent.call("confirm_fact", id=id))["memory"]["confidence"] == 1.0
        assert (await agent.call("get_entity_info", name="Ann"))["facts"][0]["id"] == id
        assert (await agent.call("weak_facts"))["count"] == 0
        assert (await agent.call("memory_stats"))["memories"] == {"semantic": 1}
        assert (await agent.call("forget_fact", id=id))["forgotten"] == id
        assert (await agent.call("search_memory", query="where does Ann live?"))["count"] == 0


async def test_refusals_name_the_command_of_a_person(connect: Connect, memory: Memory) -> None:
    id = await memory.remember("The user likes tea.")
    await memory.forget(id)
    async with connect("orchestrator") as agent:
        told = await agent.refused("correct_fact", id=id, content="The user likes milk.")
        assert f"`memory restore {id}`" in told


async def test_lists_and_objects_may_come_as_texts_of_json_and_null_is_no_value(connect: Connect) -> None:
    """Some clients send them so."""
    fact = {"content": '["Bo"] is the name of the dog.', "category": "fact", "tags": '["pets", "home"]'}
    async with connect("orchestrator") as agent:
        saved = await agent.call("remember_fact", **fact, subject=None, event_time=None)
        assert saved["memory"]["tags"] == ["pets", "home"]
        assert saved["memory"]["content"] == fact["content"]
        assert "`tags` is wrong" in await agent.refused("remember_fact", **{**fact, "tags": "[" * 100_000})
        assert "`content` is missing" in await agent.refused("remember_fact", **{**fact, "content": None})
    async with connect("graph") as graph:
        alice = '[{"name": "Alice", "entityType": "person", "observations": ["likes tea"]}]'
        assert (await graph.call("create_entities", entities=alice))["entities"][0]["name"] == "Alice"
    async with connect("supervisor") as agent:
        assert (await agent.call("memory.query", agent="a", query="tea", filters='{"pinned": true}'))["count"] == 0


async def test_an_unknown_tool_is_a_protocol_error(connect: Connect) -> None:
    async with connect() as agent:
        with pytest.raises(Exception, match="There is no tool of that name"):
            await agent.client.call_tool("remember", {})
