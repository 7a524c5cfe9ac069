"""A long-term memory for assistants: ``async with Memory.open(folder) as memory``."""

from typing import TYPE_CHECKING

from sandbox.extensions.memory import errors as errors
from sandbox.extensions.memory.model import AsOf, Block, Claim, Hit, Message, Scope, Statement

if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory

__all__ = ["AsOf", "Block", "Claim", "Hit", "Memory", "Message", "Scope", "Statement"]


def __getattr__(name: str) -> object:
    """Import ``Memory`` when it is first asked for: child processes start without it."""
    if name != "Memory":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sandbox.extensions.memory.memory import Memory

    globals()[name] = Memory
    return Memory


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
