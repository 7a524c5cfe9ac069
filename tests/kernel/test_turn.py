"""One turn: context by priority and in time, a reply or a clear reason why there is none."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from sandbox.bus import Bus
from sandbox.checkpoints import Checkpoints, Graph
from sandbox.database import Database
from sandbox.errors import ModelFailed
from sandbox.events import AgentResponse, UserMessage
from sandbox.owners import Owner
from sandbox.protocols import Context, Delta, Part, Reply, Turn
from sandbox.router import MessageRouter
from sandbox.testing import FakeClock, ScriptedResponder
from sandbox.turn import Provider, TurnRunner
from tests.kernel.test_router import IDLE

REFUSED = ModelFailed(model="m", place="127.0.0.1:1", problem="refuses the connection")


@dataclass
class Says:
    """A context provider that says something, after a while."""

    text: str | None
    context_priority: int = 50
    delay: float = 0.0
    seen: list[Turn] = field(default_factory=list)

    async def get_context(self, turn: Turn) -> str | None:
        self.seen.append(turn)
        await asyncio.sleep(self.delay)
        return self.text


class Raises:
    context_priority = 1

    async def get_context(self, turn: Turn) -> str | None:
        raise RuntimeError(turn.text)


class Stubborn:
    """Does not even stop when it is told to."""

    context_priority = 1

    async def get_context(self, turn: Turn) -> str | None:  # noqa: ARG002
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.2)
        return "too late"


class Stage:
    """Everything a turn needs but extensions."""

    def __init__(self, home: Path, database: Database, clock: FakeClock) -> None:
        self.clock = clock
        self.owner = Owner(home)
        self.bus = Bus(database, self.owner, clock)
        self.router = MessageRouter(database, self.bus, self.owner, clock, IDLE)
        self.checkpoints = Checkpoints(database)
        self.heard: list[str] = []
        self.bus.subscribe(UserMessage, "ear", self._hear)
        self.bus.subscribe(AgentResponse, "ear", self._hear)

    async def _hear(self, event: UserMessage | AgentResponse) -> None:
        self.heard.append(event.text)

    def runner(self, responder: ScriptedResponder | None, providers: Sequence[Provider] = ()) -> TurnRunner:
        return TurnRunner(self.router, self.checkpoints, providers, 0.2, responder, self.clock)

    async def run(self, runner: TurnRunner, text: str = "Hello.") -> list[Part]:
        taken = await self.router.take(text, user="ann", channel="chat")
        parts = [part async for part in runner.run(taken)]
        await self.bus.settled()
        return parts

    async def session(self) -> str:
        session = await self.router.session("ann", "chat")
        assert session is not None
        return session


@asynccontextmanager
async def staged(home: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    database = await Database.open(home / "kernel.db")
    stage = Stage(home, database, clock)
    await stage.bus.start()
    try:
        yield stage
    finally:
        await stage.bus.close()
        stage.owner.close()
        await database.close()


@pytest.fixture
async def stage(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    async with staged(tmp_path, clock) as staged_:
        yield staged_


# --- context ----------------------------------------------------------------------------------------------------------


async def test_context_stands_in_the_order_of_priority_before_the_reply(stage: Stage) -> None:
    responder = ScriptedResponder(["Hello, Ann."])
    providers = [Provider("b", Says("second", 20)), Provider("a", Says("first", 10)), Provider("c", Says(None, 5))]
    parts = await stage.run(stage.runner(responder, providers))
    assert parts == [Context("first\n\nsecond"), Delta("Hello"), Delta(", Ann."), Reply("Hello, Ann.")]
    assert responder.asked[0][1] == "first\n\nsecond"
    assert stage.heard == ["Hello.", "Hello, Ann."]


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        (Provider("slow", Says("late", delay=60)), "slow took longer than 0.2 s"),
        (Provider("stubborn", Stubborn()), "stubborn took longer than 0.2 s"),
        (Provider("broken", Raises()), "broken failed (RuntimeError)"),
    ],
)
async def test_a_provider_that_fails_is_left_out_and_named(stage: Stage, provider: Provider, told: str) -> None:
    runner = stage.runner(ScriptedResponder(["Hello, Ann."]), [provider, Provider("good", Says("what is known"))])
    context, *_, reply = await stage.run(runner)
    assert context == Context("what is known", (told,))
    assert reply == Reply("Hello, Ann.")
    await asyncio.sleep(0.25)  # the stubborn one comes to its end


async def test_without_a_model_the_message_is_kept_and_the_context_is_shown(stage: Stage) -> None:
    provider = Says("what is known")
    assert await stage.run(stage.runner(None, [Provider("memory", provider)])) == [
        Context("what is known"),
        Reply(None),
    ]
    assert stage.heard == ["Hello."]
    assert not provider.seen[0].sees_session


async def test_an_agent_sees_its_session_itself(stage: Stage) -> None:
    provider = Says(None)
    await stage.run(stage.runner(ScriptedResponder(["Well."]), [Provider("memory", provider)]))
    assert provider.seen[0].sees_session


# --- failure ----------------------------------------------------------------------------------------------------------


async def test_where_the_model_fails_the_reason_is_given_and_the_next_turn_works(stage: Stage) -> None:
    runner = stage.runner(ScriptedResponder([REFUSED, "Back again."]))
    assert (await stage.run(runner))[-1] == Reply(None, "m at 127.0.0.1:1 refuses the connection.")
    assert (await stage.run(runner, "And now?"))[-1] == Reply("Back again.")
    assert stage.heard == ["Hello.", "And now?", "Back again."]


async def test_a_reply_that_is_left_is_none(stage: Stage) -> None:
    async def endless(turn: Turn, context: str) -> str:  # noqa: ARG001
        await asyncio.sleep(60)
        return ""

    runner = stage.runner(ScriptedResponder([endless, "Well."]))
    taken = await stage.router.take("Tell me everything.", user="ann", channel="chat")

    async def listen() -> None:
        async with aclosing(runner.run(taken)) as parts:
            async for _ in parts:
                pass

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.05)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert (await stage.run(runner))[-1] == Reply("Well.")
    assert stage.heard == ["Tell me everything.", "Hello.", "Well."]


async def test_turns_of_one_session_come_one_after_the_other(stage: Stage) -> None:
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


# --- what is cut off --------------------------------------------------------------------------------------------------


async def test_a_turn_that_is_done_again_does_not_double_what_the_agent_remembers(
    tmp_path: Path, clock: FakeClock
) -> None:
    responder = ScriptedResponder(["Hello, Ann.", "A cello."])
    async with staged(tmp_path, clock) as first:
        await first.run(first.runner(responder))
        taken = await first.router.take("What do I play?", user="ann", channel="chat")
        noted = {"orchestrator": {"turn": taken.turn.id, "items": 2}}
        at_death = replace(taken.checkpoint, graph=Graph(taken.turn.id, "agent"), agents=noted)
        await first.checkpoints.save(taken.turn.session, at_death, 0)
        responder.remembered[taken.turn.session] += ["What do I play?", "A ce"]
    async with staged(tmp_path, clock) as second:
        (again,) = await second.router.cut_off()
        async for _ in second.runner(responder).run(again, is_heard=False):
            pass
        assert await second.router.missed("ann", "chat") == [Reply("A cello.")]
    assert responder.remembered[taken.turn.session] == ["Hello.", "Hello, Ann.", "What do I play?", "A cello."]


async def test_every_step_is_in_the_checkpoint(stage: Stage) -> None:
    steps = []

    async def look(turn: Turn, context: str) -> str:  # noqa: ARG001
        checkpoint = await stage.checkpoints.load(turn.session)
        assert checkpoint is not None
        steps.append((checkpoint.graph.step, checkpoint.context, checkpoint.agents["orchestrator"]["items"]))
        return "Well."

    responder = ScriptedResponder([look, look])
    runner = stage.runner(responder, [Provider("memory", Says("what is known"))])
    await stage.run(runner)
    await stage.run(runner, "And then?")
    assert steps == [("agent", "what is known", 0), ("agent", "what is known", 2)]
    done = await stage.checkpoints.load(await stage.session())
    assert done is not None
    assert done.graph.step == "answered"
    assert [each.text for each in done.conversation] == ["Hello.", "Well.", "And then?", "Well."]
