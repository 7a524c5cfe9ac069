"""One tool for a supervisor and its agents: `memory.query`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.shapes import Answer, MemoryItem
from sandbox.extensions.memory.interfaces.tooling import Arguments, Call, tool
from sandbox.extensions.memory.model import KNOWLEDGE, Hit
from sandbox.extensions.memory.ports import EstimatedTokens
from sandbox.extensions.memory_mcp.profiles.guidelines import SUPERVISOR
from sandbox.extensions.memory_mcp.tooling import Profile

_LONGEST = 280  # characters of a bullet
_NAMES = {"search": "memory.query", "remember": "another profile", "correct": "another profile", "command": "memory"}
_TIMES = ("updated_after", "updated_before")


class Filters(Arguments):
    """Filters of a query; each is optional."""

    user_id: str | None = Field(None, description="Only the user of this connection has memories here.")
    agent_id: str | None = Field(None, description="The agent that stored it.")
    session_id: str | None = Field(None, alias="run_id", description="The session it is from.")
    actor_id: str | None = Field(None, description="The person or program for whom it was stored.")
    context: str | None = Field(None, description="A group it belongs to.")
    role: Literal["user", "assistant", "system", "tool"] | None = None
    pinned: bool | None = None
    importance_min: int | None = Field(None, ge=1, le=5)
    importance_max: int | None = Field(None, ge=1, le=5)
    updated_after: str | None = Field(None, description="YYYY-MM-DD or ISO 8601.")
    updated_before: str | None = Field(None, description="YYYY-MM-DD or ISO 8601.")


class Bullet(Answer):
    """One memory in a line."""

    id: str
    category: str
    subject: str | None = Field(None, description="The person or thing it is about.")
    text: str


class Answered(Answer):
    """The best first: bullets, or whole memories."""

    ok: Literal[True]
    count: int
    bullets: list[Bullet] | None = None
    memories: list[MemoryItem] | None = None
    tokens: int = Field(description="An estimate of the tokens of all items.")


@tool(
    "Query memory",
    "Find memories by meaning and words, for a named agent. Categories, filters, a threshold and a budget of tokens"
    " limit the answer. It has short bullets, or full memories if you ask for them. Call it when your context leaves"
    " a question open.",
    Answered,
    name="memory.query",
    reads=True,
)
async def _query(
    call: Call,
    agent: str = Field(min_length=1, max_length=100, description="The agent that asks, e.g. supervisor or planner."),
    query: str = Field(min_length=1, description="The question, or keywords."),
    categories: list[str] = Field([], max_length=20, description="Only these categories."),
    filters: Filters = Field(default_factory=lambda: Filters.model_validate({})),
    top_k: int = Field(3, ge=1, le=50, description="The largest number of memories."),
    threshold: float | None = Field(None, ge=0, le=1, description="The least similarity of a memory, e.g. 0.65."),
    returns: Literal["bullets", "full"] = Field("bullets", alias="return", description="bullets, or full memories."),
    budget_tokens: int = Field(512, ge=16, le=8_000, description="The largest number of tokens in the answer."),
) -> Mapping[str, Any]:
    wanted: dict[str, Any] = filters.model_dump(exclude_none=True)
    if wanted.pop("user_id", call.scope.user_id) != call.scope.user_id:
        raise InvalidArgument(argument="user_id", value=None, expected="leave it out: it is that of the connection")
    for name in set(_TIMES) & wanted.keys():
        wanted[name] = call.at.read(wanted[name])
    wanted |= {"category": categories} if categories else {"types": KNOWLEDGE}
    shown = await call.memory.search(
        query,
        limit=top_k,
        threshold=threshold,
        now=call.at.here,
        reinforce=False,
        scope=replace(call.scope, agent_id=agent),
        **wanted,
    )
    call.brings_up(shown)
    kept, tokens = list[dict[str, Any]](), 0
    for hit in shown:
        item = _bullet(hit) if returns == "bullets" else wire.memory(hit, call.at)
        cost = EstimatedTokens().count_tokens([str(item)])[0]
        if tokens + cost > budget_tokens:
            break
        kept, tokens = [*kept, item], tokens + cost
    return {"ok": True, "count": len(kept), "bullets" if returns == "bullets" else "memories": kept, "tokens": tokens}


def _bullet(hit: Hit) -> dict[str, Any]:
    category, line = hit.category or hit.type, " ".join(hit.content.split())
    about = {"subject": hit.subject} if hit.subject else {}
    return {"id": hit.id, "category": category, **about, "text": f"[{category}] {line[:_LONGEST]}"}


def profile(_: Config) -> Profile:
    """The tool."""
    return Profile("supervisor", SUPERVISOR, [_query], _NAMES)
