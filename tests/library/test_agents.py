"""Sessions and tools for the OpenAI Agents SDK, and the toolset for pydantic-ai."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from agents import Agent, FunctionTool, ModelResponse as Response, RunConfig, Runner, Session, SQLiteSession, Usage
from agents.models.interface import Model
from agents.tool_context import ToolContext
from hypothesis import HealthCheck, given, settings, strategies as st
from openai.types.responses import ResponseOutputMessage
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from assistant_memory import Memory, Scope, blocking
from assistant_memory.errors import SecretInId
from assistant_memory.openai_agents import GUIDANCE, MemorySession, memory_tools
from assistant_memory.pydantic_ai import memory_toolset
from tests.files import bytes_of

HELLO: Any = {"role": "user", "content": "My cat Mia broke the blue vase."}
ANSWER: Any = {
    "role": "assistant",
    "type": "message",
    "id": "msg_1",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Poor vase!", "annotations": []}],
}
CALL: Any = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"x": 1}'}

items = st.sampled_from([HELLO, ANSWER, CALL])
steps = st.one_of(
    st.lists(items, max_size=3).map(lambda several: ("add_items", [several])),
    st.just(("pop_item", [])),
    st.just(("clear_session", [])),
    st.sampled_from([None, -1, 0, 1, 2, 50]).map(lambda limit: ("get_items", [limit])),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(done=st.lists(steps, max_size=10))
async def test_a_session_answers_like_the_session_of_the_sdk(memory: Memory, done: list[tuple[str, list[Any]]]) -> None:
    name = str(uuid4())
    ours, theirs = MemorySession(name, memory), SQLiteSession(name)
    try:
        for method, arguments in [*done, ("get_items", [None])]:
            assert await getattr(ours, method)(*arguments) == await getattr(theirs, method)(*arguments), method
    finally:
        theirs.close()


async def test_a_session_lasts_is_remembered_and_masks_secrets(folder: Path) -> None:
    secret: Any = {"role": "user", "content": "the key is AKIAIOSFODNN7EXAMPLE"}
    async with Memory.open(folder, embedder=None) as memory:
        session = MemorySession("first", memory)
        assert isinstance(session, Session)
        await session.add_items([HELLO, CALL, ANSWER, secret])
        await MemorySession("second", memory).add_items([ANSWER])
    async with Memory.open(folder, embedder=None) as memory:
        kept = await MemorySession("first", memory).get_items()
        assert kept[:3] == [HELLO, CALL, ANSWER]
        assert "AKIA" not in json.dumps(kept)
        assert await MemorySession("first", memory, scope=Scope("ben")).get_items() == []
        (hit, *_) = await memory.search("who broke the vase?")
        assert (hit.content, hit.role, hit.session) == (HELLO["content"], "user", "first")
        assert {each.id: each.turns for each in await memory.sessions()} == {"first": 3, "second": 1}


async def test_a_session_takes_what_a_model_may_say_and_no_name_with_a_secret(memory: Memory) -> None:
    """Half of a character, as a cut stream has it, and a message without words."""
    said: list[Any] = [{"role": "assistant", "content": text} for text in ("half \ud83d", "\x00", "\u200b")]
    session = MemorySession("s", memory)
    await session.add_items(said)
    assert await session.get_items() == said
    assert [each.turns for each in await memory.sessions()] == [1]
    with pytest.raises(SecretInId):
        MemorySession("AKIAIOSFODNN7EXAMPLE", memory)


async def test_erasing_the_conversation_erases_the_items_and_their_bytes(tmp_path: Path) -> None:
    """Its name may have spaces around it, and signs that no file can hold."""
    async with Memory.open(tmp_path, embedder=None) as memory:
        for name in (" fi\x00rst ", " fi\x00rst too"):
            await MemorySession(name, memory).add_items([{"role": "user", "content": f"quetzalcoatl of {name}"}])
        await memory.erase(session=" fi\x00rst ")
        assert await MemorySession(" fi\x00rst ", memory).get_items() == []
        assert len(await MemorySession(" fi\x00rst too", memory).get_items()) == 1
        await memory.erase(session=" fi\x00rst too")
    assert b"quetzalcoatl" not in bytes_of(tmp_path)


async def test_a_cancelled_call_adds_the_items_and_their_turns(memory: Memory) -> None:
    """As when somebody stops an answer."""
    for pauses in range(1, 20):
        adding = asyncio.create_task(MemorySession(f"s{pauses}", memory).add_items([HELLO, ANSWER]))
        for _ in range(pauses):
            await asyncio.sleep(0.0005)
        adding.cancel()
        await asyncio.gather(adding, return_exceptions=True)
    for _ in range(100):
        known = await memory.sessions()
        if [each.turns for each in known] == [2] * 19:
            break
        await asyncio.sleep(0.1)
    assert [len(await MemorySession(each.id, memory).get_items()) for each in known] == [2] * 19


class Counting(Model):
    """A model that answers with the number of items it got."""

    async def get_response(self, *_: Any, **given: Any) -> Response:
        said = [{"type": "output_text", "text": f"{len(given['input'])} items", "annotations": []}]
        message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": said}
        return Response([ResponseOutputMessage.model_validate(message)], Usage(), None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError  # abstract in `Model`; no test streams


UNTRACED = RunConfig(tracing_disabled=True)


async def test_an_agent_continues_an_earlier_run(memory: Memory) -> None:
    agent = Agent("helper", model=Counting(), instructions=GUIDANCE)
    for expected in ("1 items", "3 items"):
        ran = await Runner.run(agent, "hello there", session=MemorySession("s", memory), run_config=UNTRACED)
        assert ran.final_output == expected
    assert len(await MemorySession("s", memory).get_items()) == 4


def test_agents_run_without_async(folder: Path) -> None:
    """Each run has another event loop than the memory."""
    with blocking(folder, embedder=None) as opened:
        agent = Agent("helper", model=Counting(), tools=[*memory_tools(opened)])
        with asyncio.Runner() as runner:
            for expected in ("1 items", "3 items"):
                running = Runner.run(agent, "hello", session=MemorySession("s", opened), run_config=UNTRACED)
                assert runner.run(running).final_output == expected
            assert runner.run(called(memory_tools(opened), "remember_fact", {"content": "Ann likes green tea"}))["ok"]
            other = PydanticAgent(TestModel(call_tools=["memory_stats"]), toolsets=[memory_toolset(opened)])
            assert '"ok":true' in runner.run(other.run("hello")).output


async def called(tools: Iterable[FunctionTool], name: str, arguments: Any) -> Any:
    """The answer of a tool to its arguments, given as JSON or as values."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    context: ToolContext[Any] = ToolContext(None, tool_name=name, tool_call_id="c", tool_arguments=text)
    (tool,) = (each for each in tools if each.name == name)
    return json.loads(await tool.on_invoke_tool(context, text))


async def test_what_a_model_read_limits_the_trust_of_what_it_stores(memory: Memory) -> None:
    home = await memory.remember("The user lives in Paris.")
    await memory.remember("A page about Acme says that the user lives in Moscow.", trust="web")
    tools = memory_tools(memory)
    assert (await called(tools, "search_memory", {"query": "Acme"}))["count"]
    moved = {"id": home, "content": "The user lives in Moscow."}
    assert "trust" in (await called(tools, "correct_fact", moved))["problem"]
    assert "trust" in (await called(memory_tools(memory, trust="tool"), "correct_fact", moved))["problem"]
    assert (await called(memory_tools(memory), "correct_fact", moved))["ok"]  # another conversation


async def test_the_tools_remember_find_and_explain_errors(memory: Memory) -> None:
    tools = memory_tools(memory)
    assert {"search_memory", "remember_fact", "correct_fact", "explain_fact"} <= {tool.name for tool in tools}

    async def call(name: str, arguments: Any) -> Any:
        return await called(tools, name, arguments)

    stored = await call("remember_fact", {"content": "Ann likes green tea", "category": "preference"})
    assert stored["ok"]
    found = await call("search_memory", {"query": "what does Ann drink?"})
    assert [each["content"] for each in found["memories"]] == ["Ann likes green tea"]
    for arguments in ({"query": "tea", "limit": 1000}, "{", {"colour": "green"}):
        refused = await call("search_memory", arguments)
        assert (refused["ok"], bool(refused["advice"])) == (False, True)
    assert "No memory has the id" in (await call("explain_fact", {"id": "nothing1"}))["problem"]
    assert (await call("memory_stats", ""))["ok"]


async def test_an_agent_of_pydantic_ai_uses_the_tools(memory: Memory) -> None:
    """The library's own test model calls the tools in a script."""
    plan = [
        ToolCallPart("remember_fact", {"content": "Ann likes green tea", "category": "preference"}),
        ToolCallPart("explain_fact", {"id": "nothing1"}),
        ToolCallPart("search_memory", {"query": "what does Ann drink?"}),
    ]
    seen: list[Any] = []

    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {"search_memory", "remember_fact"} <= {tool.name for tool in info.function_tools}
        seen.extend(part for part in messages[-1].parts if isinstance(part, ToolReturnPart))
        return ModelResponse(parts=[plan.pop(0) if plan else TextPart("done")])

    agent = PydanticAgent(FunctionModel(act), toolsets=[memory_toolset(memory)])
    assert (await agent.run("hello")).output == "done"
    stored, refused, found = seen
    assert stored.content["ok"]
    assert refused.outcome == "retried"
    assert "No memory has the id" in str(refused.content)
    assert found.content["memories"][0]["content"] == "Ann likes green tea"
    (only,) = (await memory.list()).items
    assert only.memory.content == "Ann likes green tea"
