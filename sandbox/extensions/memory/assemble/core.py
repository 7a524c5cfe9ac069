"""Find the core: facts about the user and on the topics of a question, by their claims rather than by their words."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from sandbox.extensions.memory.claims import USER, Claim, predicate, predicates
from sandbox.extensions.memory.lexicon import LANGUAGES, read_data
from sandbox.extensions.memory.store import claims
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.words import terms

_MOST_CORE = 40  # memories
_MOST_ASKED = 20


def core(snapshot: Snapshot, filter_: Filter, asked: Collection[int]) -> list[int]:
    """Memories of the core of the user and the project: those ``asked`` for, then the most important first."""
    kinds = ("user",) if filter_.scope.project_id is None else ("user", "project")
    names = [name for name, each in predicates().items() if each.core in kinds]
    found = claims.with_predicates(snapshot, names, filter_, _MOST_CORE)
    place = {name: number for number, name in enumerate(names)}
    kept = [
        (node not in asked, place[claim.predicate], number, node)
        for number, (node, claim) in enumerate(found)
        if _is_core(claim, is_asked=node in asked)
    ]
    return list(dict.fromkeys(node for *_, node in sorted(kept)))


def asked_for(snapshot: Snapshot, asked: Iterable[str], filter_: Filter) -> list[int]:
    """Memories with a claim on a topic of the question, also about the family's diet, the latest first."""
    known = _asked_predicates()
    names = frozenset(name for term in asked for name in known.get(term, ()))
    found = claims.with_predicates(snapshot, names, filter_, _MOST_ASKED) if names else ()
    return list(dict.fromkeys(node for node, claim in found if _is_theirs(claim)))


def _is_core(claim: Claim, *, is_asked: bool) -> bool:
    """Whether a claim is about the user; about the project; or, if the question asks for food or health, about the
    user's family.
    """
    if predicate(claim.predicate).core == "project":
        return claim.is_affirmed
    return _is_theirs(claim) and (is_asked or claim.subject == USER)


def _is_theirs(claim: Claim) -> bool:
    is_theirs = claim.subject == USER or predicate(claim.predicate).private or claim.predicate == "diet"
    return claim.is_affirmed and claim.modality != "past" and is_theirs


@cache
def _asked_predicates() -> Mapping[str, frozenset[str]]:
    """The predicates that a search term asks for, in any language: ``restaurant`` asks for diet, allergies and home.
    They are data, ``topics.yaml`` in the folder of each language.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for code in LANGUAGES:
        for row in read_data(code, "topics"):
            for term in terms(row["words"]):
                found[term].update(row["predicates"])
    return {term: frozenset(names) for term, names in found.items()}
