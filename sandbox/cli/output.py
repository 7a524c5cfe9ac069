"""How answers look to people, one function an answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sandbox.cli.page import BAD, FAINT, GOOD, HEADING, ID, Page, Part, counted

if TYPE_CHECKING:
    from sandbox.cli import diagnosis as diagnoses
    from sandbox.extensions.memory.model import (
        Block,
        Change,
        EntityProfile,
        Explanation,
        FirstAnswers,
        Hit,
        Record,
        Spent,
        Statistics,
        Walked,
    )
    from sandbox.extensions.memory.profile import ProfileValue, UserProfile
    from sandbox.extensions.memory.reports import MaintenanceReport, StepReport
    from sandbox.protocols import Check

NOTHING_FOUND = (
    "Nothing found. Other words may help, or fewer of them; `--history` brings what was replaced or has faded."
)

_WHY_RETIRED = {
    "corrected": "corrected",
    "forgotten": "forgotten on request",
    "decayed": "faded",
    "expired": "expired",
    "pruned": "pruned",
    "merged": "merged into another",
    "erased": "erased",
}

_STRATEGIES = {
    "fts": "words",
    "vector": "meaning",
    "graph": "graph",
    "entity": "who or what",
    "recent": "latest",
    "rerank": "reread",
}


# --- memories ---------------------------------------------------------------------------------------------------------


def hits(page: Page, found: "Sequence[Hit]", *, explain: bool = False) -> None:
    """What a search brought, best first; with ``explain``, and why."""
    for number, hit in enumerate(found):
        if number:
            page.blank()
        entry(page, hit)
        if explain:
            page.line((_why(hit), FAINT), indent=2)
    if not found:
        page.line(NOTHING_FOUND)


def _why(hit: "Hit") -> str:
    """Where each strategy ranked it, and what it has of the question."""
    places = [f"{_STRATEGIES.get(name, name)} {place}." for name, place in hit.legs.items()]
    near = f"cosine {hit.similarity:.2f}" if hit.similarity is not None else ""
    shared = f"shares {', '.join(hit.terms)}" if hit.terms else "shares no word"
    walked = f"by edges: {', '.join(map(_edge, hit.edges))}" if hit.edges else ""
    return "; ".join(part for part in (f"score {hit.score:.2f}", ", ".join(places), near, shared, walked) if part)


def _edge(walked: "Walked") -> str:
    """One edge, and where it comes from."""
    return f"{walked.relation} from {walked.seed}" + (f" over {walked.hops}" if walked.hops > 1 else "")


def entries(page: Page, memories: "Iterable[Hit | Record]") -> None:
    """Memories below one another."""
    for number, memory in enumerate(memories):
        if number:
            page.blank()
        entry(page, memory)


def entry(page: Page, memory: "Hit | Record") -> None:
    """One memory: a line about it, then what it says."""
    page.line((memory.id, ID), (page.day(memory.event_time), FAINT), kind(memory), (_standing(page, memory), FAINT))
    page.text(memory.content)


def kind(memory: "Hit | Record") -> str:
    """Who said it, or what sort of knowledge it is and about whom."""
    if memory.type == "episodic":
        return memory.speaker or memory.role or "somebody"
    about = f", {memory.subject}" if memory.subject else ""
    return f"{memory.type} {memory.category or 'memory'}{about}"


def _standing(page: Page, memory: "Hit | Record") -> str:
    """What limits it: that it fades, was replaced, is true no longer."""
    if memory.retired_by is not None:
        return _WHY_RETIRED.get(memory.retired_by, memory.retired_by)
    if memory.valid_until is not None:
        return f"true until {page.day(memory.valid_until)}"
    return f"confidence {memory.confidence:.0%}" if memory.confidence < 0.995 else ""


# --- context ----------------------------------------------------------------------------------------------------------


def block(page: Page, found: "Block | None") -> None:
    """What an assistant would get, and nothing else, so that it can be piped into one."""
    if found is not None:
        page.verbatim(found.text)


# --- changes ----------------------------------------------------------------------------------------------------------


def changed(page: Page, record: "Record", what: str) -> None:
    """That something was done to a memory, and how it is now."""
    page.line(what, (record.id, ID), (_future(page, record), FAINT))
    page.text(record.content)


def _future(page: Page, record: "Record") -> str:
    """What will become of it."""
    if record.type == "episodic" or record.retired_by is not None:
        return ""
    return f"fades on {page.day(record.fades_at)} unless it is used" if record.fades_at else "does not fade"


# --- explanation ------------------------------------------------------------------------------------------------------


def explanation(page: Page, found: "Explanation") -> None:
    """How something is known."""
    entry(page, found.memory)
    page.blank()
    page.rows(([(f"  {name}", FAINT)], value) for name, value in _facts_about(page, found) if value)
    _section(page, "It rests on", found.sources)
    _versions(page, found.versions)
    _section(page, "It replaced", found.supersedes)
    _section(page, "It was replaced by", found.superseded_by)
    _section(page, "It may be in conflict with", found.possible_conflicts)
    page.heading("What happened to it")
    page.rows(([(f"  {page.minute(change.at)}", FAINT)], event) for change, event in _events(found.changes))


def _facts_about(page: Page, found: "Explanation") -> "Iterable[tuple[str, str]]":
    record, first = found.memory, found.versions[-1]
    yield "believed", _belief(page, record)
    yield "known since", page.day(first.created_at)
    yield "true", _validity(page, record)
    yield "source", _origin(record)
    yield "session", record.session or ""
    yield "key", record.key or first.key or ""
    yield "confidence", _confidence(page, record)
    yield "used", counted(record.access_count, "time") if record.access_count else "not yet"
    yield "about", ", ".join(found.entities)
    yield "tags", ", ".join(record.tags)


def _belief(page: Page, record: "Record") -> str:
    if record.retired_at is None:
        return "yes"
    reason = _WHY_RETIRED.get(record.retired_by or "", record.retired_by or "retired")
    return f"no longer: {reason} on {page.day(record.retired_at)}; `memory restore {record.id}` brings it back"


def _validity(page: Page, record: "Record") -> str:
    if record.type == "episodic":
        return ""
    until = f" until {page.day(record.valid_until)}" if record.valid_until else ""
    return f"from {page.day(record.valid_from)}{until}"


def _origin(record: "Record") -> str:
    """Where it came from, in words, and what that is trusted for."""
    ways = {"explicit": "said expressly", "inferred": "inferred", "corrected": "a correction"}
    quarantined = ", kept out of automatic context" if record.quarantined else ""
    return f"{ways.get(record.source, record.source)} (trust: {record.trust}{quarantined})"


def _confidence(page: Page, record: "Record") -> str:
    if record.type == "episodic":
        return "what was said does not fade"
    return ", ".join(part for part in (f"{record.confidence:.0%}", _future(page, record)) if part)


def _versions(page: Page, versions: "Sequence[Record]") -> None:
    if len(versions) < 2:
        return
    page.heading("Its versions")
    page.rows(([(f"  {each.version}", FAINT), (page.day(each.created_at), FAINT)], _version(each)) for each in versions)


def _version(record: "Record") -> str:
    ended = _WHY_RETIRED.get(record.retired_by or "", record.retired_by)
    return f"{record.content} ({ended})" if ended else record.content


def _events(changes: "Sequence[Change]") -> "Iterable[tuple[Change, str]]":
    """What happened, in words; each version but the first is created when another is corrected."""
    version = 0
    for change in changes:
        version += change.event == "created"
        words = f"version {version} stored" if change.event == "created" else change.event.replace("_", " ")
        yield change, f"{words} by {change.actor}" if change.actor else words


def _section(page: Page, title: str, records: "Sequence[Record]") -> None:
    if records:
        page.heading(title)
        page.rows(_listed(page, record) for record in records)


def _listed(page: Page, record: "Record") -> tuple[list[Part], str]:
    """A memory as one row of a list."""
    named = f"{kind(record)}: " if record.type == "episodic" else ""
    return [(f"  {record.id}", ID), (page.day(record.event_time), FAINT)], f"{named}{record.content}"


# --- overviews --------------------------------------------------------------------------------------------------------


def profile(page: Page, found: "EntityProfile") -> None:
    """What is known about somebody or something."""
    aliases = f"also {', '.join(found.aliases)}" if found.aliases else ""
    page.line((found.name, "bold"), (found.type, FAINT), aliases, (found.id, ID))
    first, last = page.day(found.first_seen), page.day(found.last_seen)
    page.line(f"mentioned {counted(found.mentions, 'time')}, from {first} to {last}", indent=2)
    if found.merged:
        page.line(f"merged from {', '.join(found.merged)}", indent=2)
    for id, name in found.namesakes.items():
        page.line((id, ID), f"{name} could be meant as well", indent=2)
    if found.summary:
        page.text(found.summary)
    _section(page, "Known", found.facts)
    _section(page, "Said", found.timeline)


def user_profile(page: Page, found: "UserProfile") -> None:
    """What is known of a user, field by field, and from which memory."""
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
        page.line("Nothing is known of you yet.")


def _of_user(page: Page, name: str, value: "ProfileValue") -> tuple[list[Part], str]:
    since = f"since {page.day(value.since)}"
    return [(name, FAINT), (value.id, ID), (since, FAINT), (f"{value.confidence:.0%}", FAINT)], value.value


def weak(page: Page, records: "Sequence[Record]") -> None:
    """What fades next."""
    if not records:
        page.line("Nothing is fading.")
    for number, record in enumerate(records):
        if number:
            page.blank()
        fades = f"fades on {page.day(record.fades_at)}" if record.fades_at else ""
        page.line((record.id, ID), (fades, FAINT), kind(record), (f"confidence {record.confidence:.0%}", FAINT))
        page.text(record.content)
    if records:
        page.blank()
        page.line(("`memory confirm ID` keeps one for good; being found keeps it for longer.", FAINT))


def statistics(page: Page, found: "Statistics") -> None:
    """A table of what is held."""
    maintained = page.minute(found.last_maintained_at) if found.last_maintained_at else "never"
    vectors = f"{found.vectors:,} by {found.embedding_model}" if found.embedding_model else "none"
    rows = (
        ("memories", _counted(found.nodes)),
        ("no longer believed", _counted(found.retired)),
        ("connections", _counted(found.edges)),
        ("people and things", f"{found.entities:,}"),
        ("conversations", f"{found.sessions:,} ({found.sessions_pending:,} not yet learnt from)"),
        ("unconnected memories", f"{found.orphan_nodes:,}"),
        ("vectors", f"{vectors}; {found.embedding_backlog:,} waiting"),
        ("questions and runs", _counted(found.operations)),
        *((f"cost of {step}", _cost(spent)) for step, spent in found.spending.items()),
        *([("read by models", _first(found.first_answers))] if found.first_answers.items else []),
        *([("answers refused", _counted(found.violations))] if found.violations else []),
        ("logged changes", f"{found.changes:,}"),
        ("last maintained", maintained),
        ("size", f"{found.database_bytes / 1_000_000:,.1f} MB"),
    )
    page.rows(([(name, FAINT)], value) for name, value in rows)


def _counted(counts: Mapping[str, int]) -> str:
    """A sum and its parts, the largest first."""
    parts = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))
    return f"{sum(counts.values()):,} ({parts})" if parts else "0"


def _first(answers: "FirstAnswers") -> str:
    """``47 of 50 items right at first (94%)``."""
    share = answers.right / answers.items
    return f"{answers.right:,} of {counted(answers.items, 'item')} right at first ({share:.0%})"


def maintenance(page: Page, report: "MaintenanceReport", pruned: "Sequence[Record]") -> None:
    """What a maintenance run did, or would do."""
    retired = "to be retired" if report.dry_run else "retired"
    faded = counted(len(report.pruned), "memory has", "memories have")
    page.line(f"{faded} faded, {retired}:" if report.pruned else "Nothing has faded.")
    page.rows(_listed(page, record) for record in pruned)
    if len(report.pruned) > len(pruned):
        page.line(f"and {len(report.pruned) - len(pruned):,} more", indent=2)
    if report.embedding_backlog:
        page.line(f"{counted(report.embedding_backlog, 'memory waits', 'memories wait')} for a vector.")
    page.blank()
    page.rows(_step(step) for step in report.steps)


_STEP_STYLES = {"failed": BAD, "partial": HEADING, "done": GOOD}


def _step(step: "StepReport") -> tuple[list[Part], str]:
    """A step, how it ended, and what it did."""
    counts = ", ".join(f"{count:,} {what}" for what, count in step.counts.items())
    cost = ("about " if step.status == "planned" else "") + _cost(step.spent) if step.spent.calls else ""
    did = "; ".join(part for part in (counts, cost, step.note) if part)
    return [step.step, (step.status, _STEP_STYLES.get(step.status, FAINT))], did or "nothing to do"


def _cost(spent: "Spent") -> str:
    """``2 questions, 1,024 tokens``."""
    return f"{counted(spent.calls, 'question')}, {spent.tokens:,} tokens"


def diagnosis(page: Page, home: str, parts: "Sequence[diagnoses.Part]") -> None:
    """A table of checks by what they are about, with advice where something is wrong, and what comes of them."""
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
