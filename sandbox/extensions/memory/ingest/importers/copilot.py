"""GitHub Copilot CLI: the events of its sessions, ``~/.copilot/session-state/*/events.jsonl``. Messages, and the
shortened output of tools, are read; those of subagents, and messages that the program adds, are left out.
"""

from collections.abc import Iterable, Iterator

from sandbox.extensions.memory.ingest.importers import records
from sandbox.extensions.memory.ingest.importers.tools import Tools
from sandbox.extensions.memory.model import Message, Role

_ROLES: dict[object, Role] = {"user.message": "user", "assistant.message": "assistant"}
_SHELLS = ("bash", "powershell")
_EVENT = frozenset(("type", "data", "timestamp", "parentId"))


def recognises(record: records.JsonRecord) -> bool:
    """Whether the record is an event."""
    return record.keys() >= _EVENT and isinstance(record.get("data"), dict)


def read(entries: Iterable[records.Entry]) -> Iterator[records.Item]:
    """The turns, in order. The first line names the session of all; to continue, give that line and then the new
    ones.
    """
    session = _Session()
    for entry in entries:
        yield from records.guarded(entry.place, session.turns(entry))


class _Session:
    def __init__(self) -> None:
        self._id: str | None = None
        self._tools = Tools()

    def turns(self, entry: records.Entry) -> Iterator[Message]:
        """The turn of an event, if it is one."""
        event = entry.record
        kind, data = event.get("type"), event.inner("data")
        at, key = event.time("timestamp"), event.id("id") or entry.place
        call = data.id("toolCallId")
        if kind == "session.start":
            self._id = self._id or data.id("sessionId")
        elif data.id("parentToolCallId") or data.id("source") not in (None, "user"):
            return
        elif kind in _ROLES and (text := data.text("content").strip()):
            yield Message(_ROLES[kind], text, session=self._id, at=at, key=key, source="copilot")
        elif kind == "tool.execution_start":
            server = data.id("mcpServerName")
            name, command = data.id("toolName"), data.inner("arguments").get("command")
            self._tools.called(call, f"mcp__{server}" if server else name, command if name in _SHELLS else None)
        elif kind == "tool.execution_complete":
            text = data.inner("result").text("content")
            yield from self._tools.output(call, text, self._id, at, key, "copilot")
