"""The extension: a channel to the person at this process's terminal, or to its standard input."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from sandbox.errors import InvalidSettings
from sandbox.events import Erase
from sandbox.extensions.cli_channel.screen import Screen
from sandbox.protocols import Conversation, ExtensionContext
from sandbox.settings import CONFIG
from sandbox.support.diagnosis import Check
from sandbox.support.fields import Fields

HISTORY = "chat_history"
_KEPT = timedelta(days=30)  # for so long, typed lines are kept; `memory chat --help` tells it


class CliChannel:
    """A person at a terminal."""

    def __init__(self) -> None:
        self._home = Path()
        self._keeps_history = False

    async def start(self, context: ExtensionContext) -> None:
        """Read the settings, and delete typed lines that are too old. Raises ``InvalidSettings``."""
        config = Fields(context.home / CONFIG, context.config, InvalidSettings, f"{context.id}.")
        self._keeps_history = config.flag("history")
        self._home = context.home
        context.subscribe(Erase, self._erase)
        before = context.clock() - _KEPT
        for file in context.home.glob(f"{HISTORY}*"):
            _delete_before(file, before)

    async def stop(self) -> None:
        """Do nothing."""

    async def check(self) -> Sequence[Check]:
        """Where typed lines are stored."""
        kept = f"kept in {self._home / HISTORY}; deleting it is safe" if self._keeps_history else "not kept"
        return [Check("typed lines", ok=True, detail=kept)]

    async def converse(self, conversation: Conversation) -> None:
        """Run until the person leaves, or the input ends."""
        from sandbox.extensions.cli_channel.chat import Chat
        from sandbox.extensions.cli_channel.reading import reader_of_process

        screen = Screen.of_process()
        chat = Chat(conversation, screen)
        history = history_of(self._home, conversation.user) if self._keeps_history else None
        reader = reader_of_process(history, list(chat.commands), chat.hint)
        if reader.is_person or conversation.model is None:
            screen.note(_greeting(conversation.model, self._home))
            screen.gap()
        await chat.run(reader)

    async def _erase(self, event: Erase) -> None:
        """Delete all typed lines of the user, because they are not stored by conversation."""
        history_of(self._home, event.user).unlink(missing_ok=True)


def history_of(home: Path, user: str) -> Path:
    """The file of the lines that a user typed; the arrow keys show them to nobody else."""
    own = "" if user == "default" else f"-{sha256(user.encode(errors='replace')).hexdigest()[:16]}"
    return home / f"{HISTORY}{own}"


def _delete_before(file: Path, moment: datetime) -> None:
    """Delete lines that were typed before a moment. Above each stands a line ``# `` with its local time."""
    until = f"# {moment.astimezone().replace(tzinfo=None)}"
    with suppress(OSError):  # another chat, or another command, does it
        lines = re.split(r"(?m)^(?=# )", file.read_text("utf-8", "surrogateescape"))
        kept = "".join(each for each in lines if not each.startswith("# ") or each >= until)
        if not kept.strip():
            file.unlink()
        elif len(kept) < sum(map(len, lines)):
            file.write_text(kept, "utf-8", "surrogateescape")


def _greeting(model: str | None, home: Path) -> str:
    if model is not None:
        return f"{model}, with the memory in {home}. /help says what can be typed."
    return f"""\
No model to talk with, so you see what happens without one: what you type is remembered in {home}, and what an \
assistant would be given for it is shown. Nobody obeys it: a line like "forget that" is remembered, too. /help says \
what can be typed, also how to correct and forget; `memory chat --help` how to name a model."""
