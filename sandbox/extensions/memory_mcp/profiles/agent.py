"""Three tools for any agent: save, recall, manage."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import EmbedderUnavailable, InvalidArgument, UnknownEntity
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.shapes import Found, MemoryItem, Ok, UsedItem
from sandbox.extensions.memory.interfaces.tooling import Arguments, Call, Refusal, tool
from sandbox.extensions.memory.interfaces.tools import NOTHING_FOUND, Fact, explained
from sandbox.extensions.memory.model import KNOWLEDGE, SHORTEST_FACT, Scope
from sandbox.extensions.memory_mcp.profiles.guidelines import AGENT
from sandbox.extensions.memory_mcp.tooling import Profile
from sandbox.support.trust import least

Category = Literal["preference", "pattern", "correction", "fact", "instruction", "convention"]
Source = Literal["explicit", "inferred", "corrected"]
Where = Literal["user", "project"]


_NAMES = {
    "search": "recall_memories",
    "remember": "save_memory",
    "correct": "manage_memory with the action update",
    "command": "memory",
}
_WAITS = (
    "It is not believed yet, because it waits for the user's consent. Ask the user whether it is true and may be kept;"
    " if they agree, call save_memory again with the source explicit. The user can also decide with `memory proposals"
    " approve {id}` or `memory proposals reject {id}`."
)
_LONGEST_WAIT = 1.0  # seconds to wait for the vectors of new memories


# --- parameters and answers -------------------------------------------------------------------------------------------


class Updates(Arguments):
    """The new values of a memory; the others do not change."""

    content: str | None = Field(None, min_length=SHORTEST_FACT, description="The whole correct memory.")
    category: Category | None = None
    confidence: float | None = Field(None, ge=0, le=1, description="The confidence of the memory.")


class Saved(Ok):
    """A stored memory. ``superseded`` are ids of memories that it replaced, and ``replaced`` their texts."""

    action: Literal["created", "updated", "unchanged"]
    id: str
    superseded: list[str]
    replaced: list[str]
    memory: MemoryItem
    advice: str | None = Field(
        None, description="What to do, because the memory is not believed yet, or not the user's word."
    )


class Managed(Ok):
    """What was listed or done."""

    action: Literal["list", "delete", "update", "forget_all"]
    count: int | None = Field(None, description="How many memories are listed, or were forgotten.")
    total: int | None = Field(None, description="How many memories there are.")
    memories: list[UsedItem] | None = None
    memory: MemoryItem | None = None
    advice: str | None = None


# --- handlers ---------------------------------------------------------------------------------------------------------


@tool(
    "Save a memory",
    "Save a memory that persists across sessions. Use this to remember user preferences, learned patterns,"
    " corrections, conventions, or important facts. If a similar memory already exists, it will be updated"
    " (superseded) rather than duplicated.",
    Saved,
    repeats=True,
)
async def _save_memory(
    call: Call,
    content: Fact = Field(description="The memory to save, in clear natural language. Be specific and self-contained."),
    category: Category = Field(description="One of: preference, pattern, correction, fact, instruction, convention."),
    source: Source = Field(
        "inferred",
        description='How this memory was learned: explicit (user said "remember this"), inferred (agent noticed'
        " pattern), corrected (user corrected agent). Default: inferred.",
    ),
    scope: Where = Field(
        "user", description="user (default, applies everywhere for this user), project (only this project)."
    ),
    context: str | None = Field(None, max_length=200, description="Name of a memory context group to file this under."),
    related_to: list[str] = Field(
        [], max_length=50, description="IDs or names of known entities this memory is relevant to."
    ),
    derived_from: list[str] = Field(
        [], max_length=50, description="IDs or names of known entities this memory was inferred from observing."
    ),
) -> Mapping[str, Any]:
    home = _home(call.scope, scope)
    with suppress(TimeoutError, EmbedderUnavailable):  # a memory that was saved a moment ago may be similar, too
        await asyncio.wait_for(call.memory.wait_until_embedded(), _LONGEST_WAIT)
    try:
        id = await call.memory.remember(
            content,
            category=category,
            source=source,
            on_similar="supersede",
            relevant_to=related_to,
            derived_from=derived_from,
            contexts=[context] if context else (),
            trust=least(call.trust, "assistant" if source == "inferred" else "user"),
            scope=home,
        )
    except UnknownEntity as error:
        parameter = "derived_from" if error.details["name"] in derived_from else "related_to"
        raise Refusal(
            f"Nothing was saved: `{parameter}` has a name of which nothing is known.",
            "Call save_memory again without that name.",
        ) from error
    known = await call.memory.explain(id, scope=home)
    is_new = known.memory.created_at >= call.at.now and known.memory.version == 1
    replaced = known.supersedes if is_new else ()
    action = ("updated" if replaced else "created") if is_new else "unchanged"
    texts = {"superseded": [each.id for each in replaced], "replaced": [each.content for each in replaced]}
    saved = {"id": id, **texts, "memory": wire.memory(known.memory, call.at, known.contexts)}
    waits = known.memory.retired_by == "proposed"
    advice = {"advice": _WAITS.format(id=id)} if waits else wire.advice_on(known.memory)
    return {"ok": True, "action": action, **saved, **advice}


@tool(
    "Recall memories",
    "Search for relevant memories from past sessions. Call this when starting a new task, when you need to check user"
    " preferences, or when the user references something you should already know. Returns the most relevant memories"
    " sorted by relevance.",
    Found,
    reads=True,
)
async def _recall_memories(
    call: Call,
    query: str = Field(
        min_length=1,
        description="What you're looking for. Be descriptive. E.g., \"user's TypeScript coding preferences\".",
    ),
    category: Category | None = Field(
        None, description="Filter by category: preference, pattern, correction, fact, instruction, convention."
    ),
    scope: Where | None = Field(None, description="Filter by scope: user, project."),
    limit: int = Field(10, ge=1, le=50, description="Max memories to return (default: 10, max: 50)."),
) -> Mapping[str, Any]:
    found = await call.memory.search(
        query,
        limit=limit,
        category=category,
        visibility=scope and _home(call.scope, scope).visibility,
        now=call.at.here,
        scope=call.scope,
    )
    call.brings_up(found)
    found.sort(key=lambda hit: hit.category != "correction")  # corrections first, so that a mistake is not repeated
    memories = wire.memories(found, call.at)
    return {"ok": True, "count": len(memories), "memories": memories} | ({} if memories else {"advice": NOTHING_FOUND})


@tool(
    "Manage memories",
    "Manage existing memories: list all memories, delete outdated ones, or update memory properties. Use when the user"
    " asks to see, modify, or forget specific memories.",
    Managed,
    destroys=True,
)
async def _manage_memory(
    call: Call,
    action: Literal["list", "delete", "update", "forget_all"] = Field(
        description="One of: list, delete, update, forget_all."
    ),
    memory_id: str | None = Field(None, description="Required for delete and update actions."),
    updates: Updates | None = Field(None, description="For update action: { content, category, confidence }."),
    category: Category | None = Field(None, description="For list and forget_all actions: filter by category."),
    limit: int = Field(20, ge=1, le=200, description="For list action: max results (default: 20)."),
    confirm: bool = Field(
        False,
        description="For forget_all action: true only after the user was told what will be forgotten, and agreed.",
    ),
) -> Mapping[str, Any]:
    if action == "list":
        done = await _list(call, category, limit)
    elif action == "forget_all":
        done = await _forget_all(call, memory_id, category, is_sure=confirm)
    elif not memory_id:
        raise Refusal(f"The action {action} needs `memory_id`.", "recall_memories and the action list show ids.")
    else:
        done = await (_delete(call, memory_id) if action == "delete" else _update(call, memory_id, updates))
    return {"ok": True, "action": action, **done}


async def _list(call: Call, category: Category | None, limit: int) -> Mapping[str, Any]:
    page = await call.memory.list(limit=limit, order="most_used", types=KNOWLEDGE, category=category, scope=call.scope)
    call.brings_up([each.memory for each in page.items])
    memories = [
        wire.memory(each.memory, call.at, each.contexts) | {"use_count": each.memory.access_count}
        for each in page.items
    ]
    return {"count": len(memories), "total": page.total, "memories": memories}


async def _delete(call: Call, id: str) -> Mapping[str, Any]:
    found = await explained(call, id)
    await call.memory.forget(id, trust=call.trust, scope=call.scope)
    return {"count": 1, "advice": f"Tell the user: {wire.restoring(found)}"}


async def _update(call: Call, id: str, updates: Updates | None) -> Mapping[str, Any]:
    changes = updates.model_dump(exclude_none=True) if updates else {}
    if not changes:
        raise Refusal("Nothing was changed: `updates` is empty.", "Give content, category or confidence.")
    content = changes.pop("content", None)
    if content is None:
        content = (await call.memory.explain(id, scope=call.scope)).memory.content
    await call.memory.correct(id, content, trust=call.trust, scope=call.scope, **changes)
    return {"memory": wire.memory((await call.memory.explain(id, scope=call.scope)).memory, call.at)}


async def _forget_all(call: Call, id: str | None, category: Category | None, *, is_sure: bool) -> Mapping[str, Any]:
    if id:
        raise Refusal(
            "Nothing was forgotten: forget_all takes no `memory_id`.", "The action delete forgets one memory."
        )
    forget = partial(call.memory.forget_all, category=category, trust=call.trust, scope=call.scope)
    would = await forget(dry_run=True)
    if not would:
        return {"count": 0, "advice": "There is nothing to forget."}
    if not is_sure:
        raise Refusal(
            f"Nothing was forgotten yet: {would:,} {'memory' if would == 1 else 'memories'} would be.",
            "Tell the user that number and ask whether all of them should be forgotten. Only if they agree, call"
            " manage_memory again with the action forget_all and confirm set to true.",
        )
    count = await forget()
    return {"count": count, "advice": "Conversations are kept; `memory erase` erases one."}


def _home(scope: Scope, where: Where) -> Scope:
    """The home of memories with that scope."""
    if where == "project" and scope.project_id is None:
        raise Refusal(
            "Nothing was done: this connection belongs to no project.",
            "Use the scope user; or the person starts the server with `memory mcp --project NAME`.",
        )
    return replace(scope, visibility=where)


# --- the tools --------------------------------------------------------------------------------------------------------


def profile(config: Config) -> Profile:
    """The three tools. Raises ``InvalidArgument`` if the settings lack one of their categories."""
    if missing := set(get_args(Category)).difference(config.categories):
        expected = f"the profile agent also needs {', '.join(sorted(missing))}"
        raise InvalidArgument(argument="categories", value=None, expected=expected)
    return Profile("agent", AGENT, [_save_memory, _recall_memories, _manage_memory], _NAMES)
