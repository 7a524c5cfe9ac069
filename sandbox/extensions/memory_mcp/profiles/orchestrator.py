"""The tools of an assistant: those of ``interfaces``."""

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import TOOL_NAMES
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory_mcp.tooling import Profile


def profile(config: Config) -> Profile:
    """All tools."""
    return Profile("orchestrator", GUIDANCE, tools(config), {**TOOL_NAMES, "command": "memory"})
