"""Sessions and tools for the OpenAI Agents SDK; it needs the extra ``agents``."""

from sandbox.extensions.memory_libraries.openai_agents import (
    GUIDANCE as GUIDANCE,
    MemorySession as MemorySession,
    memory_tools as memory_tools,
)
