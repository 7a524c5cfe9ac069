"""Output of tools in transcripts of coding agents: data without a speaker; of long output, both ends are kept. What a
person types or chooses in an agent's dialogs stands in the place of an output.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sandbox.extensions.memory.model import Message
from sandbox.support.characters import storable

_BEGINNING, _END = 700, 300  # characters of a long output that are kept; errors are at its end
_ARGUMENT = 300  # characters of an argument that are kept
_ARGUMENTS = ("file_path", "url", "query", "pattern", "path")  # the first says what a call is about
_SHELLS = ("bash", "powershell", "shell", "exec_command", "shell_command", "run_shell_command")
_WEB = ("webfetch", "websearch", "web_search", "web_fetch", "google_web_search")
_OWN = ("mcp__memory", "mcp_memory", "mcp__plugin_memory", "mcp__assistant-memory", "mcp__assistant_memory")
REFUSED = "The user refused this."
_ADVISED = " (Recommended)"  # agents mark an option so


class Tools:
    """The tools that were called: an output names only its call."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._calls: dict[str, str] = {}

    def called(self, call: str | None, name: str | None, given: Mapping[str, object]) -> None:
        """Note a call of a tool with its arguments."""
        if not call or not name:
            return
        self._names[call] = name.lower()
        is_shell = name.lower() in _SHELLS
        texts = (given.get(each) for each in (("command", "cmd") if is_shell else _ARGUMENTS))
        about = next((storable(each).strip() for each in texts if isinstance(each, str)), "")
        if about and not name.startswith("mcp__"):
            about = about if len(about) <= _ARGUMENT else f"{about[:_ARGUMENT]}\u2026"
            self._calls[call] = f"{'$' if is_shell else name} {about}"

    def name(self, call: str | None) -> str:
        """The name of the tool of a call, in lower case; empty if the call is not known."""
        return self._names.get(call or "", "")

    def output(self, call: str | None, turn: Message) -> Iterator[Message]:
        """The output of a call, which is the content of ``turn``, as a turn of a tool, after the call: `$ npm test`,
        `Read oven.py`. Output of the memory's own tools is left out, because the memory knows it.
        """
        name, called = self.name(call), self._calls.get(call or "")
        if (shown := shortened(turn.content)) and not name.startswith(_OWN):
            shown = f"{called}\n{shown}" if called else shown
            yield replace(turn, role="tool", content=shown, trust="web" if name in _WEB else "tool")


def answered(asked: Iterable[tuple[str, str]], turn: Message) -> Iterator[Message]:
    """The questions of an agent, each with the person's answer, as turns like ``turn``."""
    for number, (question, answer) in enumerate(asked):
        if answer := storable(answer).strip():
            if question := storable(question).strip():
                yield replace(turn, role="assistant", content=question, key=f"{turn.key}-asked-{number}")
            yield replace(turn, role="user", content=answer.replace(_ADVISED, ""), key=f"{turn.key}-said-{number}")


def shortened(text: str) -> str:
    """A text, or its beginning and its end."""
    text = storable(text).strip()
    if (left_out := len(text) - _BEGINNING - _END) < 100:
        return text
    return f"{text[:_BEGINNING].rstrip()}\n[{left_out:,} characters left out]\n{text[-_END:].lstrip()}"
