"""`memory hook`: answer a coding agent's event through the process that keeps the memory open.

Errors never disturb the agent: the exit code is 0 and stdout stays empty. Nothing heavy is imported unless that process
cannot be reached.
"""

import gc
import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path

from sandbox.extensions.memory_hooks import client
from sandbox.extensions.memory_hooks.log import PROBLEMS, note
from sandbox.support.paths import expanded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
PATIENCE = 8.0  # seconds, the limit for an answer
_DETACHED = ("PreCompact", "Stop", "SessionEnd")
_OPTIONS = ("--home", "--user", "--project")


def answer_if_plain(arguments: "Sequence[str]") -> None:
    """Answer and exit if the arguments are an event and options with values; otherwise the full command runs."""
    event, options = "", dict[str, str]()
    rest = iter(arguments)
    for each in rest:
        name, equals, value = each.partition("=")
        if name in _OPTIONS:
            options[name[2:]] = value if equals else next(rest, "")
        elif event or each.startswith("-"):
            return
        else:
            event = each
    if event and all(options.values()):
        gc.disable()  # the process ends before there is anything to collect
        answer(event, **options)
        os._exit(0)


def answer(event: str, home: str | None = None, user: str | None = None, project: str | None = None) -> None:
    """Answer one event with the input from stdin. It raises nothing."""
    folder: Path | None = None
    known = event if event in EVENTS else "an event that is not known"
    try:
        folder = home_folder(home)
        with _given_up_late(folder, known):
            if event in EVENTS:
                given = sys.stdin.buffer.read().decode(errors="replace") if not sys.stdin.isatty() else ""
                _say(_answer(folder, event, given, user, project))
            else:
                note(folder, known, PROBLEMS["unknown_event"])
    except BaseException as error:
        if folder is not None:
            note(folder, known, _described(error))


def home_folder(given: str | None) -> Path:
    """The home of the memory, as an absolute path."""
    if given := given or os.environ.get("MEMORY_HOME"):
        return expanded(given).absolute()
    from platformdirs import user_data_path

    return user_data_path("assistant-memory", appauthor=False)


def _answer(home: Path, event: str, given: str, user: str | None, project: str | None) -> bytes:
    copilot = None
    if "COPILOT_PROJECT_DIR" in os.environ:  # Copilot CLI reads another form of answer, and keeps sessions here
        copilot = os.environ.get("COPILOT_HOME") or str(expanded("~/.copilot"))
    question = {
        "do": "hook",
        "event": event,
        "input": given,
        "user": user,
        "project": None if project == "." else project,
        "started_in": os.environ.get("CLAUDE_PROJECT_DIR"),
        "copilot": copilot,
    }
    try:
        return client.ask(home, question, timeout=PATIENCE)
    except client.NoResident as error:
        from sandbox.support import private

        private.make_folder(home)
        is_answered = event == "UserPromptSubmit" and error.args in ((), (client.CHANGED,)) and _at_once(home, question)
    if is_answered:
        client.launched(home, "--first", given=json.dumps(question).encode())
        return b""
    if client.start(home):
        return client.ask(home, question, timeout=PATIENCE)
    if event in _DETACHED:
        client.launched(home, "--once", given=json.dumps(question).encode())  # it stores the conversation meanwhile
        return b""
    from sandbox.cli.resident import answer_once

    return answer_once(home, question)


def _at_once(home: Path, question: "dict[str, str | None]") -> bool:
    """Whether the prompt was answered without the resident process, and that one can be started meanwhile."""
    if not client.can_start(home) or (home / client.FAILED).exists():
        return False
    from sandbox.extensions.memory_hooks.quick_answer import answer

    if (found := answer(home, question)) is None:
        return False
    _say(found.encode())
    return True


def _say(answer: bytes) -> None:
    if answer:
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


@contextmanager
def _given_up_late(home: Path, event: str) -> "Iterator[None]":
    """End the process after a limit, so that the agent continues."""
    import threading

    def give_up() -> None:
        note(home, event, PROBLEMS["late"].format(seconds=f"{PATIENCE:.0f}"))
        os._exit(0)

    timer = threading.Timer(PATIENCE, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _described(error: BaseException) -> str:
    """The kind of an error, and the system's words for it; the error's own words may quote the conversation."""
    kind = type(error).__name__
    if isinstance(error, client.NoResident) and error.args:
        return PROBLEMS["not_answered"].format(error=error.args[0])
    return f"{kind}: {os.strerror(error.errno)}" if isinstance(error, OSError) and error.errno else kind
