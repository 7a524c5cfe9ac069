"""A long-term memory for assistants: ``async with Memory.open(folder) as memory``."""

from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import AsOf, Block, Hit, Message, Scope, Statement

__all__ = ["AsOf", "Block", "Hit", "Memory", "Message", "Scope", "Statement"]
