"""The command `/memory` that a person types in a conversation; no model is asked.

Answers are plain text, which every channel can show; two spaces separate columns.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from sandbox.extensions.memory.errors import MemoryExtensionError, UnknownMemory
from sandbox.extensions.memory.interfaces.origin import origin
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import KNOWLEDGE, Explanation, Hit, Record, Scope
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.support.characters import printable

SUMMARY = "the memories about you, their sources, and how to delete them"
USAGE = """\
/memory list             what is known, by category
/memory why ID           how it is known
/memory confirm ID       it is right, and never fades
/memory correct ID TEXT  put it right; the old wording is kept
/memory delete ID        forget it
/memory restore ID       bring back what was forgotten, replaced or has faded
/memory proposals        what waits for your consent; `/memory approve ID` or `/memory reject ID` decides
/memory erase            what would be erased with this conversation; `/memory erase yes` erases it for good
/memory erase ID         what would be erased with a memory or a turn; `/memory erase ID yes` erases it for good"""

ERASE = "erase"
NOTHING_TO_ERASE = "There is nothing to erase: nothing is kept of this conversation."

_NOTHING_WAITS = "Nothing waits for your consent."
_LISTED = 50
_LONGEST = 600  # characters of one memory
_SEARCH = "`memory search WORDS` on the command line"
_ONLY_SAID = (
    "No facts are known yet, only what was said: facts are learnt some seconds after the conversation ends, as by /new."
    f" {_SEARCH} finds it."
)
_ABOUT_ONE = (
    "`/memory why ID` tells how it is known, `/memory correct ID TEXT` puts it right, `/memory confirm ID` keeps it,"
    " `/memory delete ID` forgets it."
)
_SOON = timedelta(days=14)  # a memory that fades within this time is marked in the list
_SOURCES = {"explicit": "it was said explicitly", "inferred": "it was inferred"}
_TRUST = {
    "web": "trusted like a page of the web",
    "tool": "trusted like a tool's answer",
    "assistant": "trusted like the assistant's words",
    "user": "trusted like your words",
    "confirmed": "confirmed by you",
}
_RETIRED = {
    "corrected": "was corrected",
    "forgotten": "was forgotten",
    "decayed": "faded",
    "expired": "was put away unused",
}


async def run(memory: Memory, typed: str, scope: Scope, at: LocalTime) -> str:
    """Run the command after `/memory`; return the text to show."""
    name, _, argument = typed.strip().partition(" ")
    name = name.lower()
    if name in ("", "list") and not argument.strip():
        return await _list(memory, scope, at)
    if name == "proposals" and not argument.strip():
        return await _proposals(memory, scope, at)
    action = _ACTIONS.get(name)
    if action is None:
        return USAGE
    if action is not _correct and len(argument.split()) != 1:
        shown = "proposals" if name in ("approve", "reject") else "list"
        return f"`/memory {name}` takes one id, as `/memory {shown}` shows them."
    try:
        return await action(memory, argument.strip(), scope, at)
    except UnknownMemory as error:
        return f"No memory has the id {error.details['id']!r}. `/memory list` shows ids; they are case-sensitive."
    except MemoryExtensionError as error:
        return str(error)


async def erase(memory: Memory, id: str | None, session: str | None, user: str, *, is_sure: bool) -> tuple[str, bool]:
    """The text for `/memory erase` of a memory or turn, or else of a session, and whether to erase: only after the
    person was told what.
    """
    if not id and not session:
        return NOTHING_TO_ERASE, False
    try:
        would = await memory.erase(id, session=None if id else session, dry_run=True, scope=Scope(user))
    except MemoryExtensionError as error:
        return str(error), False
    if not id and not would.in_words:
        return NOTHING_TO_ERASE, False
    if is_sure:
        done = "Erased" if id else "This conversation is erased"
        return f"{done}: {would.in_words}. Nothing brings it back." + _exports(would), True
    examples = "".join(f"\n- {each}" for each in would.examples) + "\n"
    going = f"This would be erased for good: {would.in_words}.{examples}`/memory erase {id} yes` erases it."
    if not id:
        going = f"This conversation would be erased for good: {would.in_words}. `/memory erase yes` erases it."
    return going + _exports(would), False


def _exports(would: ErasureReport) -> str:
    """A sentence about the exports that erasing in a chat leaves alone."""
    files = ", ".join(printable(each.file) for each in would.exports)
    return f"\nIt may still be in exported files: {files}. Delete them yourself." if files else ""


async def _list(memory: Memory, scope: Scope, at: LocalTime) -> str:
    found = await memory.search("", limit=_LISTED + 1, types=KNOWLEDGE, reinforce=False, scope=scope)
    if not found:
        said = (await memory.statistics(scope=scope)).nodes.get("episodic", 0)
        return _ONLY_SAID if said else "Nothing is known yet."
    lines = list(_grouped(found[:_LISTED], at))
    if len(found) > _LISTED:
        lines += ["", f"These are the latest {_LISTED}. {_SEARCH} finds the others."]
    return "\n".join([*lines, "", _ABOUT_ONE])


def _grouped(found: Sequence[Hit], at: LocalTime) -> Iterator[str]:
    """Lines by category, the newest first in each."""

    def category(hit: Hit) -> str:
        return hit.category or hit.type

    for place, (name, members) in enumerate(groupby(sorted(found, key=category), key=category)):
        if place:
            yield ""
        yield name.capitalize()
        yield from (
            f"  {hit.id}  {hit.told or at.day(hit.event_time)}  {_line(hit)} ({origin(hit)}{_soon(hit, at)})"
            for hit in members
        )


def _soon(hit: Hit, at: LocalTime) -> str:
    return f"; fades {at.relative(hit.fades_at)}" if hit.fades_at and hit.fades_at - at.now < _SOON else ""


async def _proposals(memory: Memory, scope: Scope, at: LocalTime) -> str:
    lines = []
    for each in await memory.proposals(scope=scope):
        instead = "".join(f"; instead of: {known.content}" for known in each.instead_of)
        lines.append(
            f"  {each.memory.id}  {_line(each.memory)} ({origin(each.memory)}{instead}; {at.relative(each.until)})"
        )
    return "\n".join(["These wait for your consent, until they are deleted:", *lines]) if lines else _NOTHING_WAITS


async def _delete(memory: Memory, id: str, scope: Scope, _: LocalTime) -> str:
    found = await memory.explain(id, scope=scope)
    await memory.forget(id, scope=scope)
    ended = "".join(
        f"\nIt had replaced: {_line(each)}; `/memory restore {each.id}` makes that valid again." for each in found.ended
    )
    return f"Forgotten: {_line(found.memory)}\n`/memory restore {id}` brings it back.{ended}"


async def _why(memory: Memory, id: str, scope: Scope, at: LocalTime) -> str:
    return "\n".join(_reasons(await memory.explain(id, scope=scope), at))


def _reasons(found: Explanation, at: LocalTime) -> Iterator[str]:
    yield _line(found.memory)
    yield ""
    yield from (f"- {fact}" for fact in _facts(found.memory, found.versions[-1], at))
    yield from _section("It rests on what was said:", found.sources, at)
    yield from _section("Before, it read:", found.versions[1:], at)
    yield from _section("It took the place of:", found.supersedes, at)
    yield from _section("Its place was taken by:", found.superseded_by, at)
    yield from _section("It may be in conflict with:", found.possible_conflicts, at)


def _facts(record: Record, first: Record, at: LocalTime) -> Iterator[str]:
    """A description of a memory and its first version, in words."""
    if record.type == "episodic":
        yield f"said by {record.speaker or record.role}: {_when(record.event_time, at)}"
    else:
        yield f"known since {_when(first.created_at, at)}: {_SOURCES.get(first.source, f'from {first.source}')}"
        if record.version > 1:
            yield f"as it reads now since {_when(record.created_at, at)}"
        yield origin(first)
        yield f"{_TRUST[record.trust]}, confidence {record.confidence:.0%}{_fading(record, at)}"
    if record.retired_by is not None:
        yield f"no longer believed: it {_RETIRED.get(record.retired_by, f'was {record.retired_by}')}"
    elif record.valid_until is not None and record.valid_until <= at.now:
        yield f"no longer true since {at.local(record.valid_until)}"


def _when(moment: datetime, at: LocalTime) -> str:
    return f"{at.local(moment)} ({at.relative(moment)})"


def _fading(record: Record, at: LocalTime) -> str:
    if record.retired_by is not None:
        return ""
    if record.fades_at is None:
        return ", does not fade"
    return f", fades {at.relative(record.fades_at)} unless it is used" if record.fades_at > at.now else ", has faded"


def _section(title: str, records: Sequence[Record], at: LocalTime) -> Iterator[str]:
    if records:
        yield ""
        yield title
        for each in records:
            who = f"{each.speaker or each.role}: " if each.type == "episodic" else ""
            yield f"- {at.local(each.event_time)}: {who}{_line(each)}"


def _line(memory: Hit | Record) -> str:
    """The content on one line, cut if it is long."""
    line = " ".join(memory.content.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


_Action = Callable[[Memory, str, Scope, LocalTime], Awaitable[str]]


def _change(done: str, change: Callable[..., Awaitable[object]], **given: object) -> _Action:
    """The action that changes a memory and shows it."""

    async def action(memory: Memory, id: str, scope: Scope, _: LocalTime) -> str:
        await change(memory, id, scope=scope, **given)
        return f"{done}: {_line((await memory.explain(id, scope=scope)).memory)}"

    return action


async def _correct(memory: Memory, id_and_text: str, scope: Scope, at: LocalTime) -> str:
    id, _, text = id_and_text.partition(" ")
    if not text.strip():
        return "`/memory correct` takes an id, as `/memory list` shows them, and the right text."
    return await _change("Corrected", Memory.correct, content=text.strip())(memory, id, scope, at)


_ACTIONS: Mapping[str, _Action] = {
    "why": _why,
    "correct": _correct,
    "confirm": _change("Confirmed", Memory.confirm, by_person=True),
    "approve": _change("Approved", Memory.approve),
    "reject": _change("Rejected", Memory.reject),
    "delete": _delete,
    "restore": _change("Remembered again", Memory.restore),
}
