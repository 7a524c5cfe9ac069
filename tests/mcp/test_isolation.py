"""One user's actions change nothing that another user can read over MCP. Every tool, prompt, resource and completion of
every profile is called on a server that both have used, and on one that only knows the other user.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference, TextResourceContents

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_mcp.profiles import NAMES
from sandbox.extensions.memory_mcp.server import Who
from sandbox.testing import FakeClock
from tests.mcp.conftest import connected
from tests.twins import (
    END,
    HISTORY,
    NAME,
    NEW,
    SESSION,
    USERS,
    WORDS,
    Aim,
    Lived,
    aimed,
    aims,
    everything,
    lived,
    plain,
    without_ids,
)

Asked = Sequence[dict[str, Any]]
ONCE: Asked = ({},)
QUESTIONS: Asked = [{"query": word} for word in (*WORDS, "{id}")]
ENTITY = {"name": NAME, "entityType": "person", "observations": ["She lives in Oaxaca."]}
RELATION = {"from": NAME, "to": "Oaxaca", "relationType": "lives_in"}

READS: Mapping[str, Mapping[str, Asked]] = {
    "agent": {
        "recall_memories": [*QUESTIONS, *({**each, "scope": "project"} for each in QUESTIONS[:1])],
        "manage_memory": [{"action": "list"}, {"action": "forget_all"}],
    },
    "orchestrator": {
        "search_memory": [*QUESTIONS, {"query": "", "entity_name": "{name}"}],
        "get_entity_info": [{"name": "{name}"}],
        "memory_stats": ONCE,
        "explain_fact": [{"id": "{id}"}],
        "weak_facts": [{"limit": 50}],
    },
    "simple": {},
    "supervisor": {
        "memory.query": [
            {"agent": "planner", "top_k": 50, "return": "full", "budget_tokens": 8_000, **each}
            for each in (
                *QUESTIONS,
                {"query": NAME, "categories": ["episodic"]},
                {"query": NAME, "filters": {"user_id": "ann"}},
                {"query": NAME, "filters": {"run_id": SESSION}},
                {"query": NAME, "filters": {"context": f"of {NAME}"}},
            )
        ]
    },
    "builtin": {"memory_search": [{}, {"query": NAME}, {"query": "o"}, {"tag": "family"}]},
    "graph": {
        "read_graph": ONCE,
        "search_nodes": [{"query": "a"}, {"query": "{name}"}],
        "open_nodes": [{"names": ["{name}", "Wilhelmina"]}],
    },
}
WRITES: Mapping[str, Mapping[str, Asked]] = {
    "agent": {
        "save_memory": [
            {"content": NEW, "category": "fact", "source": "explicit"},
            {"content": f"{NAME} collects maps.", "category": "fact", "context": f"of {NAME}", "related_to": ["{id}"]},
            {"content": f"{NAME} sells maps.", "category": "fact", "related_to": ["{name}"]},
            {"content": f"The house of {NAME} is red.", "category": "convention", "scope": "project"},
        ],
        "manage_memory": [
            {"action": "update", "memory_id": "{id}", "updates": {"content": "Nothing is so."}},
            {"action": "update", "memory_id": "{id}", "updates": {"confidence": 0.5}},
            {"action": "delete", "memory_id": "{id}"},
        ],
    },
    "orchestrator": {
        "remember_fact": [{"content": f"{NAME} rows.", "subject": NAME}, {"content": f"{NAME} rows a boat."}],
        "correct_fact": [{"id": "{id}", "content": "Nothing is so."}],
        "confirm_fact": [{"id": "{id}"}],
        "forget_fact": [{"id": "{id}"}],
    },
    "simple": {
        "add_to_memory": [
            {"content": f"{NAME} paints.", "category": "person", "subject": NAME},
            {"content": f"{NAME} paints.", "category": "person"},
        ],
        "update_memory": [{"memory_id": "{id}", "content": "Nothing is so."}],
    },
    "supervisor": {},
    "builtin": {
        "memory_store": [{"text": f"{NAME} dives.", "tags": ["family"]}, {"text": f"{NAME} swims."}],
        "memory_delete": [{"id": "{id}"}, {"id": "m-1"}, {"id": "m-3"}],
    },
    "graph": {
        "create_entities": [{"entities": [ENTITY]}],
        "create_relations": [{"relations": [RELATION]}],
        "add_observations": [{"observations": [{"entityName": "{name}", "contents": ["She sings."]}]}],
        "delete_observations": [{"deletions": [{"entityName": NAME, "observations": ["She sings."]}]}],
        "delete_relations": [{"relations": [RELATION]}],
        "delete_entities": [{"entityNames": ["{name}"]}],
    },
}
LAST = {"agent": {"manage_memory": [{"action": "forget_all", "confirm": True}]}}

RESOURCES = ("memory://memory/{id}", "memory://entity/{name}")
TYPED = {"id": ("", "{id}"), "name": ("", NAME[:3], "{name}")}


async def answers(client: Client, asked: Mapping[str, Asked], aim: Aim) -> AsyncIterator[tuple[Any, Any]]:
    """Each call of a tool with its answer, without what differs between two equal files."""
    for tool, cases in asked.items():
        for each in cases:
            found = await client.call_tool(tool, aimed(each, aim))
            texts = [_read(str(getattr(part, "text", part))) for part in found.content]
            yield (tool, each), (found.is_error, plain(found.structured_content), texts)


def _aiming(asked: Mapping[str, Asked]) -> Mapping[str, Asked]:
    return {tool: [each for each in cases if "'{" in str(each)] for tool, cases in asked.items()}


def _read(text: str) -> Any:
    try:
        return plain(json.loads(text))
    except ValueError:
        return without_ids(text)


async def offered(client: Client, aim: Aim) -> AsyncIterator[tuple[Any, Any]]:
    """The same for the prompts, the resources and the completions."""
    for prompt in (await client.list_prompts()).prompts:
        for word in WORDS:
            given = {each.name: word for each in prompt.arguments or ()}
            yield prompt.name, without_ids(str(await client.get_prompt(prompt.name, given)))
    templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
    assert set(templates) == set(RESOURCES)
    fixed = [str(each.uri) for each in (await client.list_resources()).resources]
    for uri in (*fixed, *(each.format(**aim) for each in RESOURCES)):
        try:
            (found,) = (await client.read_resource(uri)).contents
            assert isinstance(found, TextResourceContents)
            yield uri, plain(json.loads(found.text))
        except MCPError as error:
            yield uri, without_ids(str(error))
    for template, (argument, typed) in zip(RESOURCES, TYPED.items(), strict=True):
        for each in typed:
            value = {"name": argument, "value": aimed(each, aim)}
            offer = (await client.complete(ResourceTemplateReference(uri=template), value)).completion
            yield (template, each), (plain(offer.values), offer.total)


async def test_no_answer_shows_an_effect_of_another_user() -> None:
    """Ann has used every tool before bob does, and has the same memories afterwards."""
    async with lived(HISTORY, USERS) as shared, lived(HISTORY, ("bob",)) as own:
        clock = FakeClock(END)
        await _used_by_ann(shared, clock)
        pairs = await aims(shared, own)
        before = await everything(shared[0])
        for profile in reversed(NAMES):
            for project in (None, "house"):
                await _compared(shared[0], own[0], clock, profile, Who("bob", project), pairs)
        assert await everything(shared[0]) == before


async def _used_by_ann(shared: Lived, clock: FakeClock) -> None:
    memory, told = shared
    aim = {"id": told["ann"][-1], "name": NAME}
    for profile in NAMES:
        async with connected(memory, clock, profile, who=Who("ann", "house")) as agent:
            assert [each async for each in answers(agent.client, WRITES[profile], aim)] or profile == "supervisor"


async def _compared(
    shared: Memory, own: Memory, clock: FakeClock, profile: str, who: Who, pairs: Sequence[tuple[Aim, Aim]]
) -> None:
    reads, writes, last = READS[profile], WRITES[profile], LAST.get(profile, {})
    async with AsyncExitStack() as stack:
        both, alone = [
            (await stack.enter_async_context(connected(each, clock, profile, who=who))).client for each in (shared, own)
        ]
        assert {each.name for each in (await both.list_tools()).tools} == {*reads, *writes}, "a new tool is asked, too"
        for asked in (reads, writes, reads, last):
            for number, (aim, same) in enumerate(pairs):
                cases = asked if number == 0 else _aiming(asked)
                there = [each async for each in answers(both, cases, aim)]
                assert there == [each async for each in answers(alone, cases, same)], (profile, who)
        for aim, same in pairs:
            there = [each async for each in offered(both, aim)]
            assert there == [each async for each in offered(alone, same)], (profile, who)
