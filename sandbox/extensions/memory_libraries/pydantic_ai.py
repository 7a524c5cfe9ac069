"""pydantic-ai: the tools of the memory as a toolset."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai import ModelRetry, Tool
from pydantic_ai.toolsets import FunctionToolset

from sandbox.extensions.memory.interfaces.tooling import Refusal
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_libraries.tools import GUIDANCE, Offered, offered

__all__ = ["GUIDANCE", "memory_toolset"]


def memory_toolset(memory: Memory, *, scope: Scope | None = None) -> FunctionToolset[Any]:
    """The tools for an agent. Put ``GUIDANCE`` into its instructions; it says when to use them. A refusal goes back to
    the model with its advice.
    """
    return FunctionToolset([_tool(each) for each in offered(memory, scope)])


def _tool(each: Offered) -> Tool[Any]:
    tool = each.tool
    return Tool.from_schema(_function(each), tool.name, tool.description, each.schema)


def _function(each: Offered) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def call(**arguments: Any) -> dict[str, Any]:
        try:
            return await each.call(arguments)
        except Refusal as refusal:
            raise ModelRetry(str(refusal)) from refusal

    return call
