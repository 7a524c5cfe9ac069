"""Every way into a memory, as steps that data can name: say, tell, call, import and send."""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.tooling import Call, Refusal
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory_mcp.server import Who
from sandbox.extensions.memory_web.app import create_app
from sandbox.support.trust import Trust, least
from sandbox.testing import FakeClock
from tests.mcp.conftest import connected

_TOOLS = {tool.name: tool for tool in tools(Config.load())}
_TOKEN = "t" * 32
NEAR = "the nearest of the user's statements"  # among ``Person.ids``
LOWERED = "lowered"  # by what the tools of the same turn returned

Step = dict[str, Any]


@dataclass
class Person:
    """A user into whose memory others write. ``ids`` are the memories that steps can name."""

    memory: Memory
    folder: Path
    scope: Scope
    clock: FakeClock
    ids: dict[str, str] = field(default_factory=dict)
    lowered: Trust = "user"

    async def undergo(self, steps: list[Step]) -> None:
        """Run each step as often as its ``copies`` say, with its number in place of ``{n}``; ignore refusals."""
        for step in steps:
            for number in range(1, step.get("copies", 1) + 1):
                self.clock.advance(seconds=1)
                with suppress(MemoryExtensionError, Refusal):
                    await self._do(_numbered(step, number))
        with suppress(MemoryExtensionError):
            await self.memory.consolidate(scope=self.scope)

    async def _do(self, step: Step) -> None:
        way = next(name for name in _WAYS if name in step)
        await _WAYS[way](self, step)

    def _as(self, step: Step) -> Scope:
        """The scope of a step: the person's, or that of another user who writes for everybody."""
        return Scope(step["everybody"], visibility="global") if "everybody" in step else self.scope

    async def say(self, step: Step) -> str:
        """Store a turn."""
        given = {name: step[name] for name in ("speaker", "source", "trust") if name in step}
        session = step.get("session", f"{self.scope.user_id} talks")
        return await self.memory.observe(step["role"], step["text"], session=session, scope=self._as(step), **given)

    async def tell(self, step: Step) -> None:
        """Store a statement, perhaps with a turn as its source."""
        names = ("category", "trust", "subject", "tags", "contexts", "key", "on_similar")
        given = {name: step[name] for name in names if name in step}
        rests_on = [await self.say(step["resting_on"])] if "resting_on" in step else []
        id = await self.memory.remember(step["tell"], rests_on=rests_on, scope=self._as(step), **given)
        self.ids[str(step.get("as", step["tell"]))] = id

    async def correct(self, step: Step) -> None:
        """Correct a memory."""
        await self.memory.correct(self.ids[step["correct"]], step["to"], trust=step["trust"], scope=self.scope)

    async def confirm(self, step: Step) -> None:
        """Confirm a memory, also as a person."""
        with suppress(MemoryExtensionError):
            await self.memory.confirm(self.ids[step["confirm"]], trust=step["trust"], scope=self.scope)
        await self.memory.confirm(self.ids[step["confirm"]], trust=step["trust"], by_person=True, scope=self.scope)

    async def forget(self, step: Step) -> None:
        """Forget a memory."""
        await self.memory.forget(self.ids[step["forget"]], trust=step["trust"], scope=self.scope)

    async def restore(self, step: Step) -> None:
        """Restore a forgotten memory."""
        await self.memory.restore(self.ids[step["restore"]], trust=step["trust"], scope=self.scope)

    async def learn(self, step: Step) -> None:
        """Learn from a conversation."""
        await self.memory.consolidate(step["learn"], scope=self._as(step))

    async def merge(self, step: Step) -> None:
        """Merge two names."""
        await self.memory.merge_entities(step["merge"], step["into"], trust=step["trust"], scope=self.scope)

    async def call(self, step: Step) -> None:
        """An assistant calls a tool in a turn that answers the person's message."""
        self.lowered = self.lowered if step.get("trust") == LOWERED else step.get("trust", "user")
        message = Message("user", step["answering"], "t", self.clock(), key=f"{self.scope.user_id} {self.clock()}")
        at = LocalTime(self.clock(), ZoneInfo("UTC"))
        call = Call(self.memory, self.scope, at, self.lowered, self._lower, message)
        tool = _TOOLS[step["call"]]
        given = {**({"id": self.ids[step["of"]]} if "of" in step else {}), **step["with"]}
        await tool.answer(call, tool.parameters.model_validate(given))

    def _lower(self, trust: Trust) -> None:
        self.lowered = least(self.lowered, trust)

    async def connect(self, step: Step) -> None:
        """A client of MCP calls a tool over a connection with the present trust."""
        profile, tool = step["mcp"].split("/")
        who = Who(self.scope.user_id, trust=step["trust"])
        async with connected(self.memory, self.clock, profile, who=who) as agent:
            await agent.client.call_tool(tool, step["with"])

    async def bring(self, step: Step) -> None:
        """Import a file."""
        folder = self.folder / self.scope.user_id
        folder.mkdir(exist_ok=True)
        file = folder / step["file"]
        file.write_text(step["content"], encoding="utf-8")
        await self.memory.import_file(file, scope=self._as(step))

    async def sleep(self, step: Step) -> None:
        """Run some steps of the night."""
        await self.memory.maintain(only=step["night"])

    async def send(self, step: Step) -> None:
        """Send a request over HTTP."""
        transport = httpx.ASGITransport(create_app(self.memory, _TOKEN))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            await client.post(step["rest"], params={"user": self.scope.user_id}, json=step["body"])


_WAYS = {
    "role": Person.say,
    "tell": Person.tell,
    "correct": Person.correct,
    "confirm": Person.confirm,
    "forget": Person.forget,
    "restore": Person.restore,
    "learn": Person.learn,
    "merge": Person.merge,
    "call": Person.call,
    "mcp": Person.connect,
    "file": Person.bring,
    "night": Person.sleep,
    "rest": Person.send,
}


def _numbered(step: Step, number: int) -> Step:
    return {
        name: value.replace("{n}", str(number)) if isinstance(value, str) and name in ("text", "tell") else value
        for name, value in step.items()
    }
