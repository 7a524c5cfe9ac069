"""Measures how long each method of a memory takes for texts of many shapes. It is a program, so that a text that hangs
can be killed. It prints a line of JSON before and after each call: method, shape, characters, and afterwards the
seconds of processor time, which other programs do not change.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sandbox import secrets
from sandbox.errors import SandboxError
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces import tooling
from sandbox.extensions.memory.interfaces.tooling import Refusal
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.text.fence import escaping, plain_name
from sandbox.support.characters import printable

SHAPES = {
    "one letter": "a",
    "spaces": " ",
    "capitals": "A",
    "headers": "Ab: x ",
    "brackets": "(",
    "square brackets": "[[",
    "angle brackets": "<",
    "fences": "</memory>",
    "braces": '{"a": ',
    "quotes": '"',
    "curly quotes": "«„“",
    "escapes": '\\"',
    "line breaks": "\n",
    "quoted lines": "> > ",
    "code": "```",
    "dashes": "- - ",
    "slashes": "/*",
    "Chinese": "我今天在北京吃了很多东西然后回家",
    "Russian": "и и ",
    "long Russian": "привет",
    "emoji": "👍🏽",
    "combining marks": "a\u0301\u0323",
    "Hangul": "한국어",
    "unnamed letters": "Привет \U00017000 ",
    "digits": "7",
    "letters and digits": "a1",
    "dates": "in May 2023 and ",
    "the": "the the ",
    "addresses": "https://a.b/c?d=e&",
    "mail": "a.b@",
    "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0123456789+/",
    "points": "...!?",
    "initials": "A. A. ",
    "names": "Ann Lee, ",
    "colons": ": : ",
    "commas": ", and ",
    "apostrophes": "a'",
    "humps": "aB",
    "underlined": "A'b_",
    "passwords": "password: ",
    "keys": "-----BEGIN RSA PRIVATE KEY-----\nAb: x\n",
    "wishes": "please remember to ",
    "laughs": "haha but ",
    "questions": "how so? ",
    "sentences": "I moved to Leeds with my wife. ",
    "now": "now,  now  ",
}


class Try(NamedTuple):
    """A text, the memory in which it is tried, and a unique name."""

    memory: Memory
    folder: Path
    text: str
    name: str


Call = Callable[[Try], Awaitable[object]]


async def _observe_many(it: Try) -> None:
    memory, _, text, name = it
    tenth = max(1, len(text) // 10)
    parts = [text[at : at + tenth] for at in range(0, len(text), tenth)]
    await memory.observe_many([Message("user", part, session=name) for part in parts])


async def _learn(it: Try) -> None:
    memory, _, text, name = it
    await memory.observe("user", text, session=name)
    await memory.consolidate(name)


async def _correct(it: Try) -> None:
    memory, _, text, name = it
    known = await memory.remember(f"Something is called {name}.")
    await memory.correct(known, f"{text}!")


async def _merge(it: Try) -> None:
    memory, _, text, name = it
    await memory.remember("They play chess.", subject=f"{name} {text}")
    await memory.remember("They play go.", subject=name)
    await memory.merge_entities(f"{name} {text}", name)
    await memory.entity(name)


async def _call_tools(it: Try) -> None:
    call = tooling.Call(it.memory, Scope(), LocalTime(it.memory.clock()))
    for tool in tools(Config.load()):
        values = {name: it.text for name, field in tool.parameters.model_fields.items() if field.is_required()}
        with contextlib.suppress(Refusal, ValueError):
            await tool.answer(call, tool.parameters(**values))


def _imported(make: Callable[[str, str], object]) -> Call:
    async def call(it: Try) -> None:
        memory, folder, text, name = it
        path = folder / "import.jsonl"
        path.write_text(json.dumps(make(text, name)) + "\n", encoding="utf-8")
        await memory.import_file(path)

    return call


def _chatgpt(text: str, name: str) -> object:
    said = {"id": name, "author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
    return {"conversation_id": name, "mapping": {"a": {"message": said, "parent": None, "children": []}}}


def _pure(function: Callable[[str], object]) -> Call:
    async def call(it: Try) -> None:
        function(it.text)

    return call


_ISO = datetime(2026, 1, 3, tzinfo=UTC).isoformat()
ENTRIES: dict[str, Call] = {
    "observe": lambda it: it.memory.observe("user", it.text, session=it.name, key=it.name),
    "observe as a tool": lambda it: it.memory.observe("tool", it.text, session=it.name),
    "speaker": lambda it: it.memory.observe("user", "Hello.", session=it.name, speaker=it.text),
    "observe_many": _observe_many,
    "embedding": lambda it: it.memory.wait_until_embedded(),
    "remember": lambda it: it.memory.remember(f"{it.name} {it.text}"),
    "remember, alike": lambda it: it.memory.remember(f"{it.text} {it.name}", on_similar="supersede"),
    "profile": lambda it: it.memory.remember(f"The user's name is {it.text}", subject="user"),
    "correct": _correct,
    "merge_entities": _merge,
    "search": lambda it: it.memory.search(it.text),
    "search for an entity": lambda it: it.memory.search("chess", entity=it.text),
    "context": lambda it: it.memory.context(it.text),
    "consolidate": _learn,
    "tools": _call_tools,
    "import of chat messages": _imported(lambda text, name: {"role": "user", "content": text, "session": name}),
    "import of memories": _imported(lambda text, name: {"id": name, "text": text, "tags": [text[:100]], "ts": _ISO}),
    "import of ChatGPT": _imported(_chatgpt),
    "import of Claude Code": _imported(
        lambda text, name: {
            "type": "user", "sessionId": name, "parentUuid": None, "uuid": name, "timestamp": _ISO,
            "message": {"role": "user", "content": text},
        }
    ),
    "secrets.mask": _pure(secrets.mask),
    "secrets.mask_name": _pure(secrets.mask_name),
    "escaping": _pure(escaping("memory")),
    "plain_name": _pure(plain_name),
    "printable": _pure(printable),
}  # fmt: skip


def texts(shape: str, characters: int) -> str:
    """Texts of one shape, in each size."""
    unit = SHAPES[shape]
    return (unit * (characters // len(unit) + 1))[:characters]


async def measure(folder: Path, plan: Iterable[tuple[str, Sequence[int]]], skipped: set[tuple[str, str]]) -> None:
    """Call every method with texts of some shapes, each in its sizes."""
    number = 0
    async with Memory.open(folder) as memory:
        await memory.remember("Ann Lee lives in Leeds.", subject="Ann Lee")
        for shape, sizes in plan:
            for entry, call in ENTRIES.items():
                for characters in sizes if (entry, shape) not in skipped else ():
                    number += 1
                    _say(entry, shape, characters)
                    _say(
                        entry, shape, characters, await _seconds(call, memory, folder, texts(shape, characters), number)
                    )


async def _seconds(call: Call, memory: Memory, folder: Path, text: str, number: int) -> float:
    before = time.process_time()
    with contextlib.suppress(SandboxError, ValueError):  # a refusal is an answer too
        await call(Try(memory, folder, text, f"name{number}"))
    return time.process_time() - before


def _say(*values: Any) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    _folder, _plan, _skipped = json.loads(sys.argv[1])
    asyncio.run(measure(Path(_folder), _plan, {(entry, shape) for entry, shape in _skipped}))
