"""Find the core: facts about the user, and about a project, by their claims rather than by their words."""

from collections.abc import Collection

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.retrieve.topics import MOST_READ, core_predicates, is_theirs
from sandbox.extensions.memory.store import claims
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_MOST_CORE = 40  # memories


def core(snapshot: Snapshot, filter_: Filter, asked: Collection[int]) -> list[int]:
    """Memories of the core of the user and the project: those ``asked`` for, then the most important first."""
    names = core_predicates("user") if filter_.scope.project_id is None else core_predicates("user", "project")
    found = claims.with_predicates(snapshot, names, filter_, MOST_READ)
    place = {name: number for number, name in enumerate(names)}
    kept = [
        (node not in asked, place[claim.predicate], number, node)
        for number, (node, claim) in enumerate(found)
        if _is_core(claim, is_asked=node in asked)
    ]
    return list(dict.fromkeys(node for *_, node in sorted(kept)))[:_MOST_CORE]


def _is_core(claim: Claim, *, is_asked: bool) -> bool:
    """Whether a claim is about the user; about the project; or, if the question asks for food or health, about the
    user's family.
    """
    if predicate(claim.predicate).core == "project":
        return claim.is_affirmed
    return is_theirs(claim) and (is_asked or claim.subject == USER)
