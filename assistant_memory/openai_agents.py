"""Sessions and tools for the OpenAI Agents SDK; it needs the extra ``agents``."""

from sandbox.support.errors import needing

with needing("assistant_memory.openai_agents", "agents"):
    from sandbox.extensions.memory_libraries.openai_agents import (
        GUIDANCE as GUIDANCE,
        MemorySession as MemorySession,
        memory_tools as memory_tools,
    )
