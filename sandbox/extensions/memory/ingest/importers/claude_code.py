"""Claude Code transcripts: JSON Lines in which the conversation is a small part among tools, hooks and bookkeeping.

The format has no specification; versions 1.0 to 2.1 write this. The messages of the person and the assistant are read,
and the shortened output of tools; no thinking, no subagents, no summaries by the program. The reason for which the
person refused a tool, and answers to questions of the assistant, are the person's words.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sandbox.extensions.memory.ingest.importers.branches import remaining
from sandbox.extensions.memory.ingest.importers.records import Entry, Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.ingest.importers.tools import REFUSED, Tools, answered
from sandbox.extensions.memory.model import Message, Role
from sandbox.extensions.memory.text.typed_prompt import typed

_MARKS = frozenset({"sessionId", "parentUuid", "leafUuid", "snapshot"})  # one is in every kind of line
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_REFUSED = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"
_AFTER_REASON = "\n\nNote: The user's next message may contain"
_CLARIFIES = "The user wants to clarify these questions."  # written by the program; the person says it in a prompt
_ONLY_NOTES = "(notes only)"


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a line of a transcript, of any kind."""
    return isinstance(record.get("type"), str) and "role" not in record and not _MARKS.isdisjoint(record)


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """Every turn of the person and the assistant, in order, without what the person took back. A reply that was
    streamed in blocks is several turns.
    """
    yield from remaining(_lines(entries))


def _lines(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Item]]]:
    keys, blocks, tools = Keys(), dict[str, set[str]](), Tools()
    for entry in entries:
        outputs = guarded(entry.place, _outputs(entry, tools)) if isinstance(entry.value, dict) else ()
        yield entry, [*guarded(entry.place, _message(entry, keys, blocks)), *outputs]


def _message(entry: Entry, keys: Keys, blocks: dict[str, set[str]]) -> Iterator[Message]:
    """The message in a line. ``blocks`` are those of the current reply, by its id: some versions write a block again
    when the next one has arrived.
    """
    record = entry.record
    turn = _turn(record)
    if turn is None:
        return
    role, message = turn
    text = _text(role, message)
    if (reply := message.id("id")) is not None and text:
        if reply not in blocks:
            blocks.clear()
        said = blocks.setdefault(reply, set())
        text = "" if text in said else text
        said.add(text)
    if not text:
        return
    session, at = record.id("sessionId"), record.time("timestamp")
    key = record.id("uuid") or keys.derived(session, role, at, text)
    yield Message(role, text, session=session, at=at, key=key, source="claude-code")


def _outputs(entry: Entry, tools: Tools) -> Iterator[Message]:
    """The outputs of tools in a line. It notes the calls of tools."""
    record = entry.record
    content = record.inner("message").array("content") if _is_said(record) else ()
    for place, value in enumerate(content):
        part = JsonRecord.any(value)
        if part.get("type") == "tool_use":
            tools.called(part.id("id"), part.id("name"), part.inner("input"))
        elif part.get("type") == "tool_result" and part.get("content") and (uuid := record.id("uuid")):
            call, text, said = part.id("tool_use_id"), "\n".join(part.parts("content")), list[tuple[str, str]]()
            turn = Message("user", text, record.id("sessionId"), record.time("timestamp"), source="claude-code")
            turn = replace(turn, key=f"{uuid}-{place}")
            if tools.name(call) == "askuserquestion" and (answers := list(_answers(record.inner("toolUseResult")))):
                text, said = "", answers
            elif _is_refusal(record, part, text, tools.name(call)):
                text, said = REFUSED, [("", text.partition(_REASON)[2].partition(_AFTER_REASON)[0])]
            yield from tools.output(call, replace(turn, content=text))
            yield from answered(said, turn)


def _is_refusal(record: JsonRecord, part: JsonRecord, text: str, tool: str) -> bool:
    """Whether the program wrote a result because the person refused the call. A tool of an MCP server, or one that is
    not known, could write the same.
    """
    is_programs = tool and not tool.startswith("mcp__") and part.get("is_error") is True
    is_told = is_programs or record.get("toolDenialKind") == "user-rejected"
    return bool(is_told) and text.startswith(_REFUSED) and _CLARIFIES not in text


def _answers(result: JsonRecord) -> Iterator[tuple[str, str]]:
    """The questions of a dialog with the answers that the person chose or typed, and the notes on them."""
    asked = [JsonRecord.of(each).text("question") for each in result.array("questions")]
    if response := result.text("response").strip():
        yield "\n".join(asked), response
        return
    for question in asked:
        answer = result.inner("answers").get(question)
        chosen = answer if isinstance(answer, list) else [answer]
        notes = result.inner("annotations").inner(question).get("notes")
        said = [each for each in (*chosen, notes) if isinstance(each, str) and each != _ONLY_NOTES]
        yield question, "\n".join(said)


def _turn(record: JsonRecord) -> tuple[Role, JsonRecord] | None:
    """The role of the speaker of a line, and the object with its ``content``; None if nobody speaks."""
    if not _is_said(record):
        return None
    if record.get("type") == "user":
        return "user", record.record("message")
    if record.get("type") == "assistant":
        message = record.record("message")
        return None if message.get("model") == "<synthetic>" else ("assistant", message)
    return _queued(record)


def _queued(record: JsonRecord) -> tuple[Role, JsonRecord] | None:
    """A message that the person typed while the assistant was working; it has no line of type "user"."""
    attachment = record.inner("attachment")
    is_prompt = attachment.get("type") == "queued_command" and attachment.get("commandMode") == "prompt"
    if not is_prompt or not _is_said(attachment):
        return None
    return "user", JsonRecord(content=attachment.get("prompt"))


def _is_said(record: JsonRecord) -> bool:
    by_person = record.inner("origin").get("kind") in (None, "human")
    return by_person and not any(record.get(flag) is True for flag in _NOT_SAID)


def _text(role: Role, message: JsonRecord) -> str:
    parts = message.parts("content")
    if role == "user":
        parts = [typed(part) for part in parts]
    return "\n".join(part for part in parts if part).strip()
