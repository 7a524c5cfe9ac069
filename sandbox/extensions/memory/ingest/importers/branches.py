"""What a person took back in Claude Code or Qwen Code. The agent leaves it in its file, and goes on from an earlier
line: each line names the one before it.
"""

from collections.abc import Iterable, Iterator, Sequence

from sandbox.extensions.memory.ingest.importers.values import Entry, Item, JsonRecord
from sandbox.extensions.memory.model import Message

_SAID = ("user", "assistant", "tool_result")


def remaining(lines: Iterable[tuple[Entry, Sequence[Item]]]) -> Iterator[Item]:
    """The items of the lines, without those that were taken back: if two prompts follow the same line, the first one
    was, with all that follows it. Lines of the program between them do not count.
    """
    found: list[tuple[str | None, Item]] = []
    parents: dict[str, str | None] = {}
    said: dict[str, str | None] = {}  # for each line the last one at or above it that somebody said
    prompts: dict[str, str] = {}
    gone: set[str] = set()
    for entry, items in lines:
        record = JsonRecord(entry.value) if isinstance(entry.value, dict) else JsonRecord()
        line, parent = _id(record, "uuid"), _id(record, "parentUuid")
        found.extend((line, item) for item in items)
        if line is None or line in parents:
            continue
        before = said.get(parent) if parent else None
        is_prompt = any(isinstance(item, Message) and item.role == "user" for item in items)
        parents[line], said[line] = parent, line if is_prompt or record.get("type") in _SAID else before
        if is_prompt and before:
            if before in prompts:
                gone.add(prompts[before])
            prompts[before] = line
    for line, parent in parents.items():  # a line stands behind its parent
        if parent in gone:
            gone.add(line)
    yield from (item for line, item in found if line not in gone)


def _id(record: JsonRecord, field: str) -> str | None:
    value = record.get(field)
    return value if isinstance(value, str) else None
