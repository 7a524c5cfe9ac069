"""Anthropic's memory tool with its files in the memory; it needs the extra ``anthropic``."""

from sandbox.extensions.memory_libraries.anthropic import AsyncMemoryTool, MemoryTool

__all__ = ["AsyncMemoryTool", "MemoryTool"]
