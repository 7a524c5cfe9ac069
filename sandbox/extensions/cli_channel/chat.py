"""One person's chat: messages and commands go in, parts of replies come out, until the person leaves."""

import asyncio
import re
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing, contextmanager, nullcontext, suppress
from difflib import get_close_matches
from functools import partial
from typing import Any

from sandbox.errors import InvalidMessage, SandboxError
from sandbox.extensions.cli_channel.reading import Reader
from sandbox.extensions.cli_channel.screen import Screen
from sandbox.protocols import Command, Context, Conversation, Delta, Part, Reply, ToolUse
from sandbox.secrets import mask

KEYS = """\
Enter sends. Alt+Enter, or a \\ at the end of a line, begins a new line.
Ctrl-C clears the line or stops a reply, Ctrl-D leaves.
The arrow keys bring back what was typed, but no line that began with a space.
A message that begins with a slash is written with two: //like this."""

_NO_SECRETS = "Secrets are neither kept nor sent to a model; say where one is kept instead of what it is."
_LEAVES = ("quit", "exit", "bye")  # typed alone by a person; in a pipe they may be words of a conversation
_FIRST_LOOK, _RAREST_LOOK = 0.5, 60.0  # seconds between looks for a reply that was cut off; most come soon or never


class Chat:
    """A conversation on a screen. After ``patience`` seconds without an answer it says how to stop."""

    def __init__(self, conversation: Conversation, screen: Screen, patience: float = 5.0) -> None:
        self._conversation = conversation
        self._screen = screen
        self._patience = patience
        self._running: asyncio.Task[None] | None = None
        self._is_over = False
        own = (
            Command("help", "/help", "what can be typed here", self._help),
            Command("new", "/new", "begin another conversation; what was said in this one is learnt from", self._new),
            Command("quit", "/quit", "leave; so do /exit, and at a terminal quit, exit and bye", self._quit),
        )
        self.commands = {command.name: command for command in (*conversation.commands, *own)}
        self._other_names = dict.fromkeys(("exit", "bye"), self.commands["quit"])

    async def run(self, reader: Reader) -> None:
        """Run until the person leaves, or the output is closed."""
        with self._interruptible() if reader.is_person else nullcontext():
            while not (self._is_over or self._screen.is_gone):
                await self._catch_up()
                try:
                    line = await self._next(reader)
                except InvalidMessage as error:
                    self._screen.note(_line(error))
                    continue
                if line is None:
                    return
                if reader.is_person and line.strip().lower() in _LEAVES:
                    return
                await self._unless_stopped(self._take(line.strip(), reader))

    def hint(self) -> None:
        """Say how to leave."""
        self._screen.note("Ctrl-D or /quit leaves.")

    # --- input --------------------------------------------------------------------------------------------------------

    async def _take(self, line: str, reader: Reader) -> None:
        if line.startswith("/") and not line.startswith("//"):
            reader.keep(mask(line).text)
            await self._obey(*line[1:].split(maxsplit=1))
        elif line:
            await self._say(line.removeprefix("/"), lambda said: reader.keep(line[: line.startswith("/")] + said))

    async def _say(self, message: str, keep: Callable[[str], None]) -> None:
        line, is_kept = mask(message).text, False
        answer = ReplyPrinter(self._screen, has_model=self._conversation.model is not None)
        waiting = asyncio.get_running_loop().call_later(self._patience, self._wonder)
        try:
            async with aclosing(self._conversation.say(message)) as parts:
                async for part in parts:
                    if isinstance(part, Context):
                        keep(part.said or line)
                        is_kept = True
                    else:
                        waiting.cancel()
                    answer.show(part)
        except SandboxError as error:
            self._screen.note(_line(error))
        finally:
            waiting.cancel()
            if not is_kept:
                keep(line)
        self._screen.gap()

    async def _obey(self, name: str = "", argument: str = "") -> None:
        command = self.commands.get(name) or self._other_names.get(name)
        try:
            answer = await command.run(argument, self._conversation) if command else self._unknown(name)
        except Exception as error:
            self._screen.note(_line(error))
        else:
            if answer:
                self._screen.show(answer)
        if not self._is_over:
            self._screen.gap()

    def _unknown(self, name: str) -> str:
        similar = get_close_matches(name, self.commands, n=1)
        usages = [line for command in self.commands.values() for line in command.usage.splitlines()]
        if not similar and (near := [line for line in usages if name.lower() in re.findall(r"\w+", line)]):
            return "\n".join([f"There is no command /{name}; this is near:", *near])
        advice = f"did you mean /{similar[0]}?" if similar else "/help lists what there is."
        return f"There is no command /{name}; {advice}"

    # --- own commands -------------------------------------------------------------------------------------------------

    async def _help(self, _: str, __: Conversation) -> str:
        width = max(map(len, self.commands)) + 1
        lines = []
        for name, command in self.commands.items():
            lines.append(f"{f'/{name}':<{width}}  {command.summary}")
            if command.usage != f"/{name}":
                lines += (f"    {line}" for line in command.usage.splitlines())
        return "\n".join([*lines, "", KEYS])

    async def _new(self, _: str, conversation: Conversation) -> str:
        await conversation.begin()
        return "Another conversation begins."

    async def _quit(self, _: str, __: Conversation) -> str:
        self._is_over = True
        return ""

    # --- background ---------------------------------------------------------------------------------------------------

    async def _next(self, reader: Reader) -> str | None:
        """The next input. Meanwhile replies that were cut off are produced again, and shown when they are ready."""
        if not reader.is_person:
            return await reader.read()
        is_typed = asyncio.Event()
        watching = asyncio.create_task(self._watch(reader, is_typed))
        try:
            return await reader.read()
        finally:
            is_typed.set()
            await watching

    async def _watch(self, reader: Reader, is_typed: asyncio.Event) -> None:
        pause = _FIRST_LOOK
        while not is_typed.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(is_typed.wait(), pause)
            pause = min(pause * 1.5, _RAREST_LOOK)
            with suppress(SandboxError):
                if not is_typed.is_set() and (missed := await self._conversation.missed()):
                    await reader.interrupt(partial(self._show_missed, missed))

    async def _catch_up(self) -> None:
        try:
            self._show_missed(await self._conversation.missed())
        except SandboxError as error:
            self._screen.note(_line(error))

    def _show_missed(self, replies: Sequence[Reply]) -> None:
        """Show the replies of turns whose channel was gone."""
        for reply in replies:
            if reply.text:
                self._screen.note("The reply that was cut off:")
            ReplyPrinter(self._screen, has_model=True).show(reply)
            self._screen.gap()

    def _wonder(self) -> None:
        if self._screen.is_terminal:
            self._screen.note("No answer yet; Ctrl-C stops waiting.")

    async def _unless_stopped(self, work: Coroutine[Any, Any, None]) -> None:
        """Run it; Ctrl-C stops it, but not the chat."""
        self._running = asyncio.create_task(work)
        try:
            await self._running
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            self._screen.cut()
            self._screen.note("Stopped.")
            self._screen.gap()
        finally:
            self._running = None

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C stops what runs inside; otherwise it is a key."""
        loop = asyncio.get_running_loop()
        before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._stop))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()


class ReplyPrinter:
    """Shows the parts of one turn as they come."""

    def __init__(self, screen: Screen, *, has_model: bool) -> None:
        self._screen = screen
        self._has_model = has_model
        self._streamed = ""

    def show(self, part: Part) -> None:
        """The next part."""
        match part:
            case Context():
                self._context(part)
            case Delta(text):
                self._streamed += text
                self._screen.stream(text)
            case ToolUse(name, ok):
                self._tool(name, ok)
            case Reply():
                self._reply(part)

    def _context(self, context: Context) -> None:
        if context.masked:
            self._screen.note(f"· masked: {', '.join(context.masked)}. {_NO_SECRETS}")
        for missing in context.missing:
            self._screen.note(f"· not consulted: {missing}")
        if self._has_model:
            return
        if context.text:
            self._screen.note("Remembered. An assistant would be given:")
            self._screen.quote(context.text)
        else:
            self._screen.note("Remembered. Nothing else that is known bears on it yet.")

    def _tool(self, name: str, ok: bool | None) -> None:
        if ok is None:
            self._screen.note(f"· {name}")
        elif not ok:
            self._screen.note(f"· {name} was refused")

    def _reply(self, reply: Reply) -> None:
        self._screen.end()
        if reply.text and reply.text.strip() not in self._streamed:
            self._screen.show(reply.text)
        if reply.problem:
            self._screen.note(f"{reply.problem.rstrip('.')}; what you said is remembered.")


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
