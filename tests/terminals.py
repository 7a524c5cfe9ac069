"""A pseudo-terminal with a program in it, and a person who types and reads."""

import os
import signal
import sys

SECONDS = 30  # that something may take on a loaded machine

_READY = "\x1b[?2004h"  # the line editor takes keys from here on: it asks the terminal to mark what is pasted


class Terminal:
    """A Python program in a terminal of 80 columns."""

    def __init__(self, *arguments: str, **env: str) -> None:
        import pexpect

        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
        surroundings = {**inherited, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "1", **env}
        self._child = pexpect.spawn(
            sys.executable, list(arguments), env=surroundings, encoding="utf-8", dimensions=(24, 80), timeout=SECONDS
        )

    def type(self, keys: str) -> None:
        """Send keys."""
        self._child.send(keys)

    def see(self, text: str) -> str:
        """Wait until the text is shown; return everything shown up to it."""
        import pexpect

        if self._child.expect_exact([text, pexpect.EOF, pexpect.TIMEOUT]):
            raise AssertionError(f"{text!r} was not shown, but {self._child.before!r}")
        return f"{self._child.before}{text}"

    def prompted(self) -> str:
        """Wait until a prompt is shown; return everything shown up to it."""
        return self.see(_READY)

    def ask(self, keys: str, answer: str) -> str:
        """Type at the next prompt, and wait for the answer."""
        self.prompted()
        self.type(keys)
        return self.see(answer)

    def kill(self) -> None:
        """Kill the program."""
        self._child.kill(signal.SIGKILL)
        self.end()

    def end(self) -> int | None:
        """Wait for the end of the program; its exit code."""
        self._child.read()
        self._child.close()
        code: int | None = self._child.exitstatus
        return code
