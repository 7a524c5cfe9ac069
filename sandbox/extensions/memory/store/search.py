"""Candidates for a question: ranked by words, filtered before anything is limited."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import islice

from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.turns import TurnCache

Scored = list[tuple[int, float]]  # (node id, score), best first

_SQL = load("search")

SPOKEN_OF = ("mentions", "belongs_to", "relevant_to")
"""Roles in which a node speaks of an entity."""

_SPARE = 16  # candidates looked at beyond the limit; hardly anything is forgotten, so mostly that is enough
_GROWTH = 4  # of the chunks looked at after the first
WHO_WEIGHT = 1.0  # of the speaker's name in bm25, beside 1 for the words; flat between 0.3 and 1.5


def match_any(terms: Sequence[str]) -> str:
    """An FTS5 query for any of some terms; nothing in them is an operator."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


class Gate:
    """Which nodes a question may see, asked of the database once for each node."""

    def __init__(self, connection: sqlite3.Connection, filter_: Filter, turns: TurnCache) -> None:
        self.connection = connection
        self.filter = filter_
        self._turns = turns
        self._open: set[int] = set()
        self._shut: set[int] = set()

    def permitted(self, ids: Iterable[int]) -> set[int]:
        """Those of some nodes that the filter lets through."""
        wanted = set(ids)
        unknown = wanted - self._open - self._shut
        if unknown:
            found = self._found(unknown)
            self._open |= found
            self._shut |= unknown - found
        return wanted & self._open

    def _found(self, ids: set[int]) -> set[int]:
        plain = set()
        if self.filter.lets_plain_turns_through:
            plain = self._turns.plain(self.connection, ids, self.filter.scope.user_id)
        return plain | allowed(self.connection, ids - plain, self.filter) if len(plain) < len(ids) else plain

    def first(self, ranked: Iterable[tuple[int, float]], limit: int) -> Scored:
        """The first ``limit`` of a ranking that may be seen: exact, looking only as far as it must."""
        found: Scored = []
        candidates, size = iter(ranked), limit + _SPARE
        while len(found) < limit and (chunk := list(islice(candidates, size))):
            permitted = self.permitted(node for node, _ in chunk)
            found.extend(pair for pair in chunk if pair[0] in permitted)
            size *= _GROWTH
        return found[:limit]


def words(gate: Gate, terms: Sequence[str], limit: int) -> Scored:
    """The best nodes by bm25 (higher is better) that the gate lets through."""
    if not terms:
        return []
    sql = _SQL.words if gate.filter.sees_turns else _SQL.words_of_knowledge
    ranked = gate.connection.execute(sql, {"match": match_any(terms), "who": WHO_WEIGHT})
    return gate.first(((row[0], row[1]) for row in ranked), limit)


def allowed(connection: sqlite3.Connection, ids: Iterable[int], filter_: Filter) -> set[int]:
    """Which of some nodes the filter lets through."""
    condition, parameters = filter_.condition()
    sql = f"SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE {condition}"
    return {row[0] for row in connection.execute(sql, {"ids": json.dumps(list(ids)), **parameters})}


def recent(connection: sqlite3.Connection, filter_: Filter, limit: int) -> list[int]:
    """The latest nodes by world time."""
    condition, parameters = filter_.condition()
    sql = _SQL.recent.replace("{condition}", condition)
    return [row[0] for row in connection.execute(sql, {**parameters, "limit": limit})]


def has_knowledge(connection: sqlite3.Connection) -> bool:
    """Whether anything but turns was ever remembered, by anyone."""
    return connection.execute(_SQL.any_knowledge).fetchone() is not None


def of_entities(
    connection: sqlite3.Connection,
    entity_ids: Sequence[int],
    filter_: Filter,
    limit: int,
    roles: Sequence[str] = (*SPOKEN_OF, "speaker"),
) -> list[int]:
    """The latest nodes linked with some entities: what speaks of them first, then what they said themselves."""
    condition, parameters = filter_.condition()
    sql = _SQL.of_entity.replace("{condition}", condition)
    found: dict[int, None] = {}
    for role in roles:
        for entity in entity_ids:
            linked = {**parameters, "entity": entity, "role": role, "limit": limit}
            found.update((row[0], None) for row in connection.execute(sql, linked))
    return list(found)[:limit]


def always(connection: sqlite3.Connection, filter_: Filter, limit: int) -> list[int]:
    """Standing instructions and pinned memories, the most important first."""
    condition, parameters = filter_.condition()
    sql = _SQL.always.replace("{condition}", condition)
    return [row[0] for row in connection.execute(sql, {**parameters, "limit": limit})]


def weak(connection: sqlite3.Connection, filter_: Filter, limit: int) -> list[int]:
    """Knowledge that fades, the first to fade first."""
    condition, parameters = filter_.condition()
    sql = _SQL.weak.replace("{condition}", condition)
    return [row[0] for row in connection.execute(sql, {**parameters, "limit": limit})]


def seq_at(connection: sqlite3.Connection, moment: int) -> int:
    """The last change recorded by ``moment``: clocks may jump, so the largest sequence number counts."""
    seq: int = connection.execute(_SQL.seq_at, {"at": moment}).fetchone()[0]
    return seq
