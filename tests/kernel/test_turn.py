"""One turn: context by priority and in time, a reply, or a clear reason for none."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sandbox.database import Database
from sandbox.errors import KernelClosed, ModelFailed
from sandbox.protocols import Context, ContextProvider, Delta, Part, Reply, Turn
from sandbox.router import GIVEN_UP
from sandbox.testing import FakeClock, ScriptedResponder
from sandbox.turn import TurnRunner
from tests.kernel import turn_programs
from tests.kernel.buses import STATE
from tests.kernel.test_router import Post
from tests.memory.store.disk import Disk
from tests.memory.store.processes import Journal

REFUSED = ModelFailed(model="m", place="127.0.0.1:1", problem="refuses the connection")


@dataclass
class Says:
    """A context provider that says something after a delay."""

    text: str | None
    context_priority: int = 50
    delay: float = 0.0
    seen: list[Turn] = field(default_factory=list)

    async def get_context(self, turn: Turn) -> str | None:
        self.seen.append(turn)
        await asyncio.sleep(self.delay)
        return self.text


@dataclass
class Raises:
    error: type[BaseException]
    context_priority: int = 1

    async def get_context(self, turn: Turn) -> str | None:
        raise self.error(turn.text)


class Stubborn(Says):
    """A provider that ignores its cancellation."""

    async def get_context(self, turn: Turn) -> str | None:
        with suppress(asyncio.CancelledError):
            return await super().get_context(turn)
        await asyncio.sleep(0.2)
        return "too late"


class Stage(Post):
    """Everything a turn needs except extensions."""

    def runner(
        self, responder: ScriptedResponder | None, providers: Mapping[str, ContextProvider] | None = None
    ) -> TurnRunner:
        return TurnRunner(self.router, providers or {}, 0.2, responder)

    async def run(self, runner: TurnRunner, text: str = "Hello.") -> list[Part]:
        turn = await self.take(text)
        self.session = turn.session
        parts = [part async for part in runner.run(turn)]
        await self.bus.settled()
        return parts


async def listen(runner: TurnRunner, turn: Turn) -> None:
    """Run a turn that was taken."""
    async for _ in runner.run(turn):
        pass


async def repeat(runner: TurnRunner, turn: Turn) -> None:
    """Run a turn that was cut off."""
    async for _ in runner.run(turn, is_heard=False):
        pass


@asynccontextmanager
async def staged(home: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    database = await Database.open(home / STATE)
    stage = Stage(home, database, clock)
    await stage.bus.start()
    try:
        yield stage
    finally:
        await stage.die()
        await database.close()


@pytest.fixture
async def stage(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    async with staged(tmp_path, clock) as staged_:
        yield staged_


async def endless(turn: Turn, context: str) -> str:  # noqa: ARG001  what a provider takes
    await asyncio.sleep(60)
    return ""


# --- context ----------------------------------------------------------------------------------------------------------


async def test_context_precedes_the_reply_in_order_of_priority(stage: Stage) -> None:
    responder = ScriptedResponder(["Hello, Ann."])
    providers = {"b": Says("second", 20), "a": Says("first", 10), "c": Says(None, 5)}
    parts = await stage.run(stage.runner(responder, providers))
    assert parts == [Context("first\n\nsecond"), Delta("Hello"), Delta(", Ann."), Reply("Hello, Ann.")]
    assert responder.asked[0][1] == "first\n\nsecond"
    assert stage.texts == ["Hello.", "Hello, Ann."]


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        (Says("late", delay=60), "took longer than 0.2 s"),
        (Stubborn("late", delay=60), "took longer than 0.2 s"),
        (Raises(RuntimeError), "failed (RuntimeError)"),
        (Raises(asyncio.CancelledError), "failed (CancelledError)"),
    ],
)
async def test_a_failing_provider_is_left_out_and_named(stage: Stage, provider: ContextProvider, told: str) -> None:
    runner = stage.runner(ScriptedResponder(["Hello, Ann."]), {"bad": provider, "good": Says("what is known")})
    context, *_, reply = await stage.run(runner)
    assert context == Context("what is known", (f"bad {told}",))
    assert reply == Reply("Hello, Ann.")
    await asyncio.sleep(0.25)  # the stubborn provider ends


async def test_without_a_model_the_message_is_kept_and_the_context_is_shown(stage: Stage) -> None:
    """The context may hold earlier turns of the session, which an agent sees by itself."""
    provider = Says("what is known")
    assert await stage.run(stage.runner(None, {"memory": provider})) == [Context("what is known"), Reply(None)]
    assert stage.texts == ["Hello."]
    await stage.run(stage.runner(ScriptedResponder(["Well."]), {"memory": provider}))
    assert [turn.sees_session for turn in provider.seen] == [False, True]


# --- failure ----------------------------------------------------------------------------------------------------------


async def test_a_failing_model_gives_its_reason_and_the_next_turn_works(stage: Stage) -> None:
    runner = stage.runner(ScriptedResponder([REFUSED, "Back again."]))
    assert (await stage.run(runner))[-1] == Reply(None, "m at 127.0.0.1:1 refuses the connection.")
    assert (await stage.run(runner, "And now?"))[-1] == Reply("Back again.")
    assert stage.texts == ["Hello.", "And now?", "Back again."]


async def test_a_failing_agent_is_named_and_the_next_turn_works(stage: Stage) -> None:
    """It raises an error of another kind, or notes something that no file can hold."""

    async def note_nonsense(turn: Turn, context: str) -> str:  # noqa: ARG001
        turn.notes = {"what": object()}
        return "Well."

    runner = stage.runner(ScriptedResponder([RuntimeError("secret words"), note_nonsense, "Back again."]))
    assert (await stage.run(runner))[-1] == Reply(None, "orchestrator failed (RuntimeError)")
    assert (await stage.run(runner))[-1] == Reply("Well.", "orchestrator failed (PydanticSerializationError)")
    assert (await stage.run(runner))[-1] == Reply("Back again.")
    assert stage.texts == ["Hello.", "Hello.", "Hello.", "Back again."]


async def test_an_abandoned_reply_is_not_stored(stage: Stage) -> None:
    runner = stage.runner(ScriptedResponder([endless, "Well."]))
    await leave(asyncio.create_task(listen(runner, await stage.take("Tell me everything."))))
    assert (await stage.run(runner))[-1] == Reply("Well.")
    assert stage.texts == ["Tell me everything.", "Hello.", "Well."]
    assert await stage.kept("turns") == 0


async def leave(listening: asyncio.Task[Any]) -> None:
    """Stop listening while something takes long."""
    await asyncio.sleep(0.05)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening


async def test_an_early_cancellation_leaves_no_turn(stage: Stage) -> None:
    """Neither a provider that runs on, nor a turn that the next kernel would do again; also for a turn that waited in
    line.
    """
    ended = asyncio.Event()

    class Slow(Says):
        async def get_context(self, turn: Turn) -> str | None:
            try:
                return await super().get_context(turn)
            finally:
                ended.set()

    runner = TurnRunner(stage.router, {"slow": Slow(None, delay=60)}, 60, ScriptedResponder(["Well."]))
    first, second = [asyncio.create_task(listen(runner, await stage.take("Hello."))) for _ in range(2)]
    await leave(second)
    await leave(first)
    await asyncio.wait_for(ended.wait(), 5)
    assert await stage.kept("turns") == 0


async def test_turns_of_one_session_run_one_after_the_other(stage: Stage) -> None:
    running: list[str] = []

    async def careful(turn: Turn, context: str) -> str:  # noqa: ARG001
        running.append(turn.id)
        assert len(running) == 1
        await asyncio.sleep(0.01)
        running.remove(turn.id)
        return "Well."

    runner = stage.runner(ScriptedResponder([careful] * 5))
    replies = await asyncio.gather(*(stage.run(runner, f"Message {number}.") for number in range(5)))
    assert [parts[-1] for parts in replies] == [Reply("Well.")] * 5
    said = [each.text for each in (await stage.router.checkpoint(stage.session)).conversation]
    assert sorted(said) == sorted([*(f"Message {number}." for number in range(5)), *["Well."] * 5])


# --- what is cut off --------------------------------------------------------------------------------------------------


async def test_a_turn_gets_the_notes_of_the_agents_last_reply(tmp_path: Path, clock: FakeClock) -> None:
    """The notes of a turn that fails, or that its kernel does not finish, are not kept."""
    seen = []

    async def answer(turn: Turn, context: str) -> str:  # noqa: ARG001
        seen.append(turn.notes)
        turn.notes = {"turns": turn.notes.get("turns", 0) + 1}
        if len(seen) == 2:
            raise REFUSED
        return "Well."

    async with staged(tmp_path, clock) as first:
        for _ in range(3):
            await first.run(first.runner(ScriptedResponder([answer])))
        turn = await first.take("Hello.")
        parts = first.runner(ScriptedResponder([answer])).run(turn)
        assert await anext(parts) == Context("")
        assert await anext(parts) == Delta("We")
    async with staged(tmp_path, clock) as second:
        (again,) = await second.router.take_over()
        await repeat(second.runner(ScriptedResponder([answer])), again)
        assert await second.missed() == [Reply("Well.")]
        assert (await second.router.checkpoint(turn.session)).agents == {"orchestrator": {"turns": 3}}
        with pytest.raises(KernelClosed):  # the dead kernel noted nothing of it
            await parts.aclose()
    assert seen == [{}, {"turns": 1}, {"turns": 1}, {"turns": 2}, {"turns": 2}]


async def test_a_turn_stopped_during_its_repetition_is_given_up(tmp_path: Path, clock: FakeClock) -> None:
    """The person is told, and the turn is not repeated for ever."""
    async with staged(tmp_path, clock) as first:
        await first.take("Hello.")
    async with staged(tmp_path, clock) as second:
        (turn,) = await second.router.take_over()
        runner = second.runner(ScriptedResponder([endless]))
        await leave(asyncio.create_task(repeat(runner, turn)))
    async with staged(tmp_path, clock) as third:
        assert await third.router.take_over() == []
        assert await third.missed() == [Reply(None, GIVEN_UP)]


async def test_every_reply_of_an_interrupted_session_is_given(tmp_path: Path, clock: FakeClock) -> None:
    """Two turns waited in line when the kernel died."""
    async with staged(tmp_path, clock) as stage:
        for text in ("First.", "Second."):
            await stage.take(text)
    async with staged(tmp_path, clock) as stage:
        runner = stage.runner(ScriptedResponder(["One.", "Two."]))
        for turn in await stage.router.take_over():
            await repeat(runner, turn)
        assert await stage.missed() == [Reply("One."), Reply("Two.")]


async def test_a_checkpoint_has_the_messages_and_the_notes(stage: Stage) -> None:
    async def note(turn: Turn, _: str) -> str:
        turn.notes = {"items": 2, "text": "\ud800"}
        return "Well."

    runner = stage.runner(ScriptedResponder([note, note]))
    await stage.run(runner)
    await stage.run(runner, "And then?")
    done = await stage.router.checkpoint(stage.session)
    assert done.agents == {"orchestrator": {"items": 2, "text": "\N{REPLACEMENT CHARACTER}"}}
    assert [each.text for each in done.conversation] == ["Hello.", "Well.", "And then?", "Well."]


# --- the disk ---------------------------------------------------------------------------------------------------------


def test_a_full_disk_during_a_turn_loses_nothing(disk: Disk, notes: Journal) -> None:
    """The speaker is told, and gets the reply when there is space again; acknowledged messages are there once."""
    disk.run(turn_programs.talk_on_a_full_disk, disk.folder, disk.full, notes.path, seconds=60)
    hello, [text, problem], [error, message], missed, weather, seen, remembered, left = notes.values()
    assert hello == ["Hello, Ann.", None]
    assert text is None or text == "A fine name."
    assert "kernel.db is full; what was acknowledged is safe" in problem
    assert (error, "kernel.db is full" in message) == ("StateFull", True)
    assert missed == [["A very fine name.", None]]
    assert weather == ["Sunny.", None]
    conversation = ["Hello.", "Hello, Ann.", "My dog is called Rex.", "A very fine name.", "What is the weather like?"]
    assert seen == conversation
    assert remembered == [*conversation, "Sunny."]
    assert left == [0, 0, 0]
