"""pydantic-ai: the tools of the memory as a toolset."""

from typing import Any

from pydantic_ai import ModelRetry, Tool as PydanticTool
from pydantic_ai.toolsets import FunctionToolset

from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Refusal, Tool
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_libraries.blocking import Blocking
from sandbox.extensions.memory_libraries.toolset import Answer, answered
from sandbox.support.trust import Trust

__all__ = ["GUIDANCE", "memory_toolset"]


def memory_toolset(
    memory: Memory | Blocking, *, scope: Scope | None = None, trust: Trust = "user"
) -> FunctionToolset[Any]:
    """The tools for an agent. Put ``GUIDANCE`` into its instructions; it says when to use them. A refusal goes back to
    the model with its advice. What the agent stores has ``trust``, and less in the half hour after a less trusted
    memory was shown to it.
    """
    return FunctionToolset([_function(*each) for each in answered(memory, scope, trust)])


def _function(tool: Tool, answer: Answer) -> PydanticTool[Any]:
    async def call(**arguments: Any) -> dict[str, Any]:
        try:
            return await answer(arguments)
        except Refusal as refusal:
            raise ModelRetry(str(refusal)) from refusal

    return PydanticTool.from_schema(call, tool.name, tool.description, tool.parameters.model_json_schema())
