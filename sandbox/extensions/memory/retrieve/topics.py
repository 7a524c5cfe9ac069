"""What a question asks for, as predicates of claims: *which city am I in?* asks for a home, whatever its words."""

from collections.abc import Container, Iterable, Mapping
from functools import cache

from sandbox.extensions.memory.claims import SAID, USER, Claim, predicate, predicates
from sandbox.extensions.memory.lexicon import LANGUAGES, read_data
from sandbox.extensions.memory.retrieve.query import Query, asks_about_user
from sandbox.extensions.memory.text.words import name_key, terms

MOST_READ = 500
"""Claims that are read, the latest; the most important of these are kept, however old they are."""


def asked_for(query: Query) -> Mapping[str, int]:
    """The predicates that a question asks for, each with its place, from 0: first what it asks for, then what belongs
    to its topic. A question about the user asks for the core.
    """
    if asks_about_user(query.text):
        return {name: place for place, name in enumerate(core_predicates("user"))}
    known, found = _by_term(), dict[str, int]()
    for term in query.terms:
        for name, place in known.get(term, {}).items():
            found[name] = min(place, found.get(name, place))
    return found


def core_predicates(*kinds: str) -> list[str]:
    """The predicates of the core of the user or the project, the most important first."""
    return [name for name, each in predicates().items() if each.core in kinds]


def is_theirs(claim: Claim, near: Container[str] = ()) -> bool:
    """Whether a claim is affirmed, of today, and of the user, of somebody whose name's key is in ``near``, or about the
    health or diet of anybody.
    """
    is_own = claim.subject == USER or name_key(claim.subject) in near
    is_theirs = is_own or predicate(claim.predicate).private or claim.predicate == "diet"
    return claim.is_affirmed and claim.modality != "past" and is_theirs


def people_of(told: Iterable[Claim]) -> frozenset[str]:
    """The keys of the names of people and pets of the user in some claims: whose job *my wife's job* asks for."""
    return frozenset(
        name_key(claim.value)
        for claim in told
        if claim.subject == USER and claim.is_affirmed and predicate(claim.predicate).value in ("person", "animal")
    )


@cache
def _by_term() -> Mapping[str, Mapping[str, int]]:
    """The predicates that a search term asks for, with their places: those with the term in their name, and in any
    language those that belong to its topic: *restaurant* to diet, allergies and home. Topics are data, ``topics.yaml``
    in the folder of each language.
    """
    found: dict[str, dict[str, int]] = {}
    for name in predicates().keys() - {SAID}:
        for term in terms(name.replace("_", " ")):
            found.setdefault(term, {})[name] = 0
    for code in LANGUAGES:
        for row in read_data(code, "topics"):
            for term in terms(row["words"]):
                places = found.setdefault(term, {})
                for place, name in enumerate(row["predicates"]):
                    places[name] = min(place, places.get(name, place))
    return found
