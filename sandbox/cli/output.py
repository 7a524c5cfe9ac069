"""Memories as text for people, one function per answer; ``overviews.py`` has the overviews."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sandbox.cli.page import FAINT, ID, Page, Part, counted
from sandbox.extensions.memory.assemble.excerpts import excerpt
from sandbox.extensions.memory.interfaces.origin import origin
from sandbox.extensions.memory.text.words import terms

if TYPE_CHECKING:
    from sandbox.extensions.memory.model import Block, Change, Explanation, GraphPath, Hit, Record

NOTHING_FOUND = (
    "Nothing found. Other words may help, or fewer of them; `--history` also finds memories that were replaced or have"
    " faded."
)
NOTHING_RELEVANT = "Nothing is relevant to this prompt."
NOTHING_FITS = "No memory fits {budget:,} tokens. A block for this prompt needs at least {needed:,}: --budget {needed}"
NOTHING_YET = (
    "There is nothing to find{whose} in {home} yet. `memory import FILE` and `memory remember TEXT` bring something."
)

SHOWN = 600  # characters of a memory in a list
_NOTHING: Mapping[str, float] = {}

_WHY_RETIRED = {
    "corrected": "corrected",
    "forgotten": "forgotten on request",
    "decayed": "faded",
    "expired": "put away unused",
    "pruned": "pruned",
    "merged": "merged into another",
    "erased": "erased",
    "proposed": "waits for your consent",
    "approved": "approved",
    "rejected": "rejected",
}


# --- memories ---------------------------------------------------------------------------------------------------------


def hits(page: Page, found: "Sequence[Hit]", nothing: str, *, explain: bool = False, full: bool = False) -> None:
    """The results of a search, best first, with reasons if ``explain``. A long memory is cut to the passages that fit
    the question, unless ``full``. Without results, it prints ``nothing``.
    """
    for number, hit in enumerate(found):
        if number:
            page.blank()
        about(page, hit)
        page.text(hit.content if full else excerpt(hit.content, dict.fromkeys(hit.terms, 1.0), SHOWN))
        if not full and len(hit.content) > SHOWN:
            page.line((f"these are passages of {len(hit.content):,} characters; --full shows all", FAINT), indent=2)
        if explain:
            page.line((_why(hit), FAINT), indent=2)
    if not found:
        page.line(nothing)


def _why(hit: "Hit") -> str:
    """The rank in each leg of the search, and the common words."""
    from sandbox.extensions.memory.retrieve.legs import LEGS

    names = {"recent": "latest", **{leg.name: leg.finds for leg in LEGS}}
    places = [f"{names[name]} #{place}" for name, place in hit.legs.items()]
    near = f"cosine {hit.similarity:.2f}" if hit.similarity is not None else ""
    shared = f"shares {', '.join(hit.terms)}" if hit.terms else "shares no word"
    walked = f"by edges: {', '.join(map(_edge, hit.edges))}" if hit.edges else ""
    return "; ".join(part for part in (f"score {hit.score:.2f}", ", ".join(places), near, shared, walked) if part)


def _edge(walked: "GraphPath") -> str:
    """One edge, and where it begins."""
    return f"{walked.relation} from {walked.seed}" + (f" over {walked.hops}" if walked.hops > 1 else "")


def entry(page: Page, memory: "Hit | Record") -> None:
    """One memory: a line about it, then its content."""
    about(page, memory)
    page.text(memory.content)


def about(page: Page, memory: "Hit | Record") -> None:
    """A line about a memory: its id, its speaker or kind, and its origin."""
    standing = ((each, FAINT) for each in (origin(memory), within(memory), _standing(page, memory)))
    page.line((memory.id, ID), (page.when(memory), FAINT), kind(memory), *standing)


def kind(memory: "Hit | Record") -> str:
    """The speaker of a turn, or the kind and the subject of knowledge."""
    if memory.type == "episodic":
        return memory.speaker or memory.role or "somebody"
    about = f", {memory.subject}" if memory.subject else ""
    return f"{memory.type} {memory.category or 'memory'}{about}"


def within(memory: "Hit | Record") -> str:
    """The project outside of which a memory is not found; empty for none."""
    return f"project {memory.project}" if memory.project else ""


def _standing(page: Page, memory: "Hit | Record") -> str:
    """Notes on a memory: it fades, was replaced, or is over."""
    if memory.retired_by is not None:
        return _WHY_RETIRED.get(memory.retired_by, memory.retired_by)
    if memory.valid_until is not None:
        return f"true until {page.day(memory.valid_until)}"
    return f"confidence {memory.confidence:.0%}" if memory.confidence < 0.995 else ""


# --- context ----------------------------------------------------------------------------------------------------------


def block(page: Page, found: "Block | None") -> None:
    """The context block and nothing else, so that it can be piped into an assistant."""
    if found is not None:
        page.verbatim(found.text)


# --- changes ----------------------------------------------------------------------------------------------------------


def changed(
    page: Page,
    record: "Record",
    what: str,
    replaced: "Sequence[Record]" = (),
    doubted: "Sequence[Record]" = (),
    ended: "Sequence[Record]" = (),
    sources: "Sequence[Record]" = (),
) -> None:
    """A note of a change, the memory in its new state, those that it replaced, and those that are ``doubted`` since; of
    a forgotten one, those that had ``ended`` with it, and its ``sources``.
    """
    page.line(what, (record.id, ID), (_future(page, record), FAINT))
    page.text(record.content)
    section(page, "It replaced", replaced)
    section(page, "It may be in conflict with; both stay until you correct or forget one", doubted)
    section(page, "It had replaced, and `memory restore ID` makes valid again", ended)
    remaining(page, sources)


def remaining(page: Page, sources: "Sequence[Record]") -> None:
    """The turns that taught a memory, which is forgotten or erased."""
    section(page, "It was learnt from these turns, which stay; `memory erase ID` erases one", sources)


def _future(page: Page, record: "Record") -> str:
    """The future of a memory."""
    if record.type == "episodic" or record.retired_by is not None:
        return ""
    return f"fades on {page.day(record.fades_at)} unless it is used" if record.fades_at else "does not fade"


# --- explanation ------------------------------------------------------------------------------------------------------


def explanation(page: Page, found: "Explanation") -> None:
    """The explanation of a memory."""
    entry(page, found.memory)
    page.blank()
    page.rows(([(f"  {name}", FAINT)], value) for name, value in _facts_about(page, found) if value)
    section(page, "It rests on", found.sources, dict.fromkeys(terms(found.memory.content), 1.0))
    _versions(page, found.versions)
    section(page, "It replaced", found.supersedes)
    section(page, "It was replaced by", found.superseded_by)
    section(page, "It may be in conflict with", found.possible_conflicts)
    page.heading("What happened to it")
    page.rows(([(f"  {page.minute(change.at)}", FAINT)], event) for change, event in _events(found.changes))


def _facts_about(page: Page, found: "Explanation") -> "Iterable[tuple[str, str]]":
    record, first = found.memory, found.versions[-1]
    yield "believed", _belief(page, record)
    yield "known since", page.day(first.created_at)
    yield "true", _validity(page, record)
    yield "source", _origin(record)
    yield "concluded from", ", ".join(found.derived_from)
    yield "session", record.session or ""
    yield "key", record.key or first.key or ""
    yield "confidence", _confidence(page, record)
    yield "importance", f"{record.importance} of 5, pinned" if record.pinned else f"{record.importance} of 5"
    yield "used", counted(record.access_count, "time") if record.access_count else "not yet"
    yield "about", ", ".join(found.entities)
    yield "tags", ", ".join(record.tags)
    yield "contexts", ", ".join(found.contexts)


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
    """Its origin in words, and its trust."""
    ways = {"explicit": "said explicitly", "inferred": "inferred", "corrected": "a correction"}
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
    """Changes in words; a version is created by the correction of the one before."""
    version = 0
    for change in changes:
        version += change.event == "created"
        words = f"version {version} stored" if change.event == "created" else happening(change)
        yield change, f"{words} by {change.actor}" if change.actor else words


def happening(change: "Change") -> str:
    """A change in words, with the other memory or the entity that it is about."""
    other = change.detail.get("to") or change.detail.get("other") or change.detail.get("into") or ""
    relation = change.detail.get("relation", "")
    return " ".join(filter(None, (f"{change.event} {relation}".strip().replace("_", " "), other)))


def section(page: Page, title: str, records: "Sequence[Record]", wanted: Mapping[str, float] = _NOTHING) -> None:
    """Memories under a heading, if there are any."""
    if records:
        page.heading(title)
        page.rows(listed(page, record, wanted) for record in records)


def listed(page: Page, record: "Record", wanted: Mapping[str, float] = _NOTHING) -> tuple[list[Part], str]:
    """A memory as a row of a list; a long one is cut to the passages that fit the question. If its end is to come, the
    row tells its day.
    """
    named = f"{kind(record)}: " if record.type == "episodic" else ""
    content = excerpt(record.content, wanted, SHOWN)
    ends = record.valid_until is not None and record.retired_by is None and record.valid_until > datetime.now(UTC)
    until = f" ({_standing(page, record)})" if ends else ""
    return [(f"  {record.id}", ID), (page.when(record), FAINT)], f"{named}{content}{until}"
