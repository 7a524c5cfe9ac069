"""`memory.query`, for a supervisor and its agents."""

import time
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.testing import FakeClock
from tests.mcp.conftest import Connect


@pytest.fixture(autouse=True)
async def known(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "We deploy on Friday, the deployment plan says.", session="s1")
    await memory.remember("The deployment plan is in the wiki.", category="project")
    executor = Scope(agent_id="executor", actor_id="bo")
    await memory.remember("The deployment was done by the executor.", category="event", scope=executor)
    clock.advance(days=3)
    await memory.remember("The user prefers a deployment on Fridays.", category="preference")


async def ask(connect: Connect, **arguments: Any) -> dict[str, Any]:
    async with connect("supervisor") as agent:
        return await agent.call("memory.query", agent="planner", query="deployment plan", **arguments)


async def test_a_bullet_says_whom_it_is_about(connect: Connect, memory: Memory) -> None:
    await memory.remember("Wrote the deployment plan.", subject="Ann", category="person")
    answer = await ask(connect, categories=["person"])
    (bullet,) = answer["bullets"]
    assert (bullet["subject"], bullet["text"]) == ("Ann", "[person] Wrote the deployment plan.")


@pytest.mark.parametrize(
    ("filters", "texts"),
    [
        ({"updated_after": "2026-03-04"}, ["The user prefers a deployment on Fridays."]),
        (
            {"updated_before": "2026-03-04"},
            ["The deployment plan is in the wiki.", "The deployment was done by the executor."],
        ),
        ({"importance_min": 4}, []),
        ({"pinned": True}, []),
        ({"agent_id": "x"}, []),
        ({"agent_id": "executor"}, ["The deployment was done by the executor."]),
        ({"actor_id": "bo", "importance_max": 3}, ["The deployment was done by the executor."]),
    ],
)
async def test_filters_narrow(connect: Connect, filters: dict[str, Any], texts: list[str]) -> None:
    answer = await ask(connect, filters=filters, **{"return": "full"})
    assert [each["content"] for each in answer["memories"]] == texts


async def test_turns_are_found_on_request(connect: Connect) -> None:
    answer = await ask(connect, categories=["episodic"], filters={"role": "user", "run_id": "s1"})
    assert answer["bullets"][0]["text"].startswith("[episodic] We deploy on Friday")
    answer = await ask(connect, categories=["episodic", "project"])
    assert sorted(each["category"] for each in answer["bullets"]) == ["episodic", "project"]


@pytest.mark.parametrize(("limits", "count"), [({"top_k": 1}, 1), ({"budget_tokens": 40}, 1), ({"threshold": 0.65}, 0)])
async def test_limits_leave_memories_out(connect: Connect, limits: dict[str, Any], count: int) -> None:
    answer = await ask(connect, **limits)
    assert (answer["count"], answer["tokens"] <= 40) == (count, True)


async def test_wrong_arguments_are_explained(connect: Connect) -> None:
    async with connect("supervisor") as agent:
        told = await agent.refused("memory.query", agent="a", query="x", categories=["gossip"])
        assert "relationship_dynamic" in told
        told = await agent.refused("memory.query", agent="a", query="x", filters={"user_id": "ann"})
        assert "that of the connection" in told


async def test_bullets_come_within_150_ms(connect: Connect) -> None:
    async with connect("supervisor") as agent:
        took = []
        for _ in range(5):
            begun = time.perf_counter()
            await agent.call("memory.query", agent="supervisor", query="when do we deploy?")
            took.append(time.perf_counter() - begun)
        assert sorted(took)[2] < 0.15
