"""A running home: messages, context and replies, sessions and nights, and extensions that fail."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from sandbox.cli.diagnosis import diagnose
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.kernel import Kernel
from sandbox.protocols import Context, Conversation, ExtensionContext, Part, Reply
from sandbox.support.diagnosis import Check
from sandbox.testing import Answer, FakeClock, Request, ScriptedModel, ScriptedResponder, call
from sandbox.testing.model import Line
from tests.files import files_with
from tests.kernel.buses import rows
from tests.kernel.test_llm import keyring_of


class Plain:
    """The base of extensions."""

    async def start(self, context: ExtensionContext) -> None:
        self.context = context

    async def stop(self) -> None:
        """Do nothing."""

    async def check(self) -> list[Check]:
        return []


THIRD = {
    "manifest.yaml": """
        id: weather
        name: Weather
        entrypoint: main:Weather
        provides: [ToolProvider, ContextProvider]
        """,
    "main.py": """
        from pydantic import BaseModel
        from sandbox.protocols import Tool
        from tests.kernel.test_kernel import Plain

        class Place(BaseModel):
            place: str

        class Weather(Plain):
            context_priority = 90

            def tools(self):
                return [Tool("weather", "What the weather is like.", Place, self.look)]

            def guidance(self):
                return "Speak of the weather when asked."

            async def look(self, turn, arguments):
                return {"weather": f"sunny in {arguments.place}"}

            async def get_context(self, turn):
                return "It is sunny."
        """,
}

BROKEN = {
    "manifest.yaml": """
        id: broken
        name: Broken
        entrypoint: main:Broken
        provides: [ToolProvider, ContextProvider, SchedulerProvider, CommandProvider]
        schedules: [{task: never, cron: "* * * * *"}]
        """,
    "main.py": """
        from pydantic import BaseModel
        from sandbox.events import UserMessage
        from sandbox.protocols import Command, Tool

        class Nothing(BaseModel):
            pass

        async def fail(*_):
            raise RuntimeError("secret words")

        class Broken:
            context_priority = 1
            get_context = stop = check = execute_task = fail

            async def start(self, context):
                context.subscribe(UserMessage, fail)

            def tools(self):
                return [Tool("broken", "Fails.", Nothing, fail)]

            def guidance(self):
                return "Call it."

            def commands(self):
                return [Command("broken", "/broken", "Fails.", fail)]
        """,
}


def write_extension(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(dedent(text))
    return folder


def write_config(home: Path, **sections: Any) -> None:
    home.mkdir(exist_ok=True, mode=0o700)
    (home / "config.yaml").write_text(yaml.safe_dump(sections))


@asynccontextmanager
async def working(home: Path, clock: FakeClock, *replies: Any, **options: Any) -> AsyncIterator[Kernel]:
    responder = ScriptedResponder(replies) if replies else None
    async with Kernel.open(home, responder=responder, clock=clock, **options) as kernel:
        await kernel.work()
        yield kernel
        await kernel.settled()


@asynccontextmanager
async def assisted(
    home: Path,
    clock: FakeClock,
    *script: Line | Callable[[Request], Line],
    otherwise: Line | Callable[[Request], Line] | None = None,
) -> AsyncIterator[tuple[Kernel, ScriptedModel]]:
    """A working kernel whose model follows a script."""
    with ScriptedModel(*script, otherwise=otherwise) as model:
        models = {"default": {"model": "scripted", "base_url": model.base_url}}
        async with Kernel.open(home, models=models, clock=clock) as kernel:
            await kernel.work()
            yield kernel, model


async def say(conversation: Conversation, text: str, key: str | None = None) -> list[Part]:
    return [part async for part in conversation.say(text, key=key)]


def memory_of(kernel: Kernel) -> Memory:
    extension = kernel.extension("memory")
    assert isinstance(extension, MemoryExtension)
    return extension.memory


async def remembered(kernel: Kernel) -> list[str]:
    await kernel.settled()
    hits = await memory_of(kernel).search("", types=["episodic"], limit=100, reinforce=False)
    return [hit.content for hit in reversed(hits)]


async def failed(kernel: Kernel) -> dict[str, str]:
    """The failed checks, by part and check."""
    parts = await diagnose(kernel)
    return {f"{part.name}: {check.name}": check.detail for part in parts for check in part.checks if not check.ok}


# --- the main job -----------------------------------------------------------------------------------------------------


async def test_turns_in_the_agents_view_are_not_shown_again(home: Path, clock: FakeClock) -> None:
    async with working(home, clock, "A fine name.", "Rex.") as kernel:
        conversation = kernel.conversation("test")
        await say(conversation, "My dog is called Rex.")
        await kernel.settled()
        assert (await say(conversation, "What is my dog called?"))[0] == Context("")


async def test_a_message_delivered_twice_is_answered_once(home: Path, clock: FakeClock) -> None:
    async with working(home, clock, "Well.") as kernel:
        conversation = kernel.conversation("mail")
        first, second = await say(conversation, "Hello.", "mail-1"), await say(conversation, "Hello.", "mail-1")
        assert first[-1] == second[-1] == Reply("Well.")
        assert await remembered(kernel) == ["Hello.", "Well."]
        afterwards = kernel.conversation("mail")
        await say(afterwards, "Hello.", "mail-1")
        assert afterwards.session == conversation.session is not None


# --- with a model -----------------------------------------------------------------------------------------------------


async def test_a_fact_saved_by_an_assistant_is_recalled_months_later(home: Path, clock: FakeClock) -> None:
    remember = call("remember_fact", content="Ann's dog is called Rex.", category="fact", subject="Ann")

    def answer(request: Request) -> Line:
        return "Rex, of course." if request.tools else '{"items": []}'  # learning asks the model meanwhile

    async with assisted(home, clock, remember, "Noted.", otherwise=answer) as (kernel, model):
        conversation = kernel.conversation("test")
        assert (await say(conversation, "Remember that my dog is called Rex."))[-1] == Reply("Noted.")
        clock.advance(days=20)
        assert (await say(conversation, "What is my dog called?"))[-1] == Reply("Rex, of course.")
    last = [request for request in model.requests if request.tools][-1]
    assert "Ann's dog is called Rex." in last.system
    assert [message["content"] for message in last.messages] == ["What is my dog called?"]
    assert {"search_memory", "remember_fact", "correct_fact", "confirm_fact"} <= set(last.tools)


async def test_the_assistant_gets_the_instructions_and_the_local_date_of_the_person(
    home: Path, clock: FakeClock
) -> None:
    """The instructions replace the default ones, and come before the guidance about tools. The date follows, by the
    person's calendar, and in the same bytes all day. It is noon of a Monday in UTC.
    """
    write_config(home, assistant={"instructions": "Be brief."}, kernel={"timezone": "Pacific/Auckland"})
    async with assisted(home, clock, otherwise="Well.") as (kernel, model):
        for hours in (0, 2, 9):
            clock.advance(hours=hours)
            await say(kernel.conversation("test"), "What day is it?")
            await kernel.conversation("test").begin()
        told = [request.system for request in model.requests if "search_memory" in request.tools]
    assert told[0].startswith("Be brief.\n\n")
    assert "remember_fact" in told[0].split("Today is ")[0]
    assert [system.split("Today is ")[1].split(".")[0] for system in told] == ["Tuesday, 3 March 2026"] * 3
    assert all("The user's time zone is Pacific/Auckland." in system for system in told)
    assert told[0].partition("\n\n<memory>")[0] == told[1].partition("\n\n<memory>")[0]


async def test_an_agent_of_another_extension_may_answer(tmp_path: Path, home: Path, clock: FakeClock) -> None:
    """If the assistant has no model; it gets the tools of the other extensions."""
    code = """
        from sandbox.protocols import Reply
        from tests.kernel.test_kernel import Plain

        class Parrot(Plain):
            name = model_name = "parrot"

            def agent(self, tools, guidance):
                self.tools = [tool.name for tool in tools]
                return self

            async def answer(self, turn, context):
                yield Reply(f"{turn.text} {'search_memory' in self.tools}")
        """
    manifest = "{id: parrot, entrypoint: main:Parrot, provides: [AgentProvider]}"
    write_extension(tmp_path / "parrot", {"manifest.yaml": manifest, "main.py": code})
    write_config(home, kernel={"extensions": [str(tmp_path / "parrot")]})
    async with working(home, clock) as kernel:
        assert (await say(kernel.conversation("test"), "Hello."))[-1] == Reply("Hello. True")


async def test_a_wrongly_configured_assistant_leaves_the_memory_running(home: Path, clock: FakeClock) -> None:
    write_config(home, assistant={"instructions": 3})
    async with working(home, clock) as kernel:
        assert (await say(kernel.conversation("test"), "Hello."))[-1] == Reply(None)
        assert "`assistant.instructions` must be a text" in (await failed(kernel))["Assistant: start"]


async def test_only_the_memory_keeps_the_words_of_a_finished_session(home: Path, clock: FakeClock) -> None:
    """The journal, the checkpoint and the agent's own history delete them."""
    async with assisted(home, clock, otherwise="A fine name for a borzoi.") as (kernel, _):
        conversation = kernel.conversation("test")
        await say(conversation, "My borzoi is called Rex.")
        await conversation.begin()
        await kernel.settled()
    assert files_with(home, "borzoi") == {"memory.db"}


async def test_a_reply_cut_off_a_day_ago_leaves_no_words(home: Path, clock: FakeClock) -> None:
    """Its session ended long before the reply came."""
    async with assisted(home, clock) as (kernel, _):
        await kernel.router.take("My borzoi is called Rex.", user="ann", channel="test")
    clock.advance(days=1)
    async with assisted(home, clock, otherwise="A fine name for a borzoi.") as (kernel, _):
        await kernel.settled()
        assert await kernel.conversation("test", "ann").missed() == [Reply("A fine name for a borzoi.")]
        assert await kernel.router.unfinished() == 0
    assert files_with(home, "borzoi") == {"memory.db"}


async def test_the_kernel_looks_for_due_work_by_itself(home: Path, clock: FakeClock) -> None:
    async with Kernel.open(home, clock=clock) as kernel:
        await kernel.work(every=0.02)
        clock.advance(days=1)
        async with asyncio.timeout(20):
            while (await kernel.scheduler.last_runs())[0].outcome != "ok":  # noqa: ASYNC110 (it is in the file)
                await asyncio.sleep(0.02)


SLOW = {
    "manifest.yaml": """
        id: slow
        entrypoint: main:Slow
        provides: [SchedulerProvider]
        schedules: [{task: work, cron: "0 3 * * *"}]
        """,
    "main.py": """
        import asyncio
        from tests.kernel.test_kernel import Plain

        class Slow(Plain):
            async def execute_task(self, task):
                (self.context.home / "began").touch()
                await asyncio.sleep(0.3)
                return "done"
        """,
}


async def test_looking_waits_for_no_task_and_closing_waits_for_all(
    tmp_path: Path, home: Path, clock: FakeClock
) -> None:
    write_config(home, kernel={"extensions": [str(write_extension(tmp_path / "slow", SLOW))]})
    async with working(home, clock) as kernel:
        await kernel.settled()
    clock.advance(days=1)
    async with Kernel.open(home, clock=clock) as kernel:
        await kernel.look()
        while not (home / "began").exists():  # noqa: ASYNC110 (it tells by a file)
            await asyncio.sleep(0.01)
    async with Kernel.open(home, clock=clock) as kernel:
        (run,) = [run for run in await kernel.scheduler.last_runs() if run.task == "slow/work"]
        assert (run.outcome, run.said) == ("ok", "done")


async def test_background_failures_are_logged_without_content(
    home: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with Kernel.open(home, clock=clock) as kernel:
        await kernel.look()
        rows(home, "ALTER TABLE runs RENAME TO gone")
        await kernel.settled()
        await kernel.look()
        await kernel.settled()
    assert "tasks that are due failed: OperationalError" in caplog.messages


async def test_a_working_kernel_takes_over_the_turns_of_a_dead_one(home: Path, clock: FakeClock) -> None:
    async with working(home, clock, "Hello, Ann.") as kernel:
        async with Kernel.open(home, clock=clock) as other:
            await other.router.take("Hello.", user="ann", channel="test")
            assert await kernel.router.unfinished() == 0
        assert await kernel.router.unfinished() == 1
        await kernel.look()
        await kernel.settled()
        assert await kernel.conversation("test", "ann").missed() == [Reply("Hello, Ann.")]


# --- extensions -------------------------------------------------------------------------------------------------------


async def test_a_third_extension_needs_no_change_to_the_kernel(tmp_path: Path, home: Path, clock: FakeClock) -> None:
    write_extension(tmp_path / "more" / "weather", THIRD)
    write_config(home, kernel={"extensions": [str(tmp_path / "more")]})
    async with assisted(home, clock, call("weather", place="Berwick"), "Sunny.") as (kernel, model):
        parts = await say(kernel.conversation("test"), "What is the weather like?")
        assert parts[0] == Context("It is sunny.")
        assert parts[-1] == Reply("Sunny.")
        assert "Speak of the weather when asked." in model.requests[0].system
        assert "sunny in Berwick" in model.requests[1].messages[-1]["content"]


async def test_an_extension_failing_in_every_hook_leaves_the_others_running(
    tmp_path: Path, home: Path, clock: FakeClock
) -> None:
    write_extension(tmp_path / "broken", BROKEN)
    write_config(home, kernel={"extensions": [str(tmp_path / "broken")], "context_seconds": 60})
    async with assisted(home, clock, call("broken"), "It does not work.") as (kernel, _):
        conversation = kernel.conversation("test")
        parts = await say(conversation, "My dog is called Rex.")
        assert parts[0] == Context("", ("broken failed (RuntimeError)",))
        assert parts[-1] == Reply("It does not work.")
        await kernel.scheduler.run_due()
        clock.advance(minutes=1)
        assert [run.outcome for run in await kernel.scheduler.run_due()] == ["failed"]
        (command,) = [each for each in conversation.commands if each.name == "broken"]
        with pytest.raises(RuntimeError):
            await command.run("", conversation)
        (hit, *_) = await memory_of(kernel).search("dog")
        assert hit.content == "My dog is called Rex."
        checks = (await failed(kernel)).keys() - {"Conversations: events"}  # its events are parked after nine seconds
        assert checks == {"Broken: check", "Broken: never"}


async def test_an_extension_is_given_its_secrets(
    tmp_path: Path, home: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the environment or the keyring; a secret that is in neither is left out."""
    manifest = dedent(THIRD["manifest.yaml"]) + "secrets: [WEATHER_KEY, RAIN_KEY, SNOW_KEY]\n"
    write_extension(tmp_path / "weather", {**THIRD, "manifest.yaml": manifest})
    write_config(home, kernel={"extensions": [str(tmp_path / "weather")]})
    monkeypatch.setenv("WEATHER_KEY", "from the environment")
    with keyring_of({("assistant-memory", "RAIN_KEY"): "from the keyring"}):
        async with Kernel.open(home, clock=clock) as kernel:
            weather: Any = kernel.extension("weather")
            assert weather.context.secrets == {"WEATHER_KEY": "from the environment", "RAIN_KEY": "from the keyring"}


# --- faults -----------------------------------------------------------------------------------------------------------


async def test_closing_waits_until_every_message_is_remembered(home: Path, clock: FakeClock) -> None:
    async with Kernel.open(home, clock=clock) as kernel:
        await kernel.work()
        await asyncio.gather(*(say(kernel.conversation(f"c{n}"), f"Message {n}.") for n in range(20)))
    async with working(home, clock) as kernel:
        assert len(await remembered(kernel)) == 20


async def test_erasing_a_conversation_reaches_every_extension(home: Path, clock: FakeClock) -> None:
    """The command in the chat does the same: one request, one event for each extension, and no second request."""
    async with assisted(home, clock, "A fine town.", "A fine name for a borzoi.") as (kernel, _):
        conversation = kernel.conversation("test")
        (memory,) = [command for command in conversation.commands if command.name == "memory"]
        for typed in ("erase", "erase yes"):
            assert (await memory.run(typed, conversation)).startswith("There is nothing to erase")
        await say(conversation, "I live in Berlin.")
        await conversation.begin()
        await say(conversation, "My borzoi is called Rex.")
        await kernel.settled()
        assert {"memory.db", "kernel.db", "conversations.db"} <= {
            name.removesuffix("-wal") for name in files_with(home, "borzoi")
        }
        told = "2 turns"
        asked = f"This conversation would be erased for good: {told}. `/memory erase yes` erases it."
        assert await memory.run("erase", conversation) == asked
        assert "No memory has the id 'everything'" in await memory.run("erase everything", conversation)
        assert files_with(home, "borzoi")
        done = await memory.run("erase  YES", conversation)
        assert done == f"This conversation is erased: {told}. Nothing brings it back."
        for typed in ("erase", "erase yes"):
            assert (await memory.run(typed, conversation)).startswith("There is nothing to erase")
        await kernel.settled()
        assert files_with(home, "borzoi") == files_with(home, "Rex") == set()
        assert await remembered(kernel) == ["I live in Berlin.", "A fine town."]
    assert rows(home, "SELECT count(*) FROM events WHERE topic = 'erase'") == [(1,)]


async def test_a_session_erased_during_an_answer_is_gone_with_what_it_stores(home: Path, clock: FakeClock) -> None:
    """From the journal, the checkpoint, and what the agent writes at the end. What follows is not erased."""
    loop = asyncio.get_running_loop()

    async def erase() -> None:
        await kernel.erase(str(conversation.session))
        await kernel.bus.settled()
        clock.advance(seconds=1)

    def answer(_: Request) -> Answer:
        asyncio.run_coroutine_threadsafe(erase(), loop).result(20)  # this is the thread of the model's server
        return call("remember_fact", content="The borzoi of the user is called Rex.")

    async with assisted(home, clock, answer, "A fine name for a borzoi.", "Hello again.") as (kernel, model):
        conversation = kernel.conversation("test")
        await say(conversation, "My borzoi is called Rex.")
        erased = conversation.session
        assert (await say(conversation, "Hello?"))[-1] == Reply("Hello again.")
        await kernel.settled()
        assert conversation.session != erased
        assert "The borzoi of the user is called Rex." in str(model.requests[1].body)
        assert files_with(home, "borzoi") == set()
        assert [message["content"] for message in model.requests[-1].messages] == ["Hello?"]
        assert await remembered(kernel) == ["Hello?", "Hello again."]
