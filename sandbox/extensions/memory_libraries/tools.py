"""The tools of an assistant for any framework: arguments as JSON in, an answer as values out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Call, Refusal, Tool
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope

__all__ = ["GUIDANCE", "Offered", "offered"]


@dataclass(frozen=True, slots=True)
class Offered:
    """One tool over an open memory."""

    tool: Tool
    memory: Memory
    scope: Scope

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return self.tool.parameters.model_json_schema()

    async def call(self, arguments: Mapping[str, Any] | str) -> dict[str, Any]:
        """The answer. Raises ``Refusal``, which says what was wrong and what to do next."""
        given = arguments if isinstance(arguments, str) else json.dumps(arguments)
        try:
            parsed = self.tool.parameters.model_validate_json(given or "{}")
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise Refusal(f"The arguments are wrong ({wrong}).", "Call the tool again with others.") from error
        return dict(await self.tool.answer(Call(self.memory, self.scope), parsed))


def offered(memory: Memory, scope: Scope | None = None) -> Sequence[Offered]:
    """Every tool."""
    return [Offered(tool, memory, scope or Scope()) for tool in tools(memory.config)]
