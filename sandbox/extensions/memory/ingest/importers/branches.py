"""What a person took back in Claude Code or Qwen Code. The agent leaves it in its file, and goes on from an earlier
line: each line names the one before it. In two terminals that continue one session, both branches go on.
"""

from collections.abc import Iterable, Iterator, Sequence

from sandbox.extensions.memory.ingest.importers.records import Entry, Item, JsonRecord, TakenBack
from sandbox.extensions.memory.model import Message

_SAID = ("user", "assistant", "tool_result")


def remaining(lines: Iterable[tuple[Entry, Sequence[Item]]]) -> Iterator[Item]:
    """The items of the lines, with a mark for each message that was taken back: if two prompts follow the same line, or
    begin the same session, the first one was, with all that follows it, unless its branch goes on behind the second
    prompt. Lines of the program between them do not count.
    """
    found: list[tuple[str | None, Item]] = []
    parents: dict[str, str | None] = {}
    said: dict[str, str | None] = {}  # for each line the last one at or above it that somebody said
    prompts: dict[str, str] = {}
    replaced: dict[str, str] = {}  # the second prompt by the first
    for entry, items in lines:
        record = JsonRecord.any(entry.value)
        line, parent = _id(record, "uuid"), _id(record, "parentUuid")
        found.extend((line, item) for item in items)
        if line is None or line in parents:
            continue
        is_result = "toolUseResult" in record or record.get("type") == "tool_result"  # perhaps of a dialog
        is_prompt = not is_result and any(isinstance(item, Message) and item.role == "user" for item in items)
        before = said.get(parent) if parent else line  # what comes after a compaction stands below such a line
        if record.get("parentUuid", line) is None and (is_prompt or record.get("subtype") == "rewind"):
            before = f"the beginning of {record.get('sessionId')}"
        parents[line], said[line] = parent, line if is_prompt or record.get("type") in _SAID else before
        if is_prompt and before:
            if before in prompts:
                replaced[prompts[before]] = line
            prompts[before] = line
    place = {line: number for number, line in enumerate(parents)}
    ends = dict(place)  # the last line of the branch of each line
    for line, parent in reversed(parents.items()):  # a line stands behind its parent
        if parent in ends:
            ends[parent] = max(ends[parent], ends[line])
    gone = {
        first
        for first, second in replaced.items()  # of a part of a file, the first line may stand without what followed it
        if ends[first] < place[second] and (parents[first] or ends[first] > place[first])
    }
    for line, parent in parents.items():
        if parent in gone:
            gone.add(line)
    for line, item in found:
        yield from TakenBack.of([item]) if line in gone else [item]


def _id(record: JsonRecord, field: str) -> str | None:
    value = record.get(field)
    return value if isinstance(value, str) else None
