"""A LangGraph store in the memory: ``MemoryStore(memory)``; it needs the extra ``langgraph``."""

from sandbox.support.errors import needing

with needing("assistant_memory.langgraph", "langgraph"):
    from sandbox.extensions.memory_libraries.langgraph import MemoryStore as MemoryStore
