"""Overviews of many memories for people: profiles, counts, weak memories, reports of nights, checks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sandbox.cli.output import SHOWN, happening, kind, listed, section, within
from sandbox.cli.page import BAD, FAINT, GOOD, HEADING, ID, Page, Part, counted
from sandbox.extensions.memory.assemble.excerpts import excerpt
from sandbox.extensions.memory.interfaces.origin import origin
from sandbox.extensions.memory.text.names import UNKNOWN

if TYPE_CHECKING:
    from sandbox.cli import diagnosis as diagnoses
    from sandbox.extensions.memory import listings
    from sandbox.extensions.memory.model import Change, EntityProfile, Record, Relation
    from sandbox.extensions.memory.profile import ProfileValue, UserProfile
    from sandbox.extensions.memory.reports import (
        MaintenanceReport,
        Spent,
        Statistics,
        StepReport,
        UndoReport,
        UndoStep,
    )
    from sandbox.support.diagnosis import Check


_STEPS = 20  # of an undo that are shown one by one
_FEW = 200  # characters of a memory in them
NOTHING_LISTED = "Nothing is known that fits; `--type episodic` lists what was said, and `memory end` learns from it."


def profile(page: Page, found: "EntityProfile") -> None:
    """What is known about an entity."""
    aliases = f"also {', '.join(found.aliases)}" if found.aliases else ""
    type = found.type if found.type != UNKNOWN else ""
    page.line((found.name, "bold"), (type, FAINT), aliases, (found.id, ID))
    first, last = page.day(found.first_seen), page.day(found.last_seen)
    page.line(f"mentioned {counted(found.mentions, 'time')}, from {first} to {last}", indent=2)
    if found.merged:
        page.line(f"merged from {', '.join(found.merged)}", indent=2)
    for id, name in found.namesakes.items():
        page.line((id, ID), f"{name} could be meant as well", indent=2)
    if found.summary:
        page.text(found.summary)
    if found.relations:
        page.heading("Related")
        page.rows(
            ([(f"  {each.id}", ID), (f"since {page.day(each.since)}", FAINT)], _relation(each))
            for each in found.relations
        )
    section(page, "Known", found.facts)
    section(page, "Said", found.timeline)


def entities(page: Page, found: "listings.Page[listings.Entity]") -> None:
    """People and things, with how often they are mentioned."""
    page.rows(([(each.id, ID), (counted(each.mentions, "time"), FAINT)], each.name) for each in found.items)
    if not found.items:
        page.line("Nobody and nothing is known by name yet.")
    elif found.next is not None:
        page.line((f"{len(found.items):,} of {found.total:,}; --limit shows more.", FAINT))


def _relation(each: "Relation") -> str:
    """``Ann works with Bob``, ``Ann's partner Bob``."""
    subject, predicate = each.subject or "the user", each.predicate.replace("_", " ")
    is_noun = each.is_affirmed and not (" " in predicate or predicate.endswith("s"))
    subject += "'s" if is_noun else ""
    modality = "" if each.modality == "fact" else f" ({each.modality})"
    return f"{subject}{'' if each.is_affirmed else ', not:'} {predicate} {each.value}{modality}"


def user_profile(page: Page, found: "UserProfile") -> None:
    """The profile of a user, field by field, with the memory of each value."""
    fields = {
        "preferred name": (found.preferred_name,),
        "pronouns": (found.pronouns,),
        "city": (found.city,),
        "language": (found.language,),
        "tone": found.tone,
        "goals": found.goals,
    }
    rows = [(name, value) for name, values in fields.items() for value in values if value is not None]
    page.rows(_of_user(page, name, value) for name, value in rows)
    if not rows:
        *others, last = fields
        page.line(f"Your {', '.join(others)} and {last} are not known yet. `memory list` lists all that is known.")


def _of_user(page: Page, name: str, value: "ProfileValue") -> tuple[list[Part], str]:
    since = f"since {page.day(value.since)}"
    return [(name, FAINT), (value.id, ID), (since, FAINT), (f"{value.confidence:.0%}", FAINT)], (
        f"{value.value} ({origin(value)})"
    )


def memories(page: Page, found: "listings.Page[listings.ListedMemory]", nothing: str) -> None:
    """A page of memories; without any, ``nothing``."""
    for listed_ in found.items:
        memory = listed_.memory
        used = f"used {counted(memory.access_count, 'time')}" if memory.access_count else ""
        page.line((memory.id, ID), (page.when(memory), FAINT), kind(memory), (within(memory), FAINT), (used, FAINT))
        page.text(excerpt(memory.content, {}, SHOWN))
    if not found.items:
        page.line(nothing)
    elif found.next is not None:
        page.blank()
        page.line((f"{len(found.items):,} of {found.total:,}; `--cursor {found.next}` goes on.", FAINT))


def contexts(page: Page, found: "Sequence[listings.MemoryContext]") -> None:
    """Groups of memories, with their priorities."""
    page.rows(
        (
            [
                (each.id, ID),
                (f"priority {each.priority:g}", FAINT),
                (counted(each.memories, "memory", "memories"), FAINT),
            ],
            f"{each.name}: {each.description}" if each.description else each.name,
        )
        for each in found
    )
    if not found:
        page.line("There are no contexts; `memory remember TEXT --context NAME` makes one.")


def weak(page: Page, records: "Sequence[Record]") -> None:
    """The memories that fade next."""
    if not records:
        page.line("Nothing is fading.")
    for number, record in enumerate(records):
        if number:
            page.blank()
        fades = f"fades on {page.day(record.fades_at)}" if record.fades_at else ""
        whence = f"{origin(record)} on {page.when(record)}"
        about = ((each, FAINT) for each in (whence, f"confidence {record.confidence:.0%}"))
        page.line((record.id, ID), (fades, FAINT), kind(record), *about)
        page.text(record.content)
    if records:
        page.blank()
        page.line(("`memory confirm ID` keeps one for good; being found keeps it for longer.", FAINT))


def sessions(page: Page, found: "Sequence[listings.SessionReport]", following: int | None, elsewhere: str) -> None:
    """A list of conversations; ``following``: the offset of the next page, ``elsewhere``: where others are."""
    for each in found:
        turns, waits = counted(each.turns, "turn"), "waits to be learnt from" if each.waits else ""
        whence = ((part or "", FAINT) for part in (each.source, each.project))
        page.line((each.id, ID), (page.minute(each.last), FAINT), turns, *whence, waits)
        page.brief(f"  {' '.join(each.opening.split())}")
    if not found:
        page.line(f"There are no conversations here.{elsewhere}")
    elif following is not None:
        page.line((f"`memory sessions --offset {following}` lists those before.", FAINT))


def history(page: Page, changes: "Sequence[Change]") -> None:
    """The changes of a memory with their numbers."""
    rows: list[tuple[list[Part], str]] = []
    for each in changes:
        by = " by ".join(filter(None, (each.actor, each.interface)))
        whence = f"{by} in {each.session}" if each.session else by
        what = f"{happening(each)}: {each.reason}" if each.reason else happening(each)
        rows.append(([(str(each.seq), ID), (page.minute(each.at), FAINT), (whence, FAINT)], what))
    page.rows(rows)


def undoing(page: Page, report: "UndoReport") -> None:
    """The first steps of an undo, and how many more there are; or that there are none."""
    steps = list(
        {(each.id, each.content or each.event): each for each in report.steps}.values()
    )  # what becomes of each
    page.rows(([(f"  {each.id or ''}", ID), (each.outcome, FAINT)], _undone(each)) for each in steps[:_STEPS])
    if rest := steps[_STEPS:]:
        page.line(f"and {len(rest):,} more: {_parts(Counter(each.outcome for each in rest))}", indent=2)
    if report.change is None:
        page.line("There is nothing to undo.")


def undone(page: Page, report: "UndoReport", *, was_shown: bool) -> None:
    """What was undone, unless it ``was_shown`` before, and how to undo that."""
    if not was_shown:
        undoing(page, report)
    if report.change is not None:
        page.line((f"Undone. `memory undo {report.change}` brings it back.", FAINT))


def _undone(step: "UndoStep") -> str:
    what = excerpt(step.content or step.event or "", {}, _FEW)
    return f"{what} ({step.reason})" if step.reason else what


def statistics(page: Page, found: "Statistics") -> None:
    """A table of counts."""
    read = found.answer_quality
    right = f"{read.right:,} of {counted(read.items, 'item')} right"
    maintained = page.minute(found.last_maintained_at) if found.last_maintained_at else "never"
    vectors = f"{found.vectors:,} by {found.embedding_model}" if found.embedding_model else "none"
    rows = (
        ("memories", _counted(found.nodes)),
        ("corrected or forgotten", _counted(found.retired)),
        ("connections", _counted(found.edges)),
        ("people and things", f"{found.entities:,}"),
        ("conversations", f"{found.sessions:,} ({found.sessions_pending:,} not yet learnt from)"),
        ("unconnected memories", f"{found.orphan_nodes:,}"),
        ("vectors", f"{vectors}; {found.embedding_backlog:,} waiting"),
        ("questions and runs", _counted(_in_words(found.operations))),
        *((f"cost of {step}", _cost(spent)) for step, spent in found.spending.items()),
        *([("read by models", f"{right} ({read.right / read.items:.0%})")] if read.items else []),
        *([("answers refused", _counted(found.violations))] if found.violations else []),
        ("logged changes", _counted(_in_words(found.writes))),
        ("last maintained", maintained),
        ("size", f"{found.database_bytes / 1_000_000:,.1f} MB"),
    )
    page.rows(([(name, FAINT)], value) for name, value in rows)


def _in_words(counts: Mapping[str, int]) -> dict[str, int]:
    """``search recall`` for ``search.recall.ok``."""
    return {name.removesuffix(".ok").replace(".", " "): count for name, count in counts.items()}


def _counted(counts: Mapping[str, int]) -> str:
    """A sum and its parts, the largest first."""
    return f"{sum(counts.values()):,} ({_parts(counts)})" if counts else "0"


def _parts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))


def maintenance(page: Page, report: "MaintenanceReport", pruned: "Sequence[Record]") -> None:
    """What a maintenance run did, or would do."""
    retired = "to be retired" if report.dry_run else "retired"
    faded = counted(len(report.pruned), "memory has", "memories have")
    page.line(f"{faded} faded or been unused, {retired}:" if report.pruned else "Nothing has faded.")
    page.rows(listed(page, record) for record in pruned)
    if len(report.pruned) > len(pruned):
        page.line(f"and {len(report.pruned) - len(pruned):,} more", indent=2)
    if report.embedding_backlog:
        page.line(f"{counted(report.embedding_backlog, 'memory waits', 'memories wait')} for a vector.")
    page.blank()
    page.rows(_step(step) for step in report.steps)


def nights(page: Page, found: "Sequence[listings.NightRun]") -> None:
    """The latest nights, a row each."""
    if not found:
        page.line("There was no night yet. `memory run` works every night, `memory maintain` now.")
        return
    page.rows(([(page.minute(each.at), FAINT), f"{each.seconds:,.1f} s"], _night(each)) for each in found)


def _night(night: "listings.NightRun") -> str:
    """``2 created, 1 pruned; failed: merge (ModelUnavailable)``."""
    did = ", ".join(f"{count:,} {event.replace('_', ' ')}" for event, count in night.changes.items())
    failed = ", ".join(f"{step.step} ({step.error})" for step in night.steps if step.status == "failed")
    return f"{did or 'no memory changed'}{f'; failed: {failed}' if failed else ''}"


_STEP_STYLES = {"failed": BAD, "partial": HEADING, "done": GOOD}


def _step(step: "StepReport") -> tuple[list[Part], str]:
    """A step, its result, and what it did."""
    counts = ", ".join(f"{count:,} {what}" for what, count in step.counts.items())
    cost = ("about " if step.status == "planned" else "") + _cost(step.spent) if step.spent.calls else ""
    did = "; ".join(part for part in (counts, cost, step.note) if part)
    return [step.step, (step.status, _STEP_STYLES.get(step.status, FAINT))], did or "nothing to do"


def _cost(spent: "Spent") -> str:
    """``2 questions, 1,024 tokens``."""
    return f"{counted(spent.calls, 'question')}, {spent.tokens:,} tokens"


def diagnosis(page: Page, home: str, parts: "Sequence[diagnoses.CheckedPart]") -> None:
    """A table of checks by part, with advice for problems, and a summary."""
    page.rows([([("Home", HEADING)], home)])
    for part in parts:
        page.heading(part.name)
        page.rows(_check(check) for check in part.checks)
    wrong = sum(not check.ok for part in parts for check in part.checks)
    page.blank()
    page.line(f"{counted(wrong, 'thing is', 'things are')} wrong." if wrong else "Everything is in order.")


def _check(check: "Check") -> tuple[list[Part], str]:
    mark = ("  ok", GOOD) if check.ok else ("  WRONG", BAD)
    advice = f"\n-> {check.advice}" if check.advice and not check.ok else ""
    return [mark, check.name], f"{check.detail}{advice}"
