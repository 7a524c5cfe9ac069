"""An assistant that calls tools as a host allows it: by name, with plain arguments."""

from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.tooling import Call
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.support.trust import Trust, least
from sandbox.testing import FakeClock

BERLIN = ZoneInfo("Europe/Berlin")


@dataclass
class Assistant:
    """Answers one turn after the other; ``trust`` is the lowest trust of the texts in the present turn."""

    memory: Memory
    clock: FakeClock
    trust: Trust = "user"
    message: Message | None = None
    scope: Scope = field(default_factory=Scope)
    config: Config = field(default_factory=Config.load)

    def turn(self, text: str, key: str, trust: Trust = "user") -> None:
        """A person sends a message; the turn has no other text yet."""
        self.trust, self.message = trust, Message("user", text, "s1", self.clock(), key=key, trust=trust)

    async def call(self, tool_name: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool, which becomes part of the turn."""
        tool = {each.name: each for each in tools(self.config)}[tool_name]
        at = LocalTime(self.clock(), BERLIN)
        call = Call(self.memory, self.scope, at, self.trust, self._lower, self.message)
        return dict(await tool.answer(call, tool.parameters.model_validate(arguments)))

    def _lower(self, trust: Trust) -> None:
        self.trust = least(self.trust, trust)


@pytest.fixture
def assistant(memory: Memory, clock: FakeClock) -> Assistant:
    """An assistant with an empty memory that searches by words."""
    return Assistant(memory, clock)
