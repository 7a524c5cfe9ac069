"""The line editor: the keys of a shell, history, pasting of several lines, completion of commands."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import ConditionalCompleter, WordCompleter
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle

from sandbox.extensions.cli_channel.reading import decoded
from sandbox.support import private


class Keyboard:
    """A person's keyboard. ``history`` is a file, or None; ``hint`` is called for Ctrl-C on an empty line."""

    is_person = True

    def __init__(self, history: Path | None, names: Sequence[str], hint: Callable[[], None]) -> None:
        self._hint = hint
        self._history = _Typed(history or Path(os.devnull))
        self._is_kept = True
        self._session: PromptSession[str] = PromptSession(
            [("bold", "> ")],
            history=self._history,
            completer=ConditionalCompleter(
                WordCompleter([f"/{name} " for name in sorted(names)], sentence=True), _is_command
            ),
            complete_style=CompleteStyle.READLINE_LIKE,
            key_bindings=_line_breaks(),
            prompt_continuation="  ",
            enable_suspend=True,
        )

    async def read(self) -> str | None:
        """The next message; None when the person leaves."""
        while True:
            try:
                text = await self._session.prompt_async(handle_sigint=False, set_exception_handler=False)
            except EOFError:
                return None
            except KeyboardInterrupt:
                if not self._session.default_buffer.text:
                    self._hint()
            else:
                self._is_kept = not text.startswith(" ")
                return decoded(text.encode("utf-8", "surrogateescape"))

    async def interrupt(self, show: Callable[[], None]) -> None:
        """Show a text above the line that is being typed."""
        await run_in_terminal(show)

    def keep(self, line: str) -> None:
        """Store a line for the arrow keys, unless it begins with a space."""
        if self._is_kept:
            self._history.keep(line)


class _Typed(FileHistory):
    """The history, in a file that only its owner may read."""

    def append_string(self, string: str) -> None:
        """Store nothing yet, because the line may contain secrets."""

    def keep(self, string: str) -> None:
        """Store a line for the arrow keys, here and in later runs."""
        super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """The stored lines, the latest first."""
        with suppress(OSError):
            return list(super().load_history_strings())
        return []

    def store_string(self, string: str) -> None:
        """Append a line; a full disk does not end the conversation."""
        with suppress(OSError):
            file = Path(os.fsdecode(self.filename))
            private.make_file(file)
            private.narrow(file)
            super().store_string(string)


@Condition
def _is_command() -> bool:
    return get_app().current_buffer.text.startswith("/")


def _line_breaks() -> KeyBindings:
    """The keys for a new line: Enter after a backslash, and Alt with Enter."""
    bindings = KeyBindings()

    @Condition
    def is_after_backslash() -> bool:
        return get_app().current_buffer.document.text_before_cursor.endswith("\\")

    @bindings.add("enter", filter=is_after_backslash & has_focus(DEFAULT_BUFFER))
    def _continue(event: KeyPressEvent) -> None:
        event.current_buffer.delete_before_cursor()
        event.current_buffer.insert_text("\n")

    @bindings.add("escape", "enter")
    def _break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings
