"""A LangGraph store in the memory: ``MemoryStore(memory)``; it needs the extra ``langgraph``."""

from sandbox.extensions.memory_libraries.langgraph import MemoryStore as MemoryStore
