"""Chats that programs save as Markdown: Cursor (*Export Chat*), SpecStory (those of Cursor, Claude Code and others, in
``.specstory/history``) and ChatGPT Exporter, an extension of browsers. A line names the speaker of each turn.
"""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.model import Message, Role
from sandbox.extensions.memory.text.typed_prompt import without_blocks

_TURN = re.compile(
    r"^(?:---\n\n\*\*(?=(?:User|Cursor)\*\*$)|_\*\*(?=(?:User|Assistant|Agent)\b.*\*\*_$)|#### (?=(?:You|ChatGPT):$))"
    r"(User|Cursor|Assistant|Agent|You|ChatGPT)(.*)\n",
    re.MULTILINE,
)
_SOURCES = {"-": "cursor", "_": "specstory", "#": "chatgpt"}  # by the first sign of such a line
_PERSON = ("User", "You")
_ASIDES = ("think", "tool-use", "details")  # SpecStory's thoughts and tools
_RULE = re.compile(r"^---$", re.MULTILINE)
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?Z?")


def is_chat(text: str) -> bool:
    """Whether a text has turns of a person and of an assistant."""
    return len({turn[1] in _PERSON for turn in _TURN.finditer(_without_asides(text))}) == 2


def read(text: str) -> Iterator[Item]:
    """Every turn, without thoughts, tools and subagents. A turn without a time gets that of the turn before, the first
    one that of the title. A horizontal rule inside a text does not end its turn.
    """
    text = _without_asides(text)
    keys, turns = Keys(), list(_TURN.finditer(text))
    ends = [*(turn.start() for turn in turns[1:]), len(text)]
    latest = _TIME.search(text, 0, turns[0].start())
    for number, (turn, end) in enumerate(zip(turns, ends, strict=True), 1):
        latest = _TIME.search(turn[2]) or latest
        time = JsonRecord(time=latest[0] if latest else None)
        if "sidechain" not in turn[2]:
            yield from guarded(f"turn {number}", _turn(turn, text[turn.end() : end], time, keys))


def _without_asides(text: str) -> str:
    for name in _ASIDES:
        text = without_blocks(f"\n{text}", f"\n<{name}", f"</{name}>").removeprefix("\n")
    return text


def _turn(turn: re.Match[str], text: str, time: JsonRecord, keys: Keys) -> Iterator[Item]:
    role: Role = "user" if turn[1] in _PERSON else "assistant"
    said = "\n\n---\n\n".join(piece for piece in map(str.strip, _RULE.split(text)) if piece)
    if said:
        yield Message(role, said, at=time.time("time"), key=keys.derived(role, said), source=_SOURCES[turn[0][0]])
