"""A toolset for pydantic-ai; it needs the extra ``pydantic-ai``."""

from sandbox.support.errors import needing

with needing("assistant_memory.pydantic_ai", "pydantic-ai"):
    from sandbox.extensions.memory_libraries.pydantic_ai import GUIDANCE as GUIDANCE, memory_toolset as memory_toolset
