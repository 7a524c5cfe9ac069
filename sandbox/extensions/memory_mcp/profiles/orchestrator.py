"""The tools of an assistant: those of ``interfaces``, with their answers."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.refusals import TOOL_NAMES
from sandbox.extensions.memory.interfaces.tools import Caller, MemoryTool, tools
from sandbox.extensions.memory_mcp.answers import Answer, FadingItem, Found, MemoryItem, Ok, Stored
from sandbox.extensions.memory_mcp.tooling import Call, Profile, Tool


class Relation(Answer):
    """A relation of two entities; the user's name is left out."""

    subject: str | None = None
    predicate: str
    value: str | None = None
    id: str
    is_denied: bool | None = None
    modality: str | None = None
    since: str


class Entity(Ok):
    """What is known about one person, project, place or thing."""

    name: str
    type: str
    id: str
    aliases: list[str] | None = None
    merged: list[str] | None = None
    namesakes: dict[str, str] | None = Field(None, description="Other entities that the name could mean, by id.")
    summary: str | None = None
    mentions: int
    first_seen: str
    last_seen: str
    relations: list[Relation] | None = None
    facts: list[MemoryItem] | None = None
    timeline: list[MemoryItem] | None = None


class Forgotten(Ok):
    """A forgotten memory; the user can restore it."""

    forgotten: str
    content: str
    advice: str


class LoggedChange(Answer):
    """A change of a memory."""

    event: str
    by: str | None = None
    at: str


class Explained(Ok):
    """How a memory is known."""

    memory: FadingItem
    learnt_as: str
    rests_on: list[MemoryItem] | None = None
    earlier_versions: list[MemoryItem] | None = None
    supersedes: list[MemoryItem] | None = None
    superseded_by: list[MemoryItem] | None = None
    possible_conflicts: list[MemoryItem] | None = None
    entities: list[str] | None = None
    changes: list[LoggedChange] | None = None


class Statistics(Ok):
    """Counts of what is remembered."""

    memories: dict[str, int] | None = None
    no_longer_believed: dict[str, int] | None = None
    edges: dict[str, int] | None = None
    entities: int
    orphans: int
    sessions: int
    sessions_not_learnt_from: int
    embedding_model: str | None = None
    vectors: int
    waiting_for_a_vector: int
    storage_bytes: int
    last_maintained: str | None = None
    last_maintained_local: str | None = None
    last_maintained_relative: str | None = None


class Weak(Ok):
    """Memories that will soon fade, the first to fade first."""

    count: int
    memories: list[FadingItem]


_READS = frozenset(("search_memory", "get_entity_info", "memory_stats", "explain_fact", "weak_facts"))
_KINDS: Mapping[str, tuple[str, type[BaseModel]]] = {
    "search_memory": ("Search memory", Found),
    "remember_fact": ("Remember a fact", Stored),
    "correct_fact": ("Correct a fact", Stored),
    "confirm_fact": ("Confirm a fact", Stored),
    "forget_fact": ("Forget a fact", Forgotten),
    "get_entity_info": ("Look somebody or something up", Entity),
    "memory_stats": ("Count memories", Statistics),
    "explain_fact": ("Explain a fact", Explained),
    "weak_facts": ("List what fades", Weak),
}


def profile(config: Config) -> Profile:
    """All tools."""
    names = {**TOOL_NAMES, "command": "memory"}
    return Profile("orchestrator", GUIDANCE, [_tool(each, names) for each in tools(config)], names)


def _tool(tool: MemoryTool, names: Mapping[str, str]) -> Tool:
    async def run(call: Call, arguments: Any) -> Mapping[str, Any]:
        answer = await tool.call(call.memory, Caller(call.scope, call.at, call.trust), arguments, names)
        call.lower(answer.trust)
        return answer.values

    title, answers = _KINDS[tool.name]
    reads, destroys = tool.name in _READS, tool.name in ("correct_fact", "forget_fact")
    return Tool(
        tool.name, title, tool.description, tool.parameters, answers, run, reads=reads, destroys=destroys, repeats=True
    )
