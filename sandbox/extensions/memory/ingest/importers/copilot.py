"""GitHub Copilot CLI: the events of its sessions, ``~/.copilot/session-state/*/events.jsonl``. Messages, and the
shortened output of tools, are read; those of subagents, and messages that the program adds, are left out. The reason
for which the person refused a tool, and answers to questions of the assistant, are the person's words.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sandbox.extensions.memory.ingest.importers import records
from sandbox.extensions.memory.ingest.importers.tools import REFUSED, Tools
from sandbox.extensions.memory.model import Message, Role

_ROLES: dict[object, Role] = {"user.message": "user", "assistant.message": "assistant"}
_REFUSED, _RESPONDED = "denied-interactively-by-user", "User responded: "
_REMOVED = "session.event_removed"  # hooks add it: Copilot CLI removes what the person takes back, and says nothing
_EVENT = frozenset(("type", "data", "timestamp", "parentId"))


def recognises(record: records.JsonRecord) -> bool:
    """Whether the record is an event."""
    return record.keys() >= _EVENT and isinstance(record.get("data"), dict)


def read(entries: Iterable[records.Entry]) -> Iterator[records.Item]:
    """The turns, in order. The first line, which names the session, also comes before lines to continue with."""
    session = _Session()
    for entry in entries:
        yield from records.guarded(entry.place, session.turns(entry))


class _Session:
    def __init__(self) -> None:
        self._id: str | None = None
        self._tools = Tools()
        self._asked: dict[str | None, Message] = {}  # the questions of dialogs by their calls
        self._refused: dict[str | None, Message] = {}  # what the person said, or nothing, by the call that they refused

    def turns(self, entry: records.Entry) -> Iterator[records.Item]:
        """The turns of an event."""
        event = entry.record
        kind, data = event.get("type"), event.inner("data")
        call, turn = data.id("toolCallId"), Message("user", "", self._id, event.time("timestamp"), source="copilot")
        turn = replace(turn, key=event.id("id") or entry.place)
        if kind == "session.start":
            self._id = self._id or data.id("sessionId")
        elif kind == _REMOVED and (key := data.id("eventId")):
            yield records.TakenBack(key, self._id, "copilot")
        elif data.id("parentToolCallId") or data.id("source") not in (None, "user"):
            return
        elif kind in _ROLES and (text := data.text("content").strip()):
            yield replace(turn, role=_ROLES[kind], content=text)
        elif kind == "permission.completed":
            if (answered := data.inner("result")).get("kind") == _REFUSED:
                self._refused[call] = replace(turn, content=answered.text("feedback").strip())
        elif kind == "tool.execution_start":
            server, name, given = data.id("mcpServerName"), data.id("toolName"), data.inner("arguments")
            self._tools.called(call, f"mcp__{server}" if server else name, given)
            if name == "ask_user" and not server and (question := given.text("message") or given.text("question")):
                self._asked[call] = replace(turn, role="assistant", content=question)
        elif kind == "tool.execution_complete":
            text, error = data.inner("result").text("content"), data.inner("error").text("message")
            if call in self._asked and (answer := text.partition(_RESPONDED)[2].strip()):
                yield self._asked[call]
                yield replace(turn, content=answer)
                return
            refused = self._refused.get(call)
            yield from self._tools.output(call, replace(turn, content=REFUSED if refused else text or error))
            if refused and refused.content:
                yield refused
