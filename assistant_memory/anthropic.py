"""Anthropic's memory tool with its files in the memory; it needs the extra ``anthropic``."""

from sandbox.support.errors import needing

with needing("assistant_memory.anthropic", "anthropic"):
    from sandbox.extensions.memory_libraries.anthropic import (
        AsyncMemoryTool as AsyncMemoryTool,
        MemoryTool as MemoryTool,
    )
