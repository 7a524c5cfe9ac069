"""A conversation with a script, and the channel over it, in this process or in a terminal's."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from sandbox.errors import InvalidMessage, SandboxError
from sandbox.extensions.cli_channel.chat import Chat
from sandbox.extensions.cli_channel.reading import reader_of_process
from sandbox.extensions.cli_channel.screen import Screen
from sandbox.protocols import Command, Context, Conversation, Delta, Part, Reply, ToolUse
from sandbox.support.trust import Trust

Happening = Part | SandboxError | float
"""A part that comes, an error, or seconds that pass."""

GREETING = (Context(""), Delta("Hello"), Delta(", Ann."), Reply("Hello, Ann."))


class Scripted:
    """A ``Conversation``. Each message takes the next turn of the script; the last turn repeats."""

    def __init__(
        self,
        *turns: Sequence[Happening],
        model: str | None = "parrot",
        missed: Sequence[Reply] = (),
        commands: Sequence[Command] = (),
    ) -> None:
        self.user = "ann"
        self.model = model
        self.commands = commands
        self.session: str | None = None
        self.said: list[str] = []
        self.sessions_begun = 0
        self._turns = list(turns or [GREETING])
        self._missed = missed

    async def say(
        self,
        text: str,
        *,
        key: str | None = None,  # noqa: ARG002
        trust: Trust = "user",  # noqa: ARG002
    ) -> AsyncGenerator[Part, None]:
        if "\x00" in text:
            raise InvalidMessage(problem="holds NUL")
        self.said.append(text)
        for happening in self.happenings(text):
            if isinstance(happening, SandboxError):
                raise happening
            if isinstance(happening, float):
                await asyncio.sleep(happening)
            else:
                yield happening

    def happenings(self, _: str) -> Sequence[Happening]:
        """The next turn."""
        return self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]

    async def begin(self) -> None:
        self.sessions_begun += 1

    async def missed(self) -> Sequence[Reply]:
        missed, self._missed = self._missed, ()
        return missed


async def echo(argument: str, conversation: Conversation) -> str:
    return f"{conversation.user} typed {argument!r}"


async def broken(argument: str, _: Conversation) -> str:
    raise KeyError(argument)


COMMANDS = (
    Command("memory", "/memory list\n/memory delete ID", "what is remembered", echo),
    Command("broken", "/broken", "never works", broken),
)


async def main(history: str) -> None:
    """At a terminal: replies repeat the message; `slow` never ends; after `miss` a reply comes late."""
    conversation = Parrot(commands=COMMANDS)
    chat = Chat(conversation, Screen.of_process())
    await chat.run(reader_of_process(Path(history), list(chat.commands), chat.hint))
    print(f"left after {len(conversation.said)}")


class Parrot(Scripted):
    """Repeats each message."""

    _asked = 0

    async def missed(self) -> Sequence[Reply]:
        """The late reply, at the second request after `miss`, when the next line is already awaited."""
        self._asked = self._asked + 1 if self.said[-1:] == ["miss"] else 0
        return [Reply("It is Friday.")] if self._asked == 2 else []

    def happenings(self, text: str) -> Sequence[Happening]:
        """What is repeated."""
        said = f"You said {text!r}"
        return [Context(""), ToolUse("repeat"), Delta(said), *[600.0] * (text == "slow"), Reply(said)]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
