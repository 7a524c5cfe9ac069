"""The claims of versions of memories, and the relations of entities that follow from them: edges of the kind
``entity``.

They are computed from the memories that the reader may see, and end with them.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sandbox.extensions.memory.claims import ENTITIES, USER, Claim, predicate
from sandbox.extensions.memory.claims.compare import LinkedClaim, identity, of_user, users_words
from sandbox.extensions.memory.claims.registry import is_attribute
from sandbox.extensions.memory.model import Relation
from sandbox.extensions.memory.profile import Field, Filling
from sandbox.extensions.memory.store import entities, nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import INSTRUCTION, Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import UNKNOWN, Mention, is_description
from sandbox.extensions.memory.text.places import without_place
from sandbox.extensions.memory.text.words import name_key, terms
from sandbox.support.times import from_ms

_SQL = load("claims")


_FIGURE = re.compile(r"\d+")
_LOOKED_AT = 200  # memories with claims on the same subject, the latest first
_NAMES = ("name", "preferred_name")
_TYPES = {"animal": UNKNOWN}  # of entities, for kinds of values with another name


class Related(NamedTuple):
    """A relation in the claim of a memory, and the ``other`` entity (None: the user), by internal ids."""

    node: int
    other: int | None
    relation: Relation


def put(tx: Transaction, node_id: int, draft: Draft) -> None:
    """Store the claims of a new version, and link it with the entities in them, if they have names."""
    own = own_names(tx, draft, tx.now) if draft.claims else ()
    for claim in dict.fromkeys(of_user(claim, own) for claim in draft.claims):
        kind = predicate(claim.predicate)
        inverse = predicate(kind.inverse).value if kind.inverse else "text"
        row = {
            "node_id": node_id,
            "user_id": draft.scope.user_id,
            "subject": name_key(claim.subject),
            "subject_id": _entity(tx, claim.subject, inverse, not is_attribute(claim.predicate), node_id, draft),
            "named": claim.subject,
            "predicate": claim.predicate,
            "value": claim.value,
            "folded": name_key(claim.value),
            "value_id": _entity(tx, claim.value, kind.value, kind.value in ENTITIES, node_id, draft),
            "affirmed": claim.is_affirmed,
            "modality": claim.modality,
            "time": claim.time,
        }
        tx.execute(_SQL.put, row)


def of_nodes(snapshot: Snapshot, node_ids: Iterable[int]) -> Mapping[int, tuple[LinkedClaim, ...]]:
    """The claims of some versions; versions without claims are left out."""
    found: defaultdict[int, list[LinkedClaim]] = defaultdict(list)
    for row in snapshot.execute(_SQL.of_nodes, nodes=node_ids):
        found[row["node_id"]].append(LinkedClaim(_claim(row), row["subject_id"]))
    return {node: tuple(claims) for node, claims in found.items()}


def told(snapshot: Snapshot, node_ids: Iterable[int]) -> Mapping[int, int]:
    """When memories were last told, in milliseconds: the time of their latest turn, otherwise when they were stored."""
    return {row["id"]: row["at"] for row in snapshot.execute(_SQL.told, nodes=node_ids)}


def recorded_by(snapshot: Snapshot, node_id: int) -> int:
    """When a node had been recorded at the latest, in milliseconds: the earliest time of it and of later nodes."""
    return snapshot.number(_SQL.recorded_by, id=node_id)


def with_predicates(
    snapshot: Snapshot, predicates: Iterable[str], filter_: Filter, limit: int
) -> list[tuple[int, Claim]]:
    """The user's memories that the filter allows with a claim of one of the predicates; the latest first."""
    rows = snapshot.select(_SQL.with_predicates, filter_.condition(), predicates=predicates, limit=limit)
    return [(row[0], _claim(row)) for row in rows]


def about(tx: Transaction, draft: Draft, claims: Iterable[LinkedClaim]) -> list[Node]:
    """Believed memories of a draft's home whose claims may conflict with some claims: those with the same subject, and
    the same predicate, its opposite or one of the same versions. Values of a predicate that may have several conflict
    only with their denial, but for those of which one is true at a time.
    """
    asked: set[tuple[str, str, int | None, bool | None]] = set()
    for claim, subject_id in claims:
        kind, subject = predicate(claim.predicate), name_key(claim.subject)
        denial = not claim.is_affirmed if kind.many and not (kind.one_of or kind.versions) else None
        asked |= {(name, subject, subject_id, denial) for name in kind.rivals}
        if kind.opposite:
            asked.add((kind.opposite, subject, subject_id, True))
    parameters = {**nodes.home(draft, tx.now), "asked": asked, "limit": _LOOKED_AT}
    found = map(Node._make, tx.execute(_SQL.about, parameters))
    subjects = {subject for _, subject, _, _ in asked}
    return [node for node in found if not _is_of_another(draft, node, subjects)]


def _is_of_another(draft: Draft, node: Node, subjects: Collection[str]) -> bool:
    """Whether two statements about somebody of one name were stored under two subjects that tell them apart, as *Tom
    lives in Rome* under ``customer 17`` and ``customer 18``. ``subjects`` are the keys of those whom claims are about.
    """
    if draft.subject is None or node.subject is None or USER in subjects:
        return False
    keys = {name_key(draft.subject), name_key(node.subject)}
    return len(keys) > 1 and keys.isdisjoint(subjects)


def same(tx: Transaction, draft: Draft) -> Node | None:
    """The believed memory of a draft's home and type with the same claims, ignoring articles and endings, which says no
    less. It may say in addition since when they hold.
    """
    if not draft.claims:
        return None
    first, wanted = draft.claims[0], frozenset(map(identity, draft.claims))
    more = _behind_values(draft)
    is_undated = all(claim.time is None for claim in draft.claims)
    said = {"predicate": first.predicate, "subject": name_key(first.subject), "limit": _LOOKED_AT}
    rows = tx.execute(_SQL.claiming, {**nodes.home(draft, tx.now), **said})
    found = [Node._make(row) for row in rows]
    claimed = of_nodes(tx, [node.id for node in found])
    return next(
        (
            node
            for node in found
            if not _is_of_another(draft, node, (name_key(first.subject),))
            and wanted == _said(claimed[node.id], but_since=is_undated and node.event_time <= draft.event_time)
            and draft.term_count <= len(node.terms.split())
            and _figures(draft.content) <= _figures(node.content)
            and more.issubset(node.terms.split())
            and (draft.category == INSTRUCTION) == (node.category == INSTRUCTION)
        ),
        None,
    )


def _said(claimed: Iterable[LinkedClaim], *, but_since: bool) -> frozenset[Hashable]:
    """What claims say; ``but_since`` leaves out since when something holds."""
    said = [each.claim for each in claimed]
    if but_since:
        said = [replace(each, time=None) if (each.time or "").endswith("/..") else each for each in said]
    return frozenset(map(identity, said))


def _behind_values(draft: Draft) -> frozenset[str]:
    """The terms behind the values of a statement, which may say more than its claims: *takes aspirin weekly*."""
    said, values = draft.terms.split(), {word for claim in draft.claims for word in terms(claim.value)}
    last = max((at for at, word in enumerate(said) if word in values), default=len(said))
    return frozenset(said[last + 1 :])


def _figures(content: str) -> frozenset[str]:
    """The numbers of a statement; with other numbers it says something else."""
    return frozenset(_FIGURE.findall(content))


def users_entities(snapshot: Snapshot, filter_: Filter) -> list[int]:
    """The entities that stand for the user: named with a word for the user, as in what is learnt, or with a name that
    the user has or speaks under. Claims about the user are about no entity.
    """
    names = map(name_key, users_names(snapshot, filter_))
    found = entities.named(snapshot, filter_.scope, [*users_words(), *names])
    return [id for ids in found.values() for id in ids]


def users_names(snapshot: Snapshot, filter_: Filter) -> list[str]:
    """The names that the user has or speaks under."""
    told = with_predicates(snapshot, _NAMES, filter_, _LOOKED_AT)
    names = [claim.value for _, claim in told if claim.subject == USER and claim.is_affirmed]
    return [*names, *filter(None, [own_speaker(snapshot, filter_.scope.user_id)])]


def related(
    snapshot: Snapshot, entity_ids: Sequence[int], filter_: Filter, limit: int, *, of_user: bool = False
) -> list[Related]:
    """Relations of entities in both directions, also those ``of_user``, by the filter, the latest first."""
    asked = {"entities": entity_ids, "limit": limit, "of_user": of_user}
    return [
        Related(
            row["id"],
            row["other"],
            Relation(
                subject=row["named"],
                predicate=row["predicate"],
                value=row["value"],
                id=row["public_id"],
                since=from_ms(row["valid_from"]),
                is_affirmed=bool(row["affirmed"]),
                modality=row["modality"],
            ),
        )
        for row in snapshot.select(_SQL.related, filter_.condition(), **asked)
    ]


def _entity(tx: Transaction, name: str, kind: str, may_be: bool, node_id: int, draft: Draft) -> int | None:
    """The entity that a name means, linked with the memory; if the name is written like one, a new entity."""
    if name == USER or not may_be:
        return None
    name = without_place(name) if kind == "organization" else name
    if not is_description(name):
        type_ = _TYPES.get(kind, kind) if kind in ENTITIES else UNKNOWN
        return entities.mention(tx, [Mention(name, type_)], node_id, draft.event_time, draft.scope)[0]
    known = entities.named(tx, draft.scope, [name_key(name)]).get(name_key(name), [])
    if len(known) != 1:
        return None
    entities.link_all(tx, {known[0]: {node_id: draft.event_time}}, "mentions")
    return known[0]


def own_names(snapshot: Snapshot, draft: Draft, now: int) -> list[str]:
    """The user's names, as far as the home of a draft sees them."""
    return [row["value"] for row in snapshot.execute(_SQL.own_names, nodes.home(draft, now))]


def own_speaker(snapshot: Snapshot, user_id: str) -> str | None:
    """The name under which a user speaks: that of the first turn, among those that are kept, from which something about
    the user was learnt. Others who speak are other people.
    """
    return snapshot.value(_SQL.own_speaker, user_id=user_id)


def speakers_of(snapshot: Snapshot, node_ids: Iterable[int]) -> Mapping[int, frozenset[str]]:
    """The names of those who said what memories tell, as far as they spoke under a name."""
    found: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for node, speaker in snapshot.execute(_SQL.speakers, nodes=node_ids):
        found[node] |= {speaker}
    return found


def _claim(row: sqlite3.Row) -> Claim:
    return Claim(row["named"], row["predicate"], row["value"], bool(row["affirmed"]), row["modality"], row["time"])


class Filled(NamedTuple):
    """The value of a field from a memory, whether the memory says it itself (the column ``is_told``), and the time
    since when it holds (milliseconds).
    """

    id: int
    field: Field
    value: str
    is_explicit: bool
    valid_from: int


def fill_profile(tx: Transaction, node_id: int, user_id: str, fills: Iterable[Filling]) -> None:
    """Let a memory fill profile fields. This is the only way into a profile."""
    for each in fills:
        parameters = {"field": each.field, "value": each.value, "is_told": each.is_explicit, "user_id": user_id}
        tx.execute(_SQL.fill, {"node_id": node_id, **parameters})


def profile_filling(snapshot: Snapshot, fields: Sequence[Field], filter_: Filter) -> list[Filled]:
    """The memories that fill some fields of the filter's user, among those the filter allows."""
    return [Filled(*row) for row in snapshot.select(_SQL.filling, filter_.condition(), fields=fields)]
