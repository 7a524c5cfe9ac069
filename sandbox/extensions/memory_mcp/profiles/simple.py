"""Two tools that keep one memory for each subject: add and update."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.shapes import Answer, MemoryItem
from sandbox.extensions.memory.interfaces.tooling import Call, tool
from sandbox.extensions.memory.interfaces.tools import Fact
from sandbox.extensions.memory.model import Record
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
async def _add_to_memory(
    call: Call,
    content: Fact = Field(description="The fact or information to remember"),
    category: Literal["person", "preference", "context", "project"] = Field(
        description="Category of memory: person, preference, context, or project"
    ),
    subject: str | None = Field(
        None,
        max_length=200,
        description="Optional subject/entity this memory relates to (e.g., person name, project name)",
    ),
) -> Mapping[str, Any]:
    if subject and (known := await _of_subject(call, subject, content)):
        call.brings_up(known)
        advice = (
            "Nothing was stored: this is known of the subject. Call update_memory with its id where the information has"
            " changed; where it is another fact, call add_to_memory again without the subject."
        )
        return {"ok": False, "existing": wire.memories(known, call.at), "advice": advice}
    id = await call.memory.remember(
        content, category=category, subject=subject, trust=least(call.trust, "user"), scope=call.scope
    )
    known_now = (await call.memory.explain(id, scope=call.scope)).memory
    return {"ok": True, "id": id, "memory": wire.memory(known_now, call.at), **wire.advice_on(known_now)}


async def _of_subject(call: Call, subject: str, content: str) -> list[Record]:
    """The known memories of the subject; none if one has the same content."""
    page = await call.memory.list(limit=_SUGGESTED, subject=subject, scope=call.scope)
    found = [each.memory for each in page.items]
    return [] if any(each.content == content for each in found) else found


@tool(
    "Update a memory",
    "Update an existing memory when information has changed. Use this instead of creating a new memory when"
    " correcting outdated information.",
    Updated,
    destroys=True,
    repeats=True,
)
async def _update_memory(
    call: Call,
    memory_id: str = Field(min_length=1, description="8-character ID of the memory to update"),
    content: Fact = Field(description="The updated content for this memory"),
) -> Mapping[str, Any]:
    old = (await call.memory.explain(memory_id, scope=call.scope)).memory
    if old.content != content:
        await call.memory.correct(memory_id, content, trust=call.trust, scope=call.scope)
    new = (await call.memory.explain(memory_id, scope=call.scope)).memory
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
