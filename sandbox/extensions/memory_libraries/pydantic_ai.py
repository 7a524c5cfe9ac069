"""pydantic-ai: the tools of the memory as a toolset."""

from typing import Any

from pydantic_ai import ModelRetry, Tool as PydanticTool
from pydantic_ai.toolsets import FunctionToolset

from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Call, Refusal, Tool
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope

__all__ = ["GUIDANCE", "memory_toolset"]


def memory_toolset(memory: Memory, *, scope: Scope | None = None) -> FunctionToolset[Any]:
    """The tools for an agent. Put ``GUIDANCE`` into its instructions; it says when to use them. A refusal goes back to
    the model with its advice.
    """
    return FunctionToolset([_function(each, memory, scope or Scope()) for each in tools(memory.config)])


def _function(tool: Tool, memory: Memory, scope: Scope) -> PydanticTool[Any]:
    async def call(**arguments: Any) -> dict[str, Any]:
        try:
            return dict(await tool.answer(Call(memory, scope), tool.parsed(arguments)))
        except Refusal as refusal:
            raise ModelRetry(str(refusal)) from refusal

    return PydanticTool.from_schema(call, tool.name, tool.description, tool.parameters.model_json_schema())
