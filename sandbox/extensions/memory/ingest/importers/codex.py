"""Codex rollouts: JSON Lines in which the conversation is a small part among tools, settings and events.

The format has no specification; versions 0.20 to 0.171 write this. Since September 2025 each line wraps its
``payload``; before that, the lines were bare and followed a header. The messages of the person and the assistant are
read, what the person answers to questions of the assistant, and the shortened output of tools. A rollout of a subagent
is left out, because its user is an assistant.
"""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime

from sandbox.extensions.memory.ingest.importers import records
from sandbox.extensions.memory.ingest.importers.tools import Tools, answered
from sandbox.extensions.memory.model import Message

_WRAPPED = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "world_state",
    "token_usage_record",
    "compacted",
)
_BARE = ("message", "reasoning", "function_call", "function_call_output")
_CALLS = ("function_call", "custom_tool_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_ASKS, _TYPED = "request_user_input", "user_note: "
_HEADER = frozenset(("id", "timestamp", "instructions"))  # of bare rollouts

# Texts under the user's name that begin like this were written by the program.
_WRAPPERS = (
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<user_instructions>",
    "<environment_context>",
    "<skill>",
    "<user_shell_command>",
    "<user_action>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<recommended_plugins>",
    "<hook_prompt",
    "<goal_context>",
    "<codex_internal_context",
    "<image",
    "</image>",
    "Warning: apply_patch was requested via",
    "Warning: The maximum number of unified exec processes",
)
# The app and the editors put files, selections and pages before the question.
_BEFORE = (
    "# Context from my IDE setup:",
    "# Files mentioned by the user:",
    "# Files pasted by the user:",
    "# In app browser:",
    "# Selected text:",
    "<in-app-browser-context",
)
_ASKED = re.compile(r"^## My request(?: for Codex)?:", re.MULTILINE)
_MOST_TURNS = 10_000  # of a session that a person can take back


def recognises(record: records.JsonRecord) -> bool:
    """Whether the record is a line of a rollout, of any kind."""
    if isinstance(record.get("payload"), dict):
        return record.get("type") in _WRAPPED
    return record.get("record_type") == "state" or record.get("type") in _BARE or record.keys() >= _HEADER


def read(entries: Iterable[records.Entry]) -> Iterator[records.Item]:
    """Every turn of the person and the assistant that was not taken back, in order. The first line names the session of
    all turns; to continue a rollout, give that line and then the new ones. A line without a time gets the time of the
    line before.
    """
    rollout, said = _Rollout(), list[records.Item]()
    for entry in entries:
        said.extend(records.guarded(entry.place, rollout.message(entry)))
        for _ in range(_taken_back(entry.value)):
            _take_back(said, rollout.answers)
    yield from said


def _taken_back(line: object) -> int:
    """The number of turns that the person takes back in a line."""
    event = records.JsonRecord.any(line)
    payload, count = event.inner("payload"), event.inner("payload").get("num_turns")
    is_taken_back = event.get("type") == "event_msg" and payload.get("type") == "thread_rolled_back"
    return count if is_taken_back and isinstance(count, int) and 0 < count <= _MOST_TURNS else 0


def _take_back(said: list[records.Item], answers: Container[str | None]) -> None:
    """Mark the last prompt and all after it as taken back; ``answers`` are keys of turns that are no prompts."""
    turns = ((at, item) for at, item in enumerate(said) if isinstance(item, Message) and item.role == "user")
    last = max((at for at, item in turns if item.key not in answers), default=None)
    if last is not None:
        said[last:] = records.TakenBack.of(said[last:])


class _Rollout:
    """The state of a file, by its first header. A fork also has the headers of its parents, further down."""

    def __init__(self) -> None:
        self._keys = records.Keys()
        self._tools = Tools()
        self._session: str | None = None
        self._is_subagent = False
        self._latest: datetime | None = None
        self._asked: dict[str, dict[str | None, str]] = {}  # questions by call and id
        self.answers: set[str | None] = set()

    def message(self, entry: records.Entry) -> Iterator[Message]:
        """The turn in a line, if there is one."""
        line = entry.record
        record = line.record("payload") if "payload" in line else line
        self._latest = line.time("timestamp") or self._latest
        if line.get("type") == "session_meta" or (record is line and line.keys() >= _HEADER):
            self._begin(record)
        elif self._is_subagent or line.inner("metadata").get("compaction_output") is True:  # a summary by the program
            return
        elif line.get("type") in ("response_item", "message", *_CALLS, *_OUTPUTS):
            yield from self._said(record)
            yield from self._output(record)

    def _begin(self, header: records.JsonRecord) -> None:
        if self._session is None:
            spawned = "subagent" in header.inner("source")
            self._is_subagent = spawned or header.get("thread_source") == "subagent"
            self._session = header.id("id")

    def _said(self, record: records.JsonRecord) -> Iterator[Message]:
        role = record.get("role")
        if record.get("type") != "message" or (role != "user" and role != "assistant"):
            return
        parts = _parts_of_person(record) if role == "user" else record.parts("content")
        if not (text := "\n".join(parts).strip()):
            return
        given = record.id("id")
        # A model server may start its ids again in every session.
        origin = (self._session, self._latest) if given is None else (given,)
        key = self._keys.derived(*origin, role, text)
        yield Message(role, text, session=self._session, at=self._latest, key=key, source="codex")

    def _output(self, record: records.JsonRecord) -> Iterator[Message]:
        """The output of a tool, if the record is one. It notes the call of a tool."""
        call = record.id("call_id") if record.get("type") in (*_CALLS, *_OUTPUTS) else None
        if record.get("type") in _CALLS:
            space, name, given = record.id("namespace"), record.id("name"), _document(record.get("arguments"))
            self._tools.called(call, f"{space or ''}{name or ''}", _with_command(given))
            if call and name == _ASKS and not space:
                questions = [records.JsonRecord.of(each) for each in given.array("questions")]
                self._asked[call] = {each.id("id"): each.text("question") for each in questions}
        elif call and (text := _printed(record.get("output"))):
            key = self._keys.derived(self._session, call, "tool")
            turn = Message("user", text, self._session, self._latest, key=key, source="codex")
            if call not in self._asked:
                yield from self._tools.output(call, turn)
                return
            for each in answered(_answers(self._asked[call], _document(text)), turn):
                self.answers.add(each.key)
                yield each


def _answers(asked: Mapping[str | None, str], output: records.JsonRecord) -> Iterator[tuple[str, str]]:
    """The questions of a dialog with the options that the person chose, and the notes that they typed."""
    for id_, question in asked.items():
        said = output.inner("answers").inner(id_ or "").array("answers")
        yield question, "\n".join(each.removeprefix(_TYPED) for each in said if isinstance(each, str))


def _with_command(given: records.JsonRecord) -> Mapping[str, object]:
    """The arguments of a tool, with a command as one text: it may be a list, perhaps of a shell and what it runs."""
    if not (command := given.array("command")):
        return given
    return {"command": command[-1] if command[1:2] in (["-lc"], ["-c"]) else " ".join(map(str, command))}


def _document(text: object) -> records.JsonRecord:
    """The JSON object in a text; empty if there is none."""
    with suppress(ValueError, RecursionError):
        if isinstance(text, str) and isinstance(document := json.loads(text), dict):
            return records.JsonRecord(document)
    return records.JsonRecord()


def _printed(output: object) -> str:
    """The text of an output: plain, in parts, or in a JSON document (versions before 2026)."""
    output = _document(output).get("output", output)
    if isinstance(output, dict):
        output = output.get("content")
    return "\n".join(records.parts_of(output, "output")) if isinstance(output, str | list) else ""


def _parts_of_person(record: records.JsonRecord) -> Iterator[str]:
    """The texts that the person typed, without those that the program marks or begins as listed above."""
    content = record.get("content")
    if isinstance(content, list):
        content = [part for part, is_own in zip(content, _provenances(record, len(content)), strict=True) if is_own]
    for text in records.parts_of(content, "content"):
        if text.lstrip().startswith(_BEFORE):
            asked = _ASKED.search(text)
            text = text[asked.end() :] if asked else ""
        if not text.lstrip().startswith(_WRAPPERS):
            yield text.strip()


def _provenances(record: records.JsonRecord, count: int) -> list[bool]:
    """For each part of the content, whether it can be the person's."""
    about = record.inner("internal_chat_message_metadata_passthrough").array("content_item_metadata")
    if len(about) != count:
        return [True] * count
    return [records.JsonRecord.any(each).inner("provenance").get("type") in (None, "user") for each in about]
