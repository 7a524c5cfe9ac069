"""What a channel talks to: one person's exchange with the assistant."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from sandbox.events import Trust
from sandbox.protocols import Command, Part, Reply
from sandbox.router import MessageRouter
from sandbox.turn import TurnRunner


class Exchange:
    """A ``Conversation`` over the kernel's router and turns."""

    def __init__(
        self,
        router: MessageRouter,
        turns: TurnRunner,
        channel: str,
        user: str,
        speaker: str | None,
        model: str | None,
        commands: Sequence[Command],
    ) -> None:
        self.channel = channel
        self.user = user
        self.speaker = speaker
        self.model = model
        self.commands = commands
        self.session: str | None = None
        self._router = router
        self._turns = turns

    async def say(self, text: str, *, key: str | None = None, trust: Trust = "user") -> AsyncGenerator[Part, None]:
        """Take a message and answer it; what there is to show, as it comes. Raises ``InvalidMessage``, ``StateFull``,
        ``StateUnusable``.
        """
        taken = await self._router.take(
            text, user=self.user, channel=self.channel, key=key, trust=trust, speaker=self.speaker
        )
        self.session = taken.turn.session
        async with aclosing(self._turns.run(taken)) as parts:
            async for part in parts:
                yield part

    async def begin(self) -> None:
        """End the session, if there is one; the next message begins another."""
        await self._router.end(self.user, self.channel)
        self.session = None

    async def missed(self) -> Sequence[Reply]:
        """Replies of turns that were interrupted and finished since; each is given once."""
        return await self._router.missed(self.user, self.channel)
