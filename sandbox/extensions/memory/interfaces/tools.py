"""The tools of an assistant, as plain values that any host can wrap.

Nothing here can raise trust: the caller sets it, and the text that a tool brings up lowers it.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument, MemoryExtensionError, UnknownMemory
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.parameters import (
    Correct,
    Id,
    Limit,
    Name,
    Nothing,
    Remember,
    Search,
    remember_within,
)
from sandbox.extensions.memory.interfaces.refusals import TOOL_NAMES, refusal
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.model import Hit, Message, Record, Scope
from sandbox.support.trust import Trust, least

if TYPE_CHECKING:  # a list of the tools is needed before the memory is open
    from sandbox.extensions.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class Caller:
    """The user and the time of a call. ``trust`` is the lowest trust of what the call may rest on; ``message`` is the
    person's message that is being answered.
    """

    scope: Scope
    at: LocalTime
    trust: Trust = "user"
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """JSON-ready keys and values, and the trust of their content."""

    values: Mapping[str, Any]
    trust: Trust = "confirmed"


ToolFunction = Callable[["Memory", Caller, Any], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """A tool that an assistant may call."""

    name: str
    description: str
    parameters: type[BaseModel]
    run: ToolFunction

    async def call(
        self, memory: "Memory", caller: Caller, arguments: BaseModel, names: Mapping[str, str] = TOOL_NAMES
    ) -> ToolResult:
        """Run the tool. Raises ``Refusal`` with advice that uses the assistant's ``names`` of its tools."""
        try:
            answer = await self.run(memory, caller, arguments)
        except MemoryExtensionError as error:
            raise refusal(error, names) from error
        return ToolResult({"ok": True, **answer.values}, answer.trust)


def _tool(description: str) -> Callable[[ToolFunction], MemoryTool]:
    """Make a tool of the function that runs it: its name is the tool's, and its last argument has the parameters."""

    def made(run: ToolFunction) -> MemoryTool:
        *_, parameters, _ = run.__annotations__.values()
        return MemoryTool(run.__name__.removeprefix("_"), description, parameters, run)

    return made


# --- the tools --------------------------------------------------------------------------------------------------------


@_tool(
    "Search earlier conversations and known facts; the best results come first. Call it when the memories in"
    " your context do not answer the question, or when the user refers to something you should know."
)
async def _search_memory(memory: "Memory", caller: Caller, arguments: Search) -> ToolResult:
    found = await memory.search(
        arguments.query,
        limit=arguments.limit and arguments.limit + 1,
        types=[arguments.type] if arguments.type else None,
        entity=arguments.entity_name,
        after=arguments.after and caller.at.read(arguments.after),
        before=arguments.before and caller.at.read(arguments.before),
        now=caller.at.here,
        scope=caller.scope,
    )
    asked = caller.message and caller.message.key  # the question itself is stored already, and is no answer
    shown = [hit for hit in found if asked is None or hit.key != asked][: arguments.limit]
    values: dict[str, Any] = {"count": len(shown), "memories": wire.memories(shown, caller.at)}
    return ToolResult(values if shown else values | {"advice": _NOTHING_FOUND}, _least(shown))


@_tool(
    "Store one lasting fact, preference or instruction. Call it when the user asks you to remember something,"
    " or states a wish for the future. If a similar memory is known, nothing is stored, and the answer gives"
    " its id. Never store secrets or passing details."
)
async def _remember_fact(memory: "Memory", caller: Caller, arguments: Remember) -> ToolResult:
    id = await memory.remember(
        arguments.content,
        category=arguments.category,
        subject=arguments.subject,
        tags=arguments.tags,
        at=_past(arguments.event_time, caller.at),
        on_similar="keep" if arguments.is_another_fact else "refuse",
        rests_on=await _said(memory, caller),
        trust=least(caller.trust, "user"),
        scope=caller.scope,
    )
    return await _stored(memory, caller, id)


@_tool("Correct a memory that is wrong or out of date. Its id stays; the old version is kept as history.")
async def _correct_fact(memory: "Memory", caller: Caller, arguments: Correct) -> ToolResult:
    rests_on = await _said(memory, caller)
    id = await memory.correct(
        arguments.id, arguments.content, rests_on=rests_on, trust=caller.trust, scope=caller.scope
    )
    return await _stored(memory, caller, id)


@_tool(
    "Protect a memory from fading. Call it when the user says that the memory is still true, or when it has"
    " proved right."
)
async def _confirm_fact(memory: "Memory", caller: Caller, arguments: Id) -> ToolResult:
    await memory.confirm(arguments.id, trust=caller.trust, scope=caller.scope)
    return await _stored(memory, caller, arguments.id)


@_tool(
    "Forget a memory: no search finds it, and the user can restore it. Call it only when the user asks you to"
    " forget something; correct a wrong memory instead. If the user may mean several memories, ask which one."
)
async def _forget_fact(memory: "Memory", caller: Caller, arguments: Id) -> ToolResult:
    record = (await memory.explain(arguments.id, scope=caller.scope)).memory
    if record.retired_by == "forgotten":
        raise UnknownMemory(id=arguments.id)
    await memory.forget(arguments.id, trust=caller.trust, scope=caller.scope)
    advice = f"Tell the user what is forgotten, and that `memory restore {arguments.id}` brings it back."
    return ToolResult({"forgotten": arguments.id, "content": record.content, "advice": advice}, _least([record]))


@_tool("Everything known about one person, project, place or thing: facts, and when it was mentioned.")
async def _get_entity_info(memory: "Memory", caller: Caller, arguments: Name) -> ToolResult:
    found = await memory.entity(arguments.name, scope=caller.scope)
    return ToolResult(wire.entity(found, caller.at), _least(found.facts, found.timeline))


@_tool("Counts of memories, by kind, and the time of the last maintenance.")
async def _memory_stats(memory: "Memory", caller: Caller, _: Nothing) -> ToolResult:
    return ToolResult(wire.statistics(await memory.statistics(scope=caller.scope), caller.at))


@_tool(
    "How a memory is known: the turns it rests on, its earlier versions, and the memories it replaced. Call it"
    " when the user asks how you know something, or before you correct a memory that you are not sure about."
)
async def _explain_fact(memory: "Memory", caller: Caller, arguments: Id) -> ToolResult:
    found = await memory.explain(arguments.id, scope=caller.scope)
    if found.memory.retired_by == "forgotten":  # the person did not want to see it again
        raise UnknownMemory(id=arguments.id)
    trust = _least(found.versions, found.sources, found.supersedes, found.superseded_by, found.possible_conflicts)
    return ToolResult(wire.explanation(found, caller.at), trust)


@_tool("Facts that will soon fade unless they are confirmed, the first to fade first.")
async def _weak_facts(memory: "Memory", caller: Caller, arguments: Limit) -> ToolResult:
    found = await memory.weak(limit=arguments.limit, scope=caller.scope)
    return ToolResult(
        {"count": len(found), "memories": [wire.fading(each, caller.at) for each in found]}, _least(found)
    )


async def _said(memory: "Memory", caller: Caller) -> list[str]:
    """The message that is being answered, stored now if it was not before; a change rests on it."""
    return await memory.observe_many([caller.message], scope=caller.scope) if caller.message else []


async def _stored(memory: "Memory", caller: Caller, id: str) -> ToolResult:
    """A memory in its state after a change."""
    record = (await memory.explain(id, scope=caller.scope)).memory
    return ToolResult({"memory": wire.memory(record, caller.at)}, _least([record]))


def _least(*found: Iterable[Hit | Record]) -> Trust:
    """The lowest trust of some values. The assistant's own words do not count: they are in every turn, and if they rest
    on less trusted text, their trust shows it.
    """
    trusts = (each.trust for several in found for each in several)
    return least("confirmed", *(trust for trust in trusts if trust != "assistant"))


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


_NOTHING_FOUND = "Try other words or fewer filters once. If nothing is found, say that you do not know."


def tools(config: Config) -> Sequence[MemoryTool]:
    """The tools; a model may use the categories of the settings."""
    return (
        _search_memory,
        replace(_remember_fact, parameters=remember_within(config)),
        _correct_fact,
        _confirm_fact,
        _forget_fact,
        _get_entity_info,
        _memory_stats,
        _explain_fact,
        _weak_facts,
    )
