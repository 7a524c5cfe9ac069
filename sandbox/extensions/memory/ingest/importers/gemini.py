"""Gemini CLI: its sessions under ``~/.gemini/tmp`` (one JSON object, since version 0.40 JSON Lines), and the
checkpoints that ``/chat save`` and ``/chat share`` write. Qwen Code, a fork of it: the JSON Lines under ``~/.qwen``.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from sandbox.extensions.memory.ingest.importers import records
from sandbox.extensions.memory.ingest.importers.branches import remaining
from sandbox.extensions.memory.ingest.importers.tools import Tools, answered
from sandbox.extensions.memory.model import Message, Role
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.extensions.memory.text.fence import without_hook_context

_ROLES: dict[object, Role] = {"user": "user", "gemini": "assistant", "model": "assistant"}
_KINDS = ("user", "gemini", "info", "error", "warning")
_SETUP = (  # texts at the beginning of a history, or added by the program
    "This is the Gemini CLI.",
    "Got it. Thanks for the context!",
    "<session_context>",
    "--- Content from referenced files ---",
    "&lt;memory&gt;",  # of a hook, in Qwen Code 0.15
    "<qwen:user-prompt-submit-context>",
)
_OPENING, _CLOSING = "<untrusted_context>\n", "\n</untrusted_context>"  # around what a shell printed
_FEEDBACK = "Feedback: "
_SAID = (None, "real_user", "assistant_output", "mid_turn_user_message")  # where a line of Qwen Code comes from


def recognises(record: records.JsonRecord) -> bool:
    """Whether the record is a session, or a line of one."""
    if "sessionId" in record and "projectHash" in record:
        return True
    kind = record.get("type")
    is_message = isinstance(kind, str) and kind in _KINDS and {"id", "timestamp", "content"} <= record.keys()
    return is_message or "$set" in record or "$rewindTo" in record


def read(entries: Iterable[records.Entry]) -> Iterator[records.Item]:
    """The messages of sessions, without what the person took back, and without subagents."""
    session = _Session()
    for entry in entries:
        try:
            record = entry.record
            if "sessionId" in record and "projectHash" in record:
                yield from session.items()
                session = _Session(record)
            session.add(entry.place, record)
        except records.Broken as broken:
            session.put(entry.place, BrokenRecord(entry.place, str(broken)))
    yield from session.items()


class _Session:
    """The messages of a session by id, each in its latest version. A later record can take some back."""

    def __init__(self, header: records.JsonRecord | None = None) -> None:
        self._id = header.id("sessionId") if header else None
        self._is_subagent = header is not None and header.get("kind") == "subagent"
        self._items: dict[str, records.Item | None] = {}

    def items(self) -> Iterator[records.Item]:
        """The remaining items, in order."""
        if not self._is_subagent:
            yield from (item for item in self._items.values() if item is not None)

    def put(self, id_: str, item: records.Item | None) -> None:
        """Store an item in the place of its earlier version."""
        self._items[id_] = item

    def add(self, place: str, record: records.JsonRecord) -> None:
        """Add a record: a header with messages, a message, a change, or a note that messages are taken back."""
        for number, message in enumerate(record.array("messages"), 1):
            inner = records.Entry(f"{place}, message {number}", message)
            try:
                self._take(inner)
            except records.Broken as broken:
                self.put(inner.place, BrokenRecord(inner.place, str(broken)))
        if isinstance(taken_back := record.get("$rewindTo"), str) and taken_back in self._items:
            ids = list(self._items)
            for id_ in ids[ids.index(taken_back) :]:
                self._items[id_] = next(records.TakenBack.of([self._items[id_]]), None)
        if "content" in record:
            self._take(records.Entry(place, record))

    def _take(self, entry: records.Entry) -> None:
        """Store the text of a message. Raises ``Broken``."""
        record = entry.record
        id_ = record.id("id") or entry.place
        kind = record.get("type")
        role = _ROLES.get(kind) if isinstance(kind, str) else None
        field = "displayContent" if record.get("displayContent") else "content"  # without the files that it referred to
        text = _text(record, field) if role else ""
        said = Message(role, text, self._id, record.time("timestamp"), key=id_, source="gemini") if role else None
        self.put(id_, said if text else None)
        turn = Message("user", "", self._id, record.time("timestamp"), source="gemini")
        for number, value in enumerate(record.array("toolCalls")):
            call, key, tools = records.JsonRecord.of(value), f"{id_}-{number}", Tools()
            tools.called(key, call.id("name"), call.inner("args"))
            text = "\n".join(map(_printed, call.array("result")))
            spoken = list(answered(_answers(call), replace(turn, key=key)))
            for each in spoken or tools.output(key, replace(turn, content=text, key=key)):
                self.put(each.key or "", each)


def _printed(part: object) -> str:
    """The output, or the error, of a tool; empty if a part is none."""
    response = records.JsonRecord.of(part).inner("functionResponse").inner("response")
    output = response.get("output", response.get("error"))
    return output.removeprefix(_OPENING).removesuffix(_CLOSING) if isinstance(output, str) else ""


def _answers(call: records.JsonRecord) -> Iterator[tuple[str, str]]:
    """What the person answers in the dialogs of Gemini CLI: to its questions, and to a plan that they refuse."""
    if call.get("name") == "exit_plan_mode" and isinstance(shown := call.get("resultDisplay"), str):
        yield "", shown.partition(_FEEDBACK)[2]
    for result in call.array("result") if call.get("name") == "ask_user" else ():
        with suppress(ValueError):
            given = records.JsonRecord.of(json.loads(_printed(result))).inner("answers")
            for number, question in enumerate(call.inner("args").array("questions")):
                yield records.JsonRecord.of(question).text("question"), given.text(str(number))


def recognises_checkpoint(record: records.JsonRecord) -> bool:
    """Whether the record is one message of a checkpoint."""
    return record.get("role") in ("user", "model") and isinstance(record.get("parts"), list)


def read_checkpoint(entry: records.Entry, keys: records.Keys) -> Iterator[Message]:
    """The message, without calls of tools and their output."""
    record = entry.record
    kind = record.get("role")
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    if role and (text := _text(record, "parts")):
        yield Message(role, text, key=keys.derived(role, text), source="gemini")


def recognises_qwen(record: records.JsonRecord) -> bool:
    """Whether the record is a line of Qwen Code."""
    return "sessionId" in record and ("parts" in record.inner("message") or "systemPayload" in record)


def read_qwen(entries: Iterable[records.Entry]) -> Iterator[records.Item]:
    """The turns of Qwen Code, answers to its questions, and outputs, without what was taken back."""
    tools = Tools()
    yield from remaining((entry, list(records.guarded(entry.place, _turn(entry, tools)))) for entry in entries)


def _turn(entry: records.Entry, tools: Tools) -> Iterator[Message]:
    record = entry.record
    message, result = record.inner("message"), record.inner("toolCallResult").inner("resultDisplay")
    turn = Message("user", "", record.id("sessionId"), record.time("timestamp"), source="qwen")
    turn = replace(turn, key=record.id("uuid") or entry.place)
    if result.get("type") == "ask_user_question_answers":
        asked = [records.JsonRecord.of(each) for each in result.array("answers")]
        pairs = [(each.text("question"), each.text("answer")) for each in asked]
        yield from answered(pairs, turn)
    for number, value in enumerate(message.array("parts")):
        part = records.JsonRecord.any(value)
        called, shown = part.inner("functionCall"), part.inner("functionResponse")
        tools.called(called.id("id"), called.id("name"), called.inner("args"))
        if shown and not result:
            yield from tools.output(shown.id("id"), replace(turn, content=_printed(part), key=f"{turn.key}-{number}"))
    role = {"user": _ROLES["user"], "assistant": _ROLES["model"]}.get(record.id("type") or "")
    if role is None or any(record.get(field) not in _SAID for field in ("subtype", "provenance")):
        return
    if text := record.inner("systemPayload").text("displayText").strip() or _text(message, "parts"):
        yield replace(turn, role=role, content=text)


def _text(record: records.JsonRecord, field: str) -> str:
    content = record.get(field)
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        content = [part for part in content if not (isinstance(part, dict) and part.get("thought"))]
    texts = map(without_hook_context, records.parts_of(content, field))
    return "\n".join(text for text in texts if text and not text.lstrip().startswith(_SETUP)).strip()
