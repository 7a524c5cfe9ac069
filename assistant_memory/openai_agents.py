"""Sessions and tools for the OpenAI Agents SDK; it needs the extra ``agents``."""

from sandbox.extensions.memory_libraries.openai_agents import GUIDANCE, MemorySession, memory_tools

__all__ = ["GUIDANCE", "MemorySession", "memory_tools"]
