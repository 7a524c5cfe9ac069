"""A toolset for pydantic-ai; it needs the extra ``pydantic-ai``."""

from sandbox.extensions.memory_libraries.pydantic_ai import GUIDANCE, memory_toolset

__all__ = ["GUIDANCE", "memory_toolset"]
