"""The three tools of the profile `builtin`, and its block."""

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_mcp.profiles import builtin
from sandbox.extensions.memory_mcp.server import Who
from sandbox.testing import FakeClock
from tests.mcp.conftest import Connect, Talking

SPEC = (
    ("User prefers Python over JavaScript", ["preference"]),
    ("Project uses PostgreSQL 16 on port 5432", ["infra"]),
    ("Deploy target is AWS us-east-1", ["infra", "deploy"]),
)


async def stored(agent: Talking, clock: FakeClock) -> None:
    for number, (text, tags) in enumerate(SPEC, 1):
        assert await agent.call("memory_store", text=text, tags=tags) == {"ok": True, "id": f"m-{number}"}
        clock.advance(minutes=5)


async def test_ids_only_grow(connect: Connect, clock: FakeClock) -> None:
    async with connect("builtin") as agent:
        await stored(agent, clock)
        for id in ("m-3", "m-1"):
            assert await agent.call("memory_delete", id=id) == {"ok": True}
        assert (await agent.call("memory_store", text=SPEC[2][0]))["id"] == "m-4"
        assert (await agent.call("memory_store", text="Another fact"))["id"] == "m-5"
        assert "m-1" in await agent.refused("memory_delete", id="m-1")


async def test_search_matches_text_parts_and_whole_tags_newest_first(connect: Connect, clock: FakeClock) -> None:
    async with connect("builtin") as agent:
        await stored(agent, clock)
        found = await agent.call("memory_search", tag="infra")
        assert [each["id"] for each in found["memories"]] == ["m-3", "m-2"]
        assert found["memories"][1] == {
            "id": "m-2",
            "text": SPEC[1][0],
            "tags": ["infra"],
            "ts": "2026-03-02T12:05:00Z",
        }
        for arguments, ids in (
            ({"query": "POSTGRES"}, ["m-2"]),
            ({"query": "us", "tag": "infra"}, ["m-3", "m-2"]),
            ({"query": "java", "tag": "infra"}, []),
            ({}, ["m-3", "m-2", "m-1"]),
        ):
            found = await agent.call("memory_search", **arguments)
            assert ([each["id"] for each in found["memories"]], found["count"]) == (ids, len(ids))


async def test_a_secret_is_not_stored(connect: Connect) -> None:
    told = "key sk-abc", "ghp_x", "Bearer abc", "the token: x", "password: hunter2", "aB3" * 14, "glpat-x"
    async with connect("builtin") as agent:
        for text in told:
            result = await agent.client.call_tool("memory_store", {"text": text})
            assert result.is_error
            assert result.structured_content == {"ok": False, "error": "text appears to contain a secret — not stored"}
        assert (await agent.call("memory_search"))["count"] == 0


async def test_limits_are_enforced(connect: Connect) -> None:
    async with connect("builtin") as agent:
        assert "`text` is wrong" in await agent.refused("memory_store", text="x" * 501)
        assert "`tags` is wrong" in await agent.refused("memory_store", text="x", tags=list("abcdef"))
        assert "`scope` is wrong" in await agent.refused("memory_store", text="x", scope="world")


@pytest.mark.parametrize("scope", ["user", "workspace", "session"])
async def test_an_unsupported_scope_is_reported(connect: Connect, scope: str) -> None:
    async with connect("builtin") as agent:
        stored = await agent.call("memory_store", text="It rains in Porto", scope=scope)
        assert "Scopes are not kept yet" in stored.pop("not_yet")[0]
        assert stored == {"ok": True, "id": "m-1"}


async def test_each_project_numbers_its_own_memories(connect: Connect) -> None:
    for project in ("one", "other"):
        async with connect("builtin", who=Who(project=project)) as agent:
            assert (await agent.call("memory_store", text=f"The port of {project} is 80"))["ok"]


async def test_the_oldest_are_forgotten_beyond_the_limit(connect: Connect, memory: Memory) -> None:
    """Only memories that this profile stored count."""
    elsewhere = await memory.remember("The user lives in Porto.")
    most = builtin._MOST_STORED
    for number in range(1, most + 1):
        await memory.remember(f"Fact {number * 7919} of many", key=f"m-{number}")
    async with connect("builtin") as agent:
        assert (await agent.call("memory_store", text="One more fact"))["id"] == f"m-{most + 1}"
        assert "m-1" in await agent.refused("memory_delete", id="m-1")
        assert (await agent.call("memory_delete", id="m-2"))["ok"]
        found = await agent.call("memory_search", query="porto")
        assert [each["id"] for each in found["memories"]] == [elsewhere]


async def injected(agent: Talking, message: str) -> list[str]:
    prompt = await agent.client.get_prompt("memories", {"message": message})
    return str(prompt.messages[0].content.text).splitlines()  # type: ignore[union-attr]


async def test_the_block_has_memories_with_words_of_the_message(connect: Connect, clock: FakeClock) -> None:
    async with connect("builtin") as agent:
        await stored(agent, clock)
        assert await injected(agent, "which PORT does the project use?") == [
            "[Memories]",
            "- (m-2, infra) Project uses PostgreSQL 16 on port 5432",
        ]
        assert len(await injected(agent, "Good morning!")) == 4


async def test_the_block_is_bounded(connect: Connect, clock: FakeClock) -> None:
    async with connect("builtin") as agent:
        for number in range(12):
            await agent.call("memory_store", text=f"Zebra {number} is named {chr(65 + number) * 9}")
            clock.advance(minutes=1)
        assert len(await injected(agent, "zebra")) == 11
        assert [line.split()[1] for line in (await injected(agent, "nothing"))[1:]] == [
            f"(m-{number})" for number in range(12, 7, -1)
        ]
        for number in range(6):
            await agent.call("memory_store", text=f"Giraffe {number} " + f"word{number} " * 80)
        assert len("\n".join(await injected(agent, "giraffe"))) < 2_200


async def test_proposals_and_cleaned_texts_are_stored_once(connect: Connect, memory: Memory) -> None:
    await memory.remember("The user lives in Lisbon.")
    async with connect("builtin", who=Who(trust="tool")) as agent:
        before = await memory.last_change()
        assert (await agent.call("memory_store", text="The user moved to Temuco."))["ok"]
        assert len(await memory.proposals()) == 1
        assert (await agent.call("memory_store", text="zero \x00 sign"))["ok"]
        assert await memory.last_change() < before + 20


@pytest.mark.parametrize(
    ("known", "again"),
    [
        ("I like wool.", "I love wool."),
        ("The user likes Python.", "the user likes python"),
    ],
)
async def test_a_statement_that_counts_as_known_answers_with_the_known_one(
    connect: Connect, clock: FakeClock, known: str, again: str
) -> None:
    async with connect("builtin") as agent:
        stored = await agent.call("memory_store", text=known)
        clock.advance(minutes=1)
        assert await agent.call("memory_store", text=known) == stored
        told = await agent.call("memory_store", text=again)
        assert (told["id"], told["not_yet"][0].endswith(known)) == (stored["id"], True)


async def test_a_proposal_that_is_stored_again_stays_one(connect: Connect, memory: Memory) -> None:
    await memory.remember("The user lives in Lisbon.")
    async with connect("builtin", who=Who(trust="tool")) as agent:
        stored = await agent.call("memory_store", text="The user moved to Temuco.")
        assert await agent.call("memory_store", text="The user moved to Temuco.") == stored
        (waits,) = await memory.proposals()
        await memory.reject(waits.memory.id)
        assert await agent.call("memory_store", text="The user moved to Temuco.") == stored
