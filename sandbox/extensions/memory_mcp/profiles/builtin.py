"""Store, search and delete by words, and the block before a message.

Memories that this profile stores have ids `m-N`, which only grow and are the caller's keys; a search also finds other
memories, by their own ids. Beyond ``_MOST_STORED`` the oldest one of this profile is forgotten.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ArgumentsDisagree, SecretRefused, UnknownMemory
from sandbox.extensions.memory.interfaces.shapes import Answer
from sandbox.extensions.memory.interfaces.tooling import Call, tool
from sandbox.extensions.memory.interfaces.wire import iso
from sandbox.extensions.memory.model import Record
from sandbox.extensions.memory_mcp.profiles.guidelines import BUILTIN
from sandbox.extensions.memory_mcp.tooling import Profile, Prompt
from sandbox.support.trust import least

_FOUND = 20
_MOST_STORED = 500
_INJECTED, _INJECTED_BYTES, _LATEST = 10, 2_000, 5
_NAMES = {"search": "memory_search", "remember": "memory_store", "correct": "memory_store", "command": "memory"}
_NO_SCOPES = (
    "Scopes are not kept yet: it stands with everything else that this connection stores, and is found the same."
)
_SECRET = "text appears to contain a secret — not stored"

# The secrets that this profile promises to refuse; other secrets that the memory recognises are refused as well.
_LOOKS_SECRET = re.compile(r"sk-|ghp_|gho_|glpat-|xoxb-|xoxp-|Bearer |token:|password:")
_BLOB = re.compile(r"[A-Za-z0-9+/]{40,}")
_ID = re.compile(r"m-([1-9][0-9]*)")

# Words without meaning for the topic of a message.
_STOPWORDS = frozenset(
    "the and for are but not you all can has her was one our out its use how may who did get had him his let say she"
    " too own way about could from have into just like make many some than that them then this very when what with will"
    " would been each more most much must only also back being come every first here know made need over such take"
    " where which while work project please help want using thing file should".split()
)


class Stored(Answer):
    """The id of the memory, or why it was not stored."""

    ok: bool
    id: str | None = None
    error: str | None = None
    not_yet: list[str] | None = Field(None, description="Parts of the request that were not done.")


class Deleted(Answer):
    """The memory was deleted."""

    ok: Literal[True]


class Item(Answer):
    """One memory."""

    id: str
    text: str
    tags: list[str]
    ts: str


class Found(Answer):
    """Memories, the newest first."""

    count: int
    memories: list[Item]


# --- handlers ---------------------------------------------------------------------------------------------------------


@tool("Store a memory", "Store a new memory.", Stored, repeats=True)
async def _memory_store(
    call: Call,
    text: str = Field(min_length=1, max_length=500, description="the fact or note to remember (max 500 chars)"),
    tags: list[Annotated[str, Field(min_length=1, max_length=50)]] = Field(
        [], max_length=5, description="classification tags"
    ),
    scope: Literal["user", "workspace", "session"] | None = Field(
        None, description="'user' | 'workspace' | 'session' (default 'workspace')"
    ),
) -> Mapping[str, Any]:
    if _looks_secret(text):
        return {"ok": False, "error": _SECRET}
    number = await _last(call) + 1
    while True:
        key = f"m-{number}"
        try:
            id = await call.memory.remember(text, tags=tags, key=key, trust=least(call.trust, "user"), scope=call.scope)
        except SecretRefused:
            return {"ok": False, "error": _SECRET}
        except ArgumentsDisagree:  # the number belongs to another memory
            number += 1
            continue
        stored = (await call.memory.explain(id, scope=call.scope)).memory
        if stored.key != key or stored.retired_by in (None, "proposed", "rejected"):
            break
        number += 1  # the number belongs to the same statement, which was deleted
    for each in [each async for each in call.known() if _number(each)][_MOST_STORED:]:  # the oldest
        await call.memory.forget(each.id, trust=call.trust, scope=call.scope)
    not_yet = [_NO_SCOPES] if scope else []
    if stored.created_at < call.at.now and stored.content != text:
        call.brings_up([stored])
        not_yet.append(f"It counts as known already, in these words, which stay: {stored.content}")
    return {"ok": True, "id": _id(stored), **({"not_yet": not_yet} if not_yet else {})}


def _looks_secret(text: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    mixed = (all(any(map(kind, blob)) for kind in kinds) for blob in _BLOB.findall(text))
    return _LOOKS_SECRET.search(text) is not None or any(mixed)


@tool("Search memories", "Search stored memories by keyword or tag.", Found, reads=True)
async def _memory_search(
    call: Call,
    query: str | None = Field(None, description="keyword search across memory text"),
    tag: str | None = Field(None, description="filter by tag"),
) -> Mapping[str, Any]:
    wanted, found = (query or "").lower(), list[Record]()
    async for each in call.known():
        if wanted in each.content.lower() and (tag is None or tag in each.tags):
            found.append(each)
            if len(found) == _FOUND:
                break
    call.brings_up(found)
    return {"count": len(found), "memories": [_item(each) for each in found]}


@tool("Delete a memory", "Delete a memory by ID.", Deleted, destroys=True)
async def _memory_delete(
    call: Call, id: str = Field(min_length=1, description="memory ID to delete")
) -> Mapping[str, Any]:
    async for each in call.known():
        if id in (each.key, each.id):
            await call.memory.forget(each.id, trust=call.trust, scope=call.scope)
            return {"ok": True}
    raise UnknownMemory(id=id)


async def _last(call: Call) -> int:
    """The highest number among the present memories."""
    async for each in call.known():
        if number := _number(each):
            return number
    return 0


def _number(record: Record) -> int:
    found = _ID.fullmatch(record.key or "")
    return int(found[1]) if found else 0


def _id(record: Record) -> str:
    return record.key if record.key and _number(record) else record.id


def _item(record: Record) -> dict[str, Any]:
    return {"id": _id(record), "text": record.content, "tags": list(record.tags), "ts": iso(record.created_at)}


# --- injection --------------------------------------------------------------------------------------------------------


async def _injected(call: Call, arguments: Mapping[str, str]) -> str:
    """The block for a message: memories that share words with it, or else the latest."""
    everything = [each async for each in call.known()]
    words = _words(arguments.get("message", ""))
    scored = sorted(everything, key=lambda each: _score(each, words, call.at.now), reverse=True)
    matching = [each for each in scored if words & _words(each.content)]
    chosen = _within(matching or everything[:_LATEST])
    call.brings_up(chosen)
    lines = [f"- ({', '.join([_id(each), *each.tags])}) {' '.join(each.content.split())}" for each in chosen]
    return "\n".join(["[Memories]", *lines])


def _within(found: Sequence[Record]) -> list[Record]:
    """The first memories that fit the budget, at most ten."""
    chosen, room = list[Record](), _INJECTED_BYTES
    for each in islice(found, _INJECTED):
        if (size := len(each.content.encode())) <= room:
            chosen, room = [*chosen, each], room - size
    return chosen


def _score(record: Record, words: frozenset[str], now: datetime) -> float:
    hours = (now - record.created_at).total_seconds() / 3600
    return len(words & _words(record.content)) + min(1.0, 0.1 / max(hours, 0.1))


def _words(text: str) -> frozenset[str]:
    """Words of three letters or more, without stop words."""
    return frozenset(word for word in re.split(r"[\W_]+", text.lower()) if len(word) > 2) - _STOPWORDS


# --- the tools --------------------------------------------------------------------------------------------------------


def profile(_: Config) -> Profile:
    """The three tools, and the block as a prompt."""
    return Profile("builtin", BUILTIN, [_memory_store, _memory_search, _memory_delete], _NAMES, [_PROMPT])


_PROMPT = Prompt(
    "memories",
    "Memories that share words with a message, at most ten and 2 KB; if there are none, the latest five.",
    run=_injected,
    arguments={"message": "What the user said."},
)
