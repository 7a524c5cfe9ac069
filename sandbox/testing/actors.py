"""A clock that can be set, and an agent that follows a script."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sandbox.protocols import Delta, Part, Reply, Turn

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)  # a Monday


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        """The moment it stands at."""
        return self.moment

    def advance(self, **by: float) -> datetime:
        """Move it on by a ``timedelta``, given as keyword arguments; return the new time."""
        self.moment += timedelta(**by)
        return self.moment


@dataclass(slots=True)
class ScriptedResponder:
    """Answers messages without a model: with the next of ``replies``, which may be None for silence, an error to raise,
    or a function of the turn and its context. It keeps the questions it got.
    """

    replies: Iterable[str | Exception | Callable[[Turn, str], Awaitable[str | None]] | None]
    name: str = "orchestrator"
    model_name: str = "a script"
    asked: list[tuple[Turn, str]] = field(default_factory=list)
    _next: Iterator[Any] | None = None

    async def answer(self, turn: Turn, context: str) -> AsyncGenerator[Part, None]:
        """The next reply, in two pieces and whole."""
        self.asked.append((turn, context))
        self._next = self._next or iter(self.replies)
        reply = next(self._next)
        if isinstance(reply, Exception):
            raise reply
        text = await reply(turn, context) if callable(reply) else reply
        if text is None:
            yield Reply(None)
            return
        half = len(text) // 2
        yield Delta(text[:half])
        yield Delta(text[half:])
        yield Reply(text)
