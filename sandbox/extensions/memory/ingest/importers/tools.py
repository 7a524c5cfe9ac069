"""Output of tools in transcripts of coding agents: data without a speaker; of long output, both ends are kept."""

from collections.abc import Iterator
from datetime import datetime

from sandbox.extensions.memory.model import Message
from sandbox.support.characters import storable
from sandbox.support.trust import Trust

_BEGINNING, _END = 700, 300  # characters of a long output that are kept; errors are at its end
_WEB = ("webfetch", "websearch", "web_search", "web_fetch")
_OWN = ("mcp__memory", "mcp__plugin_memory", "mcp__assistant-memory", "mcp__assistant_memory")


class Tools:
    """The names of the tools that were called: an output names only its call."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def called(self, call: str | None, name: str | None) -> None:
        """Note a call of a tool."""
        if call and name:
            self._names[call] = name.lower()

    def output(
        self, call: str | None, text: str, session: str | None, at: datetime | None, key: str, source: str
    ) -> Iterator[Message]:
        """The output of a call as a turn. Output of the memory's own tools is left out, because the memory knows it."""
        name = self._names.get(call or "", "")
        if name.startswith(_OWN) or not (shown := shortened(text)):
            return
        trust: Trust = "web" if name in _WEB else "tool"
        yield Message("tool", shown, session=session, at=at, key=key, source=source, trust=trust)


def shortened(text: str) -> str:
    """A text, or its beginning and its end."""
    text = storable(text).strip()
    if (left_out := len(text) - _BEGINNING - _END) < 100:
        return text
    return f"{text[:_BEGINNING].rstrip()}\n[{left_out:,} characters left out]\n{text[-_END:].lstrip()}"
