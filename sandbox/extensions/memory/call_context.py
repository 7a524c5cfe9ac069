"""The current call: its interface, its caller and its session. Each line of the log of changes records them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

Interface = Literal["library", "cli", "mcp", "rest", "hook", "chat", "night"]


class CallContext(NamedTuple):
    """One call: its interface, its caller and its session. Its changes share a ``batch``."""

    interface: Interface = "library"
    actor: str | None = None
    session: str | None = None
    batch: str | None = None


CALL_CONTEXT: ContextVar[CallContext | None] = ContextVar("call_context", default=None)
"""The current call, or the call that an interface is about to make."""


@contextmanager
def through(interface: Interface) -> Iterator[None]:
    """Name the interface for all changes until the end of the block, here and in tasks that are started here."""
    token = CALL_CONTEXT.set((CALL_CONTEXT.get() or CallContext())._replace(interface=interface))
    try:
        yield
    finally:
        CALL_CONTEXT.reset(token)


@contextmanager
def calling(interface: Interface, actor: str | None, session: str | None) -> Iterator[None]:
    """Name one call of a memory that was opened for an interface, unless an outer call is already named."""
    outer = CALL_CONTEXT.get()
    token = CALL_CONTEXT.set(CallContext(outer.interface if outer else interface, actor, session, os.urandom(6).hex()))
    try:
        yield
    finally:
        CALL_CONTEXT.reset(token)
