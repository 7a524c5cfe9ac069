"""Two tools that keep one memory for each subject: add and update."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.shapes import Answer, Arguments, MemoryItem
from sandbox.extensions.memory.interfaces.tooling import Call, tool
from sandbox.extensions.memory.model import LONGEST_FACT, SHORTEST_FACT, Record
from sandbox.extensions.memory_mcp.profiles.guidelines import SIMPLE
from sandbox.extensions.memory_mcp.tooling import Profile, Prompt
from sandbox.support.trust import least

_SUGGESTED = 5  # memories of one subject that are shown
_NAMES = {
    "search": "the memories in your context",
    "remember": "add_to_memory",
    "correct": "update_memory",
    "command": "memory",
}


class Add(Arguments):
    """The arguments of `add_to_memory`."""

    content: str = Field(
        min_length=SHORTEST_FACT, max_length=LONGEST_FACT, description="The fact or information to remember"
    )
    category: Literal["person", "preference", "context", "project"] = Field(
        description="Category of memory: person, preference, context, or project"
    )
    subject: str | None = Field(
        None,
        max_length=200,
        description="Optional subject/entity this memory relates to (e.g., person name, project name)",
    )


class Update(Arguments):
    """The arguments of `update_memory`."""

    memory_id: str = Field(min_length=1, description="8-character ID of the memory to update")
    content: str = Field(
        min_length=SHORTEST_FACT, max_length=LONGEST_FACT, description="The updated content for this memory"
    )


class Added(Answer):
    """A new memory; or the known memories of the same subject, and nothing was stored."""

    ok: bool
    id: str | None = None
    memory: MemoryItem | None = None
    existing: list[MemoryItem] | None = None
    advice: str | None = None


class Updated(Answer):
    """The former and the new content of a memory."""

    ok: Literal[True]
    id: str
    old: str
    new: str
    version: int


@tool(
    "Add to memory",
    "Store important information for future conversations. Use this when the user shares facts about people,"
    " expresses preferences, or provides context that would be useful to remember. Ask for confirmation before"
    " storing new information.",
    Added,
    repeats=True,
)
async def _add_to_memory(call: Call, given: Add) -> Mapping[str, Any]:
    if given.subject and (known := await _of_subject(call, given)):
        call.brings_up(known)
        advice = (
            "Nothing was stored: this is known of the subject. Call update_memory with its id where the information has"
            " changed; where it is another fact, call add_to_memory again without the subject."
        )
        return {"ok": False, "existing": wire.memories(known, call.at), "advice": advice}
    id = await call.memory.remember(
        given.content, category=given.category, subject=given.subject, trust=least(call.trust, "user"), scope=call.scope
    )
    known_now = (await call.memory.explain(id, scope=call.scope)).memory
    return {"ok": True, "id": id, "memory": wire.memory(known_now, call.at), **wire.advice_on(known_now)}


async def _of_subject(call: Call, given: Add) -> list[Record]:
    """The known memories of the subject; none if one has the same content."""
    page = await call.memory.list(limit=_SUGGESTED, subject=given.subject, scope=call.scope)
    found = [each.memory for each in page.items]
    return [] if any(each.content == given.content for each in found) else found


@tool(
    "Update a memory",
    "Update an existing memory when information has changed. Use this instead of creating a new memory when"
    " correcting outdated information.",
    Updated,
    destroys=True,
    repeats=True,
)
async def _update_memory(call: Call, given: Update) -> Mapping[str, Any]:
    old = (await call.memory.explain(given.memory_id, scope=call.scope)).memory
    if old.content != given.content:
        await call.memory.correct(given.memory_id, given.content, trust=call.trust, scope=call.scope)
    new = (await call.memory.explain(given.memory_id, scope=call.scope)).memory
    return {"ok": True, "id": new.id, "old": old.content, "new": new.content, "version": new.version}


async def _block(call: Call, _: Mapping[str, str]) -> str:
    """All knowledge without that of tools and pages, by category and age; the same memories give the same bytes."""
    block = await call.memory.fixed_block(scope=call.scope)
    if block is None:
        return ""
    call.brings_up(block.items)
    return f"{_HEAD}\n\n{block}"


def profile(_: Config) -> Profile:
    """The two tools, and the block as a prompt."""
    return Profile("simple", SIMPLE, [_add_to_memory, _update_memory], _NAMES, [_PROMPT])


_HEAD = """\
## Your Memory

The following is information you've learned about the user from previous conversations.
Use this context naturally. To update a memory, use the update_memory tool with the memory ID."""

_PROMPT = Prompt(
    "memories", "All known memories for a prompt, by category, each with the id for update_memory.", run=_block
)
