"""The tools of an assistant, as plain values that any host can wrap."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument, UnknownMemory
from sandbox.extensions.memory.interfaces import shapes, wire
from sandbox.extensions.memory.interfaces.tooling import Call, Tool, tool
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.model import LONGEST_FACT, SHORTEST_FACT, CognitiveType, Explanation
from sandbox.support.trust import least

Fact = Annotated[str, Field(min_length=SHORTEST_FACT, max_length=LONGEST_FACT)]
Id = Annotated[str, Field(description="The id of the memory, as your context or search_memory shows it.")]


@tool(
    "Search memory",
    "Search earlier conversations and known facts; the best results come first. Call it when the memories in"
    " your context do not answer the question, or when the user refers to something you should know.",
    shapes.Found,
    reads=True,
)
async def _search_memory(
    call: Call,
    query: str = Field(description="What you want to know, as a question or as keywords; empty for the latest."),
    type: CognitiveType | None = Field(
        None,
        description="Only memories of this type: episodic (turns), semantic (facts), procedural (how-tos), opinion.",
    ),
    entity_name: str | None = Field(None, description="Only memories about this person, project, place or thing."),
    after: str | None = Field(
        None, description="Only memories from this time on: last_week, last_month or YYYY-MM-DD."
    ),
    before: str | None = Field(
        None, description="Only memories from before this time: last_week, last_month or YYYY-MM-DD."
    ),
    limit: int | None = Field(
        None, ge=1, le=50, description="The largest number of memories. Default: 5, or 20 for a complex question."
    ),
) -> Mapping[str, Any]:
    found = await call.memory.search(
        query,
        limit=limit and limit + 1,
        types=[type] if type else None,
        entity=entity_name,
        after=after and call.at.read(after),
        before=before and call.at.read(before),
        now=call.at.here,
        scope=call.scope,
    )
    asked = call.message and call.message.key  # the question itself is stored already, and is no answer
    shown = [hit for hit in found if asked is None or hit.key != asked][:limit]
    call.brings_up(shown)
    values: dict[str, Any] = {"ok": True, "count": len(shown), "memories": wire.memories(shown, call.at)}
    return values if shown else values | {"advice": NOTHING_FOUND}


@tool(
    "Remember a fact",
    "Store one lasting fact, preference or instruction. Call it when the user asks you to remember something,"
    " or states a wish for the future. If a similar memory is known, nothing is stored, and the answer gives"
    " its id. Never store secrets or passing details.",
    shapes.Stored,
    repeats=True,
)
async def _remember_fact(
    call: Call,
    content: Fact = Field(description="One fact, in a sentence that can be understood on its own."),
    category: str = Field("fact", description="The kind of the fact."),
    subject: str | None = Field(None, max_length=200, description="The name of the person or thing it is about."),
    tags: list[Annotated[str, Field(max_length=50)]] = Field([], max_length=5, description="Words to file it under."),
    event_time: str | None = Field(
        None, description="When it happened or began to be true, if not now: YYYY-MM-DD or ISO 8601."
    ),
    is_another_fact: bool = Field(
        False, description="Set it only after a refusal, if the similar memory in it is about something else."
    ),
) -> Mapping[str, Any]:
    id = await call.memory.remember(
        content,
        category=category,
        subject=subject,
        tags=tags,
        at=_past(event_time, call.at),
        on_similar="keep" if is_another_fact else "refuse",
        rests_on=await _said(call),
        trust=least(call.trust, "user"),
        scope=call.scope,
    )
    return await _stored(call, id)


@tool(
    "Correct a fact",
    "Correct a memory that is wrong or out of date. Its id stays; the old version is kept as history.",
    shapes.Stored,
    destroys=True,
    repeats=True,
)
async def _correct_fact(
    call: Call,
    id: Id,
    content: Fact = Field(description="The whole correct fact, not only the part that changed."),
) -> Mapping[str, Any]:
    rests_on = await _said(call)
    await call.memory.correct(id, content, rests_on=rests_on, trust=call.trust, scope=call.scope)
    return await _stored(call, id)


@tool(
    "Confirm a fact",
    "Protect a memory from fading. Call it when the user says that the memory is still true, or when it has"
    " proved right.",
    shapes.Stored,
    repeats=True,
)
async def _confirm_fact(call: Call, id: Id) -> Mapping[str, Any]:
    await call.memory.confirm(id, trust=call.trust, scope=call.scope)
    return await _stored(call, id)


@tool(
    "Forget a fact",
    "Forget a memory: no search finds it, and the user can restore it. Call it only when the user asks you to"
    " forget something; correct a wrong memory instead. If the user may mean several memories, ask which one.",
    shapes.Forgotten,
    destroys=True,
    repeats=True,
)
async def _forget_fact(call: Call, id: Id) -> Mapping[str, Any]:
    found = await explained(call, id)
    await call.memory.forget(id, trust=call.trust, scope=call.scope)
    advice = f"Tell the user what is forgotten, and: {wire.restoring(found)}"
    call.brings_up([found.memory])
    return {"ok": True, "forgotten": id, "content": found.memory.content, "advice": advice}


@tool(
    "Look somebody or something up",
    "Everything known about one person, project, place or thing: facts, and when it was mentioned.",
    shapes.Entity,
    reads=True,
)
async def _get_entity_info(
    call: Call, name: str = Field(min_length=1, description="The name of a person, project, place or thing.")
) -> Mapping[str, Any]:
    found = await call.memory.entity(name, scope=call.scope)
    call.brings_up([*found.facts, *found.timeline])
    return {"ok": True, **wire.entity(found, call.at)}


@tool(
    "Count memories",
    "Counts of memories, by kind, and the time of the last maintenance.",
    shapes.Statistics,
    reads=True,
)
async def _memory_stats(call: Call) -> Mapping[str, Any]:
    return {"ok": True, **wire.statistics(await call.memory.statistics(scope=call.scope), call.at)}


@tool(
    "Explain a fact",
    "How a memory is known: the turns it rests on, its earlier versions, and the memories it replaced. Call it"
    " when the user asks how you know something, or before you correct a memory that you are not sure about.",
    shapes.Explained,
    reads=True,
)
async def _explain_fact(call: Call, id: Id) -> Mapping[str, Any]:
    found = await explained(call, id)
    call.brings_up(
        [*found.versions, *found.sources, *found.supersedes, *found.superseded_by, *found.possible_conflicts]
    )
    return {"ok": True, **wire.explanation(found, call.at)}


@tool(
    "List what fades",
    "Facts that will soon fade unless they are confirmed, the first to fade first.",
    shapes.Weak,
    reads=True,
)
async def _weak_facts(
    call: Call, limit: int = Field(10, ge=1, le=50, description="The largest number of memories.")
) -> Mapping[str, Any]:
    found = await call.memory.weak(limit=limit, scope=call.scope)
    call.brings_up(found)
    return {"ok": True, "count": len(found), "memories": [wire.fading(each, call.at) for each in found]}


async def _said(call: Call) -> list[str]:
    """The message that is being answered, stored now if it was not before; a change rests on it."""
    return await call.memory.observe_many([call.message], scope=call.scope) if call.message else []


async def explained(call: Call, id: str) -> Explanation:
    """How a memory is known; a forgotten one is unknown, because the person did not want to see it again."""
    found = await call.memory.explain(id, scope=call.scope)
    if found.memory.retired_by == "forgotten":
        raise UnknownMemory(id=id)
    return found


async def _stored(call: Call, id: str) -> Mapping[str, Any]:
    """A memory in its state after a change."""
    record = (await call.memory.explain(id, scope=call.scope)).memory
    call.brings_up([record])
    return {"ok": True, "memory": wire.memory(record, call.at), **wire.advice_on(record)}


def _past(text: str | None, at: LocalTime) -> datetime | None:
    """A time in the past; a memory of a future time could not be found until then."""
    if text is None:
        return None
    moment = at.read(text)
    if not isinstance(moment, datetime):
        raise InvalidArgument(
            argument="event_time", value=text, expected="give YYYY-MM-DD or ISO 8601, or leave it out"
        )
    if moment > at.now:
        expected = "it lies in the future; leave it out and say the date in the content"
        raise InvalidArgument(argument="event_time", value=text, expected=expected)
    return moment


NOTHING_FOUND = "Try other words or fewer filters once. If nothing is found, say that you do not know."


def _within(config: Config, parameters: type[BaseModel]) -> type[BaseModel]:
    """The parameters of `remember_fact` with the categories of the settings."""
    known = Field(json_schema_extra={"enum": list(config.categories)})
    field: Any = (Annotated[str, parameters.model_fields["category"], known], config.usual_category)
    return create_model(parameters.__name__, __base__=parameters, __doc__=parameters.__doc__, category=field)


def tools(config: Config) -> Sequence[Tool]:
    """The tools; a model may use the categories of the settings."""
    return (
        _search_memory,
        replace(_remember_fact, parameters=_within(config, _remember_fact.parameters)),
        _correct_fact,
        _confirm_fact,
        _forget_fact,
        _get_entity_info,
        _memory_stats,
        _explain_fact,
        _weak_facts,
    )
