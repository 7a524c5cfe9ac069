"""Call a tool for a model: every request gets an answer with keys and values that say what to do next."""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox.errors import ToolRefused
from sandbox.guarded_calls import Failed, attempt
from sandbox.protocols import Tool, Turn

if TYPE_CHECKING:
    from pydantic import ValidationError

logger = logging.getLogger(__name__)

TOOL_SECONDS = 30.0
_LONGEST = 200  # characters about one argument, which may quote it
_MOST_PROBLEMS = 5


async def call(tool: Tool, turn: Turn, arguments: str, seconds: float = TOOL_SECONDS) -> dict[str, Any]:
    """Run the tool with arguments as a model wrote them, JSON or not.

    Returns the tool's answer with ``ok`` true; otherwise ``ok`` false, ``error`` and ``advice``. Lowers the trust of
    the turn to that of the tool. Raises only ``CancelledError``.
    """
    from pydantic import ValidationError

    try:
        values = tool.parameters.model_validate_json(arguments.strip() or "{}")
    except ValidationError as error:
        return failed(_misfit(error), f"call {tool.name} again with arguments that fit its parameters")
    if tool.trust is not None:
        turn.lower_trust(tool.trust)

    async def run() -> dict[str, Any]:
        return {"ok": True, **await tool.run(turn, values)}

    try:
        return await attempt(run(), seconds)
    except Failed as problem:
        if isinstance(problem.error, ToolRefused):
            return failed(problem.error.details["problem"], problem.error.details["advice"])
        logger.warning("tool %s %s", tool.name, problem)
        return failed(f"{tool.name} {problem}", "go on without it, and say so if it matters")


def unknown(name: str, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """The answer to a call of an unknown tool."""
    known = f"call one of: {', '.join(tools)}" if tools else "answer without tools"
    return failed(f"there is no tool {name[:_LONGEST]!r}", known)


def failed(error: str, advice: str) -> dict[str, Any]:
    """The answer to a failed call."""
    return {"ok": False, "error": error, "advice": advice}


def _misfit(error: "ValidationError") -> str:
    """The wrong argument, and what was expected, without its value."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    if problems[0]["type"] == "json_invalid":
        return f"the arguments are no JSON object ({problems[0]['msg']})"
    lines = (f"`{'.'.join(map(str, each['loc'])) or 'arguments'}`: {each['msg']}" for each in problems[:_MOST_PROBLEMS])
    return "; ".join(each[:_LONGEST] for each in lines)
