"""The tools of the memory with what answers them, for the libraries whose tools are functions."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from sandbox.extensions.memory.interfaces.tooling import Call, InputTrust, Tool
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_libraries.blocking import Blocking, reached
from sandbox.support.trust import Trust

Answer = Callable[[Mapping[str, Any] | str | None], Awaitable[dict[str, Any]]]
"""Takes the arguments of a call, as values or as JSON. Raises ``Refusal``."""


def answered(memory: Memory | Blocking, scope: Scope | None, trust: Trust) -> list[tuple[Tool, Answer]]:
    """Each tool and what answers its calls: with ``trust``, and less after an answer contained less trusted text."""
    at, input_trust = reached(memory), InputTrust(trust)

    async def answer(tool: Tool, arguments: Mapping[str, Any] | str | None) -> dict[str, Any]:
        now = LocalTime(at.memory.clock())
        call = Call(at.memory, scope or Scope(), now, input_trust.now, input_trust.lower)
        return dict(await at.wait(tool.answer(call, tool.parsed(arguments))))

    return [(tool, partial(answer, tool)) for tool in tools(at.memory.config)]
