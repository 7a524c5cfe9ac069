"""One tool for a supervisor and its agents: `memory.query`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.shapes import Answer, Arguments, MemoryItem
from sandbox.extensions.memory.interfaces.tooling import Call, Tool
from sandbox.extensions.memory.model import KNOWLEDGE, Hit
from sandbox.extensions.memory.ports import EstimatedTokens
from sandbox.extensions.memory_mcp.profiles.guidelines import SUPERVISOR
from sandbox.extensions.memory_mcp.tooling import Profile

_LONGEST = 280  # characters of a bullet
_NAMES = {"search": "memory.query", "remember": "another profile", "correct": "another profile", "command": "memory"}
_FIELDS = {"run_id": "session_id"}  # names of filters that the memory calls otherwise
_TIMES = ("updated_after", "updated_before")


class Filters(Arguments):
    """Filters of a query; each is optional."""

    user_id: str | None = Field(None, description="Only the user of this connection has memories here.")
    agent_id: str | None = Field(None, description="The agent that stored it.")
    run_id: str | None = Field(None, description="The session it is from.")
    actor_id: str | None = Field(None, description="The person or program for whom it was stored.")
    context: str | None = Field(None, description="A group it belongs to.")
    role: Literal["user", "assistant", "system", "tool"] | None = None
    pinned: bool | None = None
    importance_min: int | None = Field(None, ge=1, le=5)
    importance_max: int | None = Field(None, ge=1, le=5)
    updated_after: str | None = Field(None, description="YYYY-MM-DD or ISO 8601.")
    updated_before: str | None = Field(None, description="YYYY-MM-DD or ISO 8601.")


class Query(Arguments):
    """The arguments of `memory.query`."""

    agent: str = Field(min_length=1, max_length=100, description="The agent that asks, e.g. supervisor or planner.")
    query: str = Field(min_length=1, description="The question, or keywords.")
    categories: list[str] = Field([], max_length=20, description="Only these categories.")
    filters: Filters = Field(default_factory=lambda: Filters.model_validate({}))
    top_k: int = Field(3, ge=1, le=50, description="The largest number of memories.")
    threshold: float | None = Field(None, ge=0, le=1, description="The least similarity of a memory, e.g. 0.65.")
    returns: Literal["bullets", "full"] = Field("bullets", alias="return", description="bullets, or full memories.")
    budget_tokens: int = Field(512, ge=16, le=8_000, description="The largest number of tokens in the answer.")


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


async def _query(call: Call, given: Any) -> Mapping[str, Any]:
    filters = given.filters.model_dump(exclude_none=True)
    if filters.pop("user_id", call.scope.user_id) != call.scope.user_id:
        raise InvalidArgument(argument="user_id", value=None, expected="leave it out: it is that of the connection")
    for name in set(_TIMES) & filters.keys():
        filters[name] = call.at.read(filters[name])
    wanted: Any = {_FIELDS.get(name, name): value for name, value in filters.items()}
    wanted |= {"category": given.categories} if given.categories else {"types": KNOWLEDGE}
    shown = await call.memory.search(
        given.query,
        limit=given.top_k,
        threshold=given.threshold,
        now=call.at.here,
        reinforce=False,
        scope=replace(call.scope, agent_id=given.agent),
        **wanted,
    )
    call.brings_up(shown)
    return {"ok": True, **_within(call, given, shown)}


def _within(call: Call, given: Query, found: list[Hit]) -> dict[str, Any]:
    """As many as fit the budget."""
    kept, tokens = list[dict[str, Any]](), 0
    for hit in found:
        item = _bullet(hit) if given.returns == "bullets" else wire.memory(hit, call.at)
        cost = EstimatedTokens().count_tokens([str(item)])[0]
        if tokens + cost > given.budget_tokens:
            break
        kept, tokens = [*kept, item], tokens + cost
    return {"count": len(kept), "bullets" if given.returns == "bullets" else "memories": kept, "tokens": tokens}


def _bullet(hit: Hit) -> dict[str, Any]:
    category, line = hit.category or hit.type, " ".join(hit.content.split())
    about = {"subject": hit.subject} if hit.subject else {}
    return {"id": hit.id, "category": category, **about, "text": f"[{category}] {line[:_LONGEST]}"}


def profile(_: Config) -> Profile:
    """The tool."""
    return Profile("supervisor", SUPERVISOR, [_QUERY], _NAMES)


_QUERY = Tool(
    "memory.query",
    "Query memory",
    "Find memories by meaning and words, for a named agent. Categories, filters, a threshold and a budget of tokens"
    " limit the answer. It has short bullets, or full memories if you ask for them. Call it when your context leaves"
    " a question open.",
    Query,
    Answered,
    _query,
    reads=True,
)
