"""The nine tools of the official MCP memory server, as its own tests and its users expect them."""

import json
import os
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from sandbox.extensions.memory import Memory
from tests.mcp.conftest import Connect, Talking, started

ALICE = {"name": "Alice", "entityType": "person", "observations": ["works at Acme Corp", "likes tea"]}
BOB = {"name": "Bob", "entityType": "person", "observations": ["likes programming"]}
KNOWS = {"from": "Alice", "to": "Bob", "relationType": "knows"}


async def filled(graph: Talking) -> None:
    await graph.call("create_entities", entities=[ALICE, BOB])
    await graph.call("create_relations", relations=[KNOWS])


async def test_entities_and_relations_are_created_once_and_relations_may_lead_to_unknown_entities(
    connect: Connect,
) -> None:
    async with connect("graph") as graph:
        bare = {"name": "Acme", "entityType": "organization", "observations": []}
        assert await graph.call("create_entities", entities=[ALICE, bare]) == {"entities": [ALICE, bare]}
        again = {**ALICE, "observations": ["is new"]}
        assert await graph.call("create_entities", entities=[again]) == {"entities": []}
        assert await graph.call("read_graph") == {"entities": [ALICE, bare], "relations": []}
        far = {"from": "Alice", "to": "Initech", "relationType": "works_at"}
        assert await graph.call("create_relations", relations=[KNOWS, far]) == {"relations": [KNOWS, far]}
        assert await graph.call("create_relations", relations=[KNOWS]) == {"relations": []}
        assert (await graph.call("read_graph"))["relations"] == [KNOWS, far]


async def test_observations_are_added_once_to_known_entities(connect: Connect) -> None:
    async with connect("graph") as graph:
        await graph.call("create_entities", entities=[ALICE])
        added = [{"entityName": "Alice", "contents": ["likes tea", "moved to Porto"]}]
        answer = await graph.call("add_observations", observations=added)
        assert answer == {"results": [{"entityName": "Alice", "addedObservations": ["moved to Porto"]}]}
        nobody = [{"entityName": "Nobody", "contents": ["x"]}]
        assert "Entity with name Nobody not found" in await graph.refused("add_observations", observations=nobody)
        (alice,) = (await graph.call("open_nodes", names=["Alice", "Nobody"]))["entities"]
        assert alice["observations"] == [*ALICE["observations"], "moved to Porto"]


async def test_contradicting_observations_stay_until_deleted(connect: Connect) -> None:
    """In other profiles the newer statement replaces the older; users of this server delete what is no longer true."""
    homes = ["Alice lives in Berlin.", "Alice lives in Porto."]
    async with connect("graph") as graph:
        await graph.call("create_entities", entities=[{**ALICE, "observations": homes}])
        jobs = [{"from": "Alice", "to": to, "relationType": "works_at"} for to in ("Acme", "Initech")]
        await graph.call("create_relations", relations=jobs)
        whole = await graph.call("read_graph")
        assert (whole["entities"][0]["observations"], whole["relations"]) == (homes, jobs)


async def test_deleting_an_entity_deletes_its_relations(connect: Connect) -> None:
    async with connect("graph") as graph:
        await filled(graph)
        answer = await graph.call("delete_entities", entityNames=["Alice", "Nobody"])
        assert answer == {"success": True, "message": "Entities deleted successfully"}
        assert await graph.call("read_graph") == {"entities": [BOB], "relations": []}
        await graph.call("create_entities", entities=[{**ALICE, "observations": []}])
        (alice,) = (await graph.call("open_nodes", names=["Alice"]))["entities"]
        assert alice["observations"] == []


async def test_observations_and_relations_are_deleted_one_by_one(connect: Connect) -> None:
    async with connect("graph") as graph:
        await filled(graph)
        deletions = [
            {"entityName": "Alice", "observations": ["likes tea", "x"]},
            {"entityName": "X", "observations": []},
        ]
        await graph.call("delete_observations", deletions=deletions)
        await graph.call("delete_relations", relations=[KNOWS, {**KNOWS, "to": "Nobody"}])
        whole = await graph.call("read_graph")
        assert whole == {"entities": [{**ALICE, "observations": ["works at Acme Corp"]}, BOB], "relations": []}


async def test_search_matches_parts_of_names_types_and_observations(connect: Connect) -> None:
    async with connect("graph") as graph:
        await filled(graph)
        for query, names in (("alice", "Alice"), ("PERSON", "Alice Bob"), ("programming", "Bob"), ("zebra", "")):
            found = await graph.call("search_nodes", query=query)
            assert [each["name"] for each in found["entities"]] == names.split()
            assert found["relations"] == ([KNOWS] if names else [])


async def test_the_graph_and_the_rest_of_the_memory_see_each_other(connect: Connect, memory: Memory) -> None:
    async with connect("graph") as graph:
        await filled(graph)
        assert [each.content for each in await memory.search("programming")] == ["likes programming"]
        assert [each.content for each in (await memory.entity("Bob")).facts if "knows" in each.content] == [
            "Alice knows Bob"
        ]
        assert "Alice knows Bob" in [each.content for each in (await memory.entity("Alice")).facts]
        await memory.remember("Bob has a cat.", subject="Bob")
        (bob,) = (await graph.call("open_nodes", names=["Bob"]))["entities"]
        assert bob["observations"] == ["likes programming", "Bob has a cat."]


# --- moving in --------------------------------------------------------------------------------------------------------


async def test_the_official_servers_file_is_imported_once_for_each_user(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    lines = [{"type": "relation", **KNOWS}, {"type": "entity", **ALICE}, {"type": "entity", **BOB}]
    file.write_text("\n".join([*map(json.dumps, lines), "broken", ""]), encoding="utf-8")
    for user, entities in (("ann", [ALICE, BOB]), ("ann", [BOB]), ("ben", [ALICE, BOB])):
        parameters = started(tmp_path / "home", "--profile", "graph", "--user", user)
        environment = {**os.environ, "MEMORY_FILE_PATH": str(file)}
        server = StdioServerParameters(
            command=parameters.command, args=parameters.args, cwd=parameters.cwd, env=environment
        )
        async with Client(server) as client:
            assert (await Talking(client).call("read_graph"))["entities"] == entities
            await Talking(client).call("delete_entities", entityNames=["Alice"])
