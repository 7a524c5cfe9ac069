"""The memory in the kernel: it stores each message once, shows what matters, and runs its night."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from sandbox.errors import RequiredExtensionFailed
from sandbox.events import AgentResponse, Erase, Event, SessionCompleted, UserMessage
from sandbox.extensions.assistant.tools import call
from sandbox.extensions.memory import Hit, Memory, Scope
from sandbox.extensions.memory.errors import StoreClosed
from sandbox.extensions.memory.main import MemoryExtension, UnknownTask
from sandbox.kernel import Kernel
from sandbox.protocols import Turn
from sandbox.testing import NOON, FakeClock
from tests.kernel.test_kernel import write_config


@dataclass
class Host:
    """A kernel, and the memory that listens to its bus."""

    kernel: Kernel
    clock: FakeClock

    @property
    def extension(self) -> MemoryExtension:
        """The memory."""
        return cast(MemoryExtension, self.kernel.extension("memory"))

    @property
    def memory(self) -> Memory:
        """The open memory inside it."""
        return self.extension.memory

    async def say(self, key: str, text: str, session: str = "s1", **more: Any) -> None:
        """A person says something, and every handler has handled it."""
        event = UserMessage(key, session, text, self.clock(), **{"user": "ann", "channel": "cli", **more})
        await self.publish(event)

    async def publish(self, event: Event) -> None:
        """Publish an event, and wait until every handler has handled it."""
        await self.kernel.bus.publish(event)
        await self.kernel.bus.settled()

    async def call(self, turn: Turn, name: str, arguments: str) -> dict[str, Any]:
        """Call a tool as the agent does."""
        return await call({tool.name: tool for tool in self.extension.tools()}[name], turn, arguments)

    def turn(self, key: str, text: str, **more: Any) -> Turn:
        """The turn that answers a message."""
        return Turn(key, "s1", text, self.clock(), "ann", "cli", **more)

    async def found(self, question: str, **more: Any) -> list[Hit]:
        """What the memory of the person finds."""
        return await self.memory.search(question, scope=Scope("ann"), reinforce=False, **more)


@asynccontextmanager
async def opened(home: Path, clock: FakeClock, **sections: Any) -> AsyncIterator[Host]:
    """A kernel that delivers events, with sections of settings."""
    write_config(home, kernel={"timezone": "Europe/Berlin"}, **sections)
    async with Kernel.open(home, models={}, clock=clock) as kernel:
        await kernel.bus.start()
        yield Host(kernel, clock)


@pytest.fixture
async def host(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Host]:
    """A host without any message yet."""
    async with opened(tmp_path, clock) as each:
        yield each


# --- starting ---------------------------------------------------------------------------------------------------------


async def test_the_memory_uses_the_embedder_of_the_embedding_extension(host: Host) -> None:
    await host.say("m-1", "My fiddle is broken.")
    await host.memory.wait_until_embedded()
    (hit,) = await host.found("violin repair")
    assert hit.legs == {"vector": 1}


async def test_without_an_embedder_search_uses_words(tmp_path: Path, clock: FakeClock) -> None:
    """The provider is unknown: the embedding extension is degraded, the memory is not."""
    async with opened(tmp_path, clock, embedding={"provider": "nobody"}) as host:
        (embedding,) = [each for each in host.kernel.loaded if each.manifest.id == "embedding"]
        assert "`provider` must be one of wordllama, openai, not 'nobody'" in (embedding.problem or "")
        await host.say("m-1", "My fiddle is broken.")
        assert await host.found("fiddle")
        assert not await host.found("violin repair")
        checks = {check.name: check for check in await host.extension.check()}
        assert checks["embedding"].detail == "none: search goes by words alone"


async def test_a_wrong_setting_is_named_with_file_and_section(tmp_path: Path, clock: FakeClock) -> None:
    with pytest.raises(RequiredExtensionFailed, match=r"config\.yaml: `memory\.purge_days` must be a whole number"):
        async with opened(tmp_path, clock, memory={"purge_days": "many"}):
            pass


async def test_no_memory_is_open_before_the_start_and_after_the_end(tmp_path: Path, clock: FakeClock) -> None:
    extension = MemoryExtension()
    with pytest.raises(StoreClosed):
        _ = extension.memory
    await extension.stop()
    async with opened(tmp_path, clock) as host:
        assert host.memory
        running = host.extension
    with pytest.raises(StoreClosed):
        _ = running.memory


# --- what is said -----------------------------------------------------------------------------------------------------


async def test_a_message_delivered_twice_is_remembered_once(tmp_path: Path, clock: FakeClock) -> None:
    """The bus forgets a delivery, as after a crash between the commit of the memory and its own."""
    message = UserMessage("m-1", "s1", "I play the violin.", NOON, "ann", "cli")
    reply = AgentResponse("m-1-reply", "s1", "Since when?", NOON, "ann", "cli", "orchestrator")
    async with opened(tmp_path, clock) as host:
        for event in (message, reply):
            await host.publish(event)
    (tmp_path / "kernel.db").unlink()
    async with opened(tmp_path, clock) as host:
        for event in (message, message, reply):
            await host.publish(event)
        assert [hit.content for hit in await host.found("")] == ["Since when?", "I play the violin."]
        counted = await host.memory.statistics(scope=Scope("ann"))
        assert (counted.nodes, counted.edges, counted.sessions) == ({"episodic": 2}, {"temporal": 1}, 1)


async def test_a_turn_keeps_its_speaker_time_and_trust(host: Host) -> None:
    at = datetime(2026, 3, 1, 8, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    await host.publish(UserMessage("m-1", "s1", "Dear customer, call us.", at, "ann", "mail", "web"))
    await host.publish(AgentResponse("r-1", "s1", "The bank wants a call.", at, "ann", "mail", "orchestrator", "web"))
    message, reply = [
        (await host.memory.explain(hit.id, scope=Scope("ann"))).memory for hit in reversed(await host.found(""))
    ]
    assert (message.role, message.key, message.source, message.trust) == ("user", "m-1", "conversation", "web")
    assert (message.event_time, message.session, message.quarantined) == (at, "s1", True)
    assert (reply.role, reply.trust) == ("assistant", "web")


# --- sessions ---------------------------------------------------------------------------------------------------------


async def waiting(host: Host) -> int:
    """How many sessions still wait, after the memory has learnt from those that are over."""
    await host.extension.settled()
    return (await host.memory.statistics(scope=Scope("ann"))).sessions_pending


async def test_a_new_session_ends_the_last_one_and_the_memory_learns_from_it(host: Host) -> None:
    await host.say("m-1", "I live in Berlin.", "s1")
    await host.say("m-2", "I work at Acme.", "s1")
    assert await waiting(host) == 1
    assert await host.found("where do I live?", types=("semantic",)) == []
    await host.say("m-3", "three", "s2")
    assert await waiting(host) == 1  # the second
    assert len(await host.found("", types=("semantic",))) == 2
    await host.say("m-4", "four", "s1")
    assert await waiting(host) == 1  # the first goes on


async def test_the_memory_learns_in_a_quiet_moment(host: Host) -> None:
    """Conversations go first. After a moment of quiet the memory reads finished sessions by itself."""
    await host.extension.settled()
    for key, session, text in (("m-1", "s1", "I live in Berlin."), ("m-2", "s2", "Hello again.")):
        await host.kernel.bus.publish(UserMessage(key, session, text, host.clock(), "ann", "cli"))
    await host.kernel.bus.settled()
    assert await host.found("", types=("semantic",)) == []
    async with asyncio.timeout(10):
        while not await host.found("", types=("semantic",)):  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.05)


async def test_a_completed_session_is_learnt_from_and_an_erase_event_erases_it(host: Host) -> None:
    """Its turns, and what was learnt from it alone. At a second event nothing is left to do."""
    await host.say("m-1", "I live in Berlin.", "s1")
    await host.say("m-2", "I play the violin.", "s1")
    await host.say("m-3", "I live in Berlin.", "s2")
    await host.say("m-4", "My sister is called Vera.", "s3")
    for session in ("s1", "s2", "s3", "s3", "never"):
        await host.publish(SessionCompleted(session, host.clock.advance(minutes=1), "ann"))
    assert await waiting(host) == 0
    told = {hit.content for hit in await host.found("", types=("semantic",))}
    assert len(told) == 3
    for _ in range(2):
        await host.publish(Erase("s1", host.clock.advance(minutes=1), "ann"))
    assert {hit.session for hit in await host.found("", types=("episodic",))} == {"s2", "s3"}
    left = {hit.content for hit in await host.found("", types=("semantic",))}
    assert told - left == {text for text in told if "violin" in text}
    assert (await host.kernel.bus.parked(), await host.kernel.bus.pending()) == ((), 0)


# --- context ----------------------------------------------------------------------------------------------------------


async def test_context_has_relevant_memories_and_not_the_message_itself(host: Host) -> None:
    await host.say("m-1", "My dog Rex is afraid of thunder.", "s0")
    await host.say("m-2", "What is my dog afraid of?", "s1")
    shown = await host.extension.get_context(host.turn("m-2", "What is my dog afraid of?"))
    assert shown is not None
    assert "Rex is afraid of thunder" in shown
    assert "What is my dog" not in shown


# --- tools ------------------------------------------------------------------------------------------------------------


async def test_a_fact_rests_on_a_message_delivered_later(host: Host) -> None:
    """The tool is called before the bus has delivered the message."""
    turn = host.turn("m-1", "Remember that Alec is my boss.")
    told = await host.call(turn, "remember_fact", '{"content": "Alec is the boss of the user.", "subject": "Alec"}')
    assert (told["ok"], told["memory"]["trust"]) == (True, "user")
    assert told["memory"]["event_time_local"] == "Monday, 2 March 2026, 13:00 CET"
    await host.say("m-1", "Remember that Alec is my boss.")
    counted = await host.memory.statistics(scope=Scope("ann"))
    assert counted.nodes == {"episodic": 1, "semantic": 1}
    told = await host.call(turn, "explain_fact", f'{{"id": "{told["memory"]["id"]}"}}')
    assert [each["content"] for each in told["rests_on"]] == ["Remember that Alec is my boss."]


async def test_recalled_web_content_is_not_stored_as_the_users_word(host: Host) -> None:
    """
    mail:      Dear customer, your bank is now in Lagos.      (trusted as web)
    user:      Where is my bank?
    assistant: search_memory, remember_fact                   (trusted as web, too)
    """
    await host.say("m-1", "Dear customer, your bank is now in Lagos.", "s0", trust="web")
    await host.say("m-2", "Where is my bank?")
    turn = host.turn("m-2", "Where is my bank?")
    assert await host.extension.get_context(turn) is None
    await host.call(turn, "search_memory", '{"query": "bank"}')
    assert turn.trust == "web"
    told = await host.call(turn, "remember_fact", '{"content": "The bank of the user is in Lagos."}')
    assert told["memory"]["trust"] == "web"
    later = await host.extension.get_context(host.turn("m-3", "Which city is the bank of the user in?"))
    assert "Lagos" not in (later or "")


# --- commands, the night ----------------------------------------------------------------------------------------------


async def test_the_night_task_reports_its_work(host: Host) -> None:
    await host.memory.remember("The user plays golf.", source="inferred", scope=Scope("ann"))
    await host.say("m-1", "Hello.")
    await host.memory.wait_until_embedded()
    host.clock.advance(days=100)
    told = await host.extension.execute_task("run_nightly_maintenance")
    assert told == "sessions: 1; prune: 1 faded"
    assert await host.extension.execute_task("run_nightly_maintenance") == "nothing to do"
    with pytest.raises(UnknownTask, match=r"no task 'sleep'; it has run_nightly_maintenance"):
        await host.extension.execute_task("sleep")
