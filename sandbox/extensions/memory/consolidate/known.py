"""Known memories that matter for some turns: the reader sees them, and its proposals are compared with them.

Code finds a bounded number of candidates; a model judges only those.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.claims import SAID, USER, Claim, predicates
from sandbox.extensions.memory.claims.compare import typed
from sandbox.extensions.memory.consolidate.extraction import Known, KnownFact, Turn
from sandbox.extensions.memory.consolidate.support import nobody
from sandbox.extensions.memory.model import KNOWLEDGE, Scope
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import claims, entities, nodes
from sandbox.extensions.memory.store.filters import Filter, wide_enough
from sandbox.extensions.memory.store.rows import INSIGHT, INSTRUCTION, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.words import name_candidates, name_key, terms
from sandbox.support.times import from_ms

_FACTS, _ENTITIES = 20, 20  # shown to a reader at most
_EACH = 6  # facts for one turn, at most
_NEAREST = 6  # facts that are shown even if they do not fit: *the Canada thing is over* ends calls with Toronto
_ASKED = 1000  # characters of a turn used as a query; the words of a longer one match everything
_FITS = 0.25  # cosine from which a fact without a common word fits a turn
_CANDIDATES = 4  # memories a statement is compared with
_NEAR = 0.45  # cosine of a candidate with some common words; alone it says little in languages new to the embedder
_SOME = 0.25  # share of common words that counts: all statements about one project share a word
_CHANGEABLE, _REPORTS = 1000, 200  # the latest of the changeable facts, and of reports, which soon are many
_OWN = ("name", "preferred_name")  # predicates
_YEAR = re.compile(r"(?:19|20)\d\d")
_HALF = 0.5  # share of common words from which a memory is a candidate at any cosine


async def known_to(runtime: Runtime, turns: Sequence[Turn], scope: Scope) -> Known:
    """The known facts for a reader of some turns: who the user is, which project it is, facts that fit the turns, and
    the entities in either.
    """
    filter_ = Filter(scope, runtime.now_ms(), types=KNOWLEDGE, quarantined=False)
    found: dict[int, tuple[float, Node]] = {}
    for text in (turn.text[:_ASKED] for turn in turns if turn.text.strip()):
        said = set(terms(text)) - nobody()
        for each in await runtime.recall.find(text, filter_, _EACH):
            score = max(each.similarity or 0.0, _FITS if said.intersection(each.node.terms.split()) else 0.0)
            if score > found.get(each.node.id, (-1.0,))[0]:
                found[each.node.id] = score, each.node
    nearest = sorted(found.values(), key=lambda pair: -pair[0])
    fitting = [node for place, (score, node) in enumerate(nearest) if score >= _FITS or place < _NEAREST]

    def read(snapshot: Snapshot) -> Known:
        own = profile(snapshot, filter_)
        filled = [each.id for each in (own.preferred_name, own.pronouns, own.city) if each]
        who = [nodes.versions(snapshot, each, scope)[0] for each in filled]
        seen = [each for each in (*who, *fitting) if each.visibility in wide_enough(scope) and each.category != INSIGHT]
        facts = list(dict.fromkeys(seen))[:_FACTS]
        speakers = {turn.speaker for turn in turns if turn.role == "user" and turn.speaker}
        is_alone = len(speakers) < 2 and all(turn.is_to_assistant for turn in turns if turn.speaker)
        name = own.preferred_name.value if own.preferred_name else next(iter(speakers), None)
        spoken = _spoken_of(snapshot, turns, facts, scope)
        known = (
            KnownFact(each.content, from_ms(each.valid_from), None, each.subject, each.told, each.public_id)
            for each in facts
        )
        return Known(tuple(known), spoken, name if is_alone else None, _named(scope.project_id))

    return await runtime.store.read(read)


def _named(project: str | None) -> str | None:
    """The last part of a project's id, which may be a path or the address of a repository."""
    return re.split(r"[/\\]", project.rstrip("/\\"))[-1] or None if project else None


def _spoken_of(snapshot: Snapshot, turns: Sequence[Turn], facts: Sequence[Node], scope: Scope) -> tuple[Mention, ...]:
    """The entities that some turns name, that speak in them, or that some facts mention."""
    runs = name_candidates("\n".join(turn.text for turn in turns))
    names = [turn.speaker for turn in turns if turn.speaker]
    names += [name for fact in facts for name in entities.entities_of(snapshot, fact.id, scope)]
    borne = entities.named(snapshot, scope, dict.fromkeys(map(name_key, names)))
    ids = dict.fromkeys([*entities.in_sentence(snapshot, scope, runs), *(found[0] for found in borne.values())])
    return tuple(_mention(snapshot, entity_id) for entity_id in list(ids)[:_ENTITIES])


async def candidates(runtime: Runtime, draft: Draft, shown: Collection[str]) -> list[Node]:
    """Memories that a statement may repeat, change or correct, the nearest first. A common subject alone makes no
    candidate, nor does a similarity if both have claims of different subjects or predicates. Those that its reader was
    ``shown`` (public ids), and did not name, have to be more alike.
    """
    filter_ = Filter(draft.scope, max(runtime.now_ms(), draft.event_time), types=KNOWLEDGE, in_home=True)
    found = await runtime.recall.find(draft.content, filter_, 2 * _CANDIDATES)
    claimed, names = await runtime.store.read(
        lambda snapshot: (
            claims.of_nodes(snapshot, [each.node.id for each in found]),
            claims.users_names(snapshot, replace(filter_, in_home=False)),
        )
    )
    users = frozenset(term for name in names for term in terms(name))
    near = [
        each.node
        for each in found
        if each.node.fingerprint != draft.fingerprint
        and each.node.category != INSIGHT
        and _may_meet(
            draft,
            each.node,
            each.similarity or 0.0,
            [kept.claim for kept in claimed.get(each.node.id, ())],
            users,
            is_passed_over=each.node.public_id in shown,
        )
    ]
    return near[:_CANDIDATES]


def changeable(snapshot: Snapshot, scope: Scope, now: int) -> list[tuple[Node, tuple[Claim, ...]]]:
    """Known memories that a word of the user may change, with their claims: reports, then others, the latest last."""
    some = [name for name, each in predicates().items() if each.may_end or each.private or each.category == INSTRUCTION]
    return _claiming(snapshot, scope, now, some)


def naming(snapshot: Snapshot, scope: Scope, now: int) -> list[tuple[Node, tuple[Claim, ...]]]:
    """Known memories that tell the names of people, with their claims, the latest last."""
    return _claiming(snapshot, scope, now, _of_people())


def people(snapshot: Snapshot, scope: Scope, now: int) -> dict[str, str]:
    """The names of the user, and of the people whom the user has told of, each with the first relation that was told,
    also if that is over; the user's own is empty.
    """
    ever = replace(_learnt(scope, now), history=True)
    told = claims.with_predicates(snapshot, [*_of_people(), *_OWN], ever, _CHANGEABLE)
    affirmed = [each for _, each in told if each.is_affirmed and (each.predicate not in _OWN or each.subject == USER)]
    return {each.value: "" if each.predicate in _OWN else each.predicate for each in affirmed}  # the first comes last


def _of_people() -> list[str]:
    return [name for name, each in predicates().items() if each.value == "person"]


def _learnt(scope: Scope, now: int) -> Filter:
    return Filter(scope, now, types=KNOWLEDGE, quarantined=False, in_home=True)


def _claiming(snapshot: Snapshot, scope: Scope, now: int, names: Sequence[str]) -> list[tuple[Node, tuple[Claim, ...]]]:
    """Memories of the scope's home with some predicates, and wishes that hold in every project."""
    everywhere = replace(_learnt(scope, now), in_home=False)
    told = claims.with_predicates(snapshot, set(names) - {SAID}, everywhere, _CHANGEABLE)
    told += claims.with_predicates(snapshot, {SAID}.intersection(names), everywhere, _REPORTS)
    found = list(dict.fromkeys(node for node, _ in told))
    claimed = claims.of_nodes(snapshot, found)
    known = {
        id: node
        for id, node in nodes.by_ids(snapshot, found).items()
        if (node.visibility, node.project_id) == (scope.visibility, scope.project_id)
        or (node.visibility == "user" and node.category == INSTRUCTION)
    }
    return [(known[each], tuple(kept.claim for kept in claimed[each])) for each in reversed(found) if each in known]


def is_about_same(draft: Draft, node: Node) -> bool:
    """Whether a statement and a memory share a content word other than the names of their subjects."""
    return bool(_shared(draft, node))


def names_other(draft: Draft, node: Node) -> bool:
    """Whether one of two statements with different subjects names the other's: "Jonas reviews, because Mira left"."""
    pairs = (draft.terms, node.subject), (node.terms, draft.subject)
    return any(name and set(terms(name)) <= set(said.split()) for said, name in pairs)


def _may_meet(
    draft: Draft,
    node: Node,
    similarity: float,
    claimed: Collection[Claim],
    users: frozenset[str],
    *,
    is_passed_over: bool,
) -> bool:
    mine, theirs = typed(draft.claims), typed(claimed)
    if mine and theirs:
        return not _claimed(mine).isdisjoint(_claimed(theirs))
    shared = _shared(draft, node, users)
    return shared >= _HALF or (not is_passed_over and shared >= _SOME and similarity >= _NEAR)


def _claimed(claimed: Collection[Claim]) -> set[tuple[str, str]]:
    return {(name_key(claim.subject), claim.predicate) for claim in claimed}


def _shared(draft: Draft, node: Node, users: frozenset[str] = frozenset()) -> float:
    """The share of the shorter one's content words, other than the names of their subjects, that both have; years and
    the names of the user do not count.
    """
    about = nobody().union(*(terms(name) for name in (draft.subject, node.subject) if name))
    mine, theirs = set(draft.terms.split()) - about, set(node.terms.split()) - about
    common = {word for word in (mine & theirs) - users if not _YEAR.fullmatch(word)}
    return len(common) / max(1, min(len(mine), len(theirs)))


def _mention(snapshot: Snapshot, entity_id: int) -> Mention:
    row = entities.entity(snapshot, entity_id)
    others = tuple(name for name in entities.aliases(snapshot, entity_id) if name != row["name"])
    return Mention(row["name"], row["type"], others)
