"""Resources that clients read, and completions."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from mcp_types import ResourceTemplateReference

from sandbox.extensions.memory import Memory, Scope
from tests.mcp.conftest import Connect, Talking


async def read(agent: Talking, uri: str) -> Any:
    (found,) = (await agent.client.read_resource(uri)).contents
    assert found.mime_type == "application/json"
    return json.loads(found.text)  # type: ignore[union-attr]


async def test_resources_are_listed_and_read(connect: Connect, memory: Memory) -> None:
    id = await memory.remember("Ann Lee lives in Porto.", subject="Ann Lee")
    await memory.remember("The user is called Bo.")
    async with connect() as agent:
        listed = (await agent.client.list_resources()).resources
        assert [str(each.uri) for each in listed] == ["memory://profile", "memory://stats", "memory://knowledge-graph"]
        templates = (await agent.client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["memory://memory/{id}", "memory://entity/{name}"]
        assert (await read(agent, "memory://stats"))["memories"] == {"semantic": 2}
        assert "Bo" in str(await read(agent, "memory://profile"))
        assert (await read(agent, f"memory://memory/{id}"))["memory"]["content"] == "Ann Lee lives in Porto."
        assert (await read(agent, f"memory://entity/{quote('Ann Lee')}"))["name"] == "Ann Lee"
        assert await read(agent, "memory://knowledge-graph") == {"entities": [], "relations": []}


async def test_a_missing_or_forgotten_resource_is_an_error(connect: Connect, memory: Memory) -> None:
    id = await memory.remember("The user likes tea.")
    await memory.forget(id)
    missing = (
        f"memory://memory/{id}",
        "memory://memory/nobody00",
        "memory://entity/Nobody",
        "memory://what",
        "file:///etc",
    )
    async with connect() as agent:
        for uri in missing:
            with pytest.raises(Exception, match=r"No memory has the id|Nothing is known|cannot be used"):
                await agent.client.read_resource(uri)


async def test_names_and_ids_are_completed(connect: Connect, memory: Memory) -> None:
    id = await memory.remember("Ann lives in Porto.", subject="Ann")
    await memory.remember("Anton lives in Rome.", subject="Anton", scope=Scope("somebody"))

    async def completed(agent: Talking, template: str, argument: str, typed: str) -> list[str]:
        ref = ResourceTemplateReference(uri=template)
        return (await agent.client.complete(ref, {"name": argument, "value": typed})).completion.values

    async with connect() as agent:
        assert "Ann" in await completed(agent, "memory://entity/{name}", "name", "an")
        assert "Anton" not in await completed(agent, "memory://entity/{name}", "name", "an")
        assert await completed(agent, "memory://memory/{id}", "id", id[:2]) == [id]
        assert await completed(agent, "memory://memory/{id}", "id", "?") == []
