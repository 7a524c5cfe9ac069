"""What a question may see by its caller's wishes, and the candidates for it: ranked by words, or from a period, and
filtered before anything is limited.
"""

import json
import re
from collections.abc import Iterable, Sequence, Set
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ArgumentsDisagree, InvalidArgument
from sandbox.extensions.memory.model import AsOf, CognitiveType, FilterOptions, Scope
from sandbox.extensions.memory.store import entities, graph, nodes
from sandbox.extensions.memory.store.columns import Ids, NodeView, Scored, among, joined
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import INSIGHT
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot
from sandbox.extensions.memory.store.word_index import WordIndexes
from sandbox.extensions.memory.text.words import courtesies, stemmed_name, terms
from sandbox.extensions.memory.times import moment, to_ms
from sandbox.support.characters import storable

_SQL = load("search")


SPOKEN_OF = ("mentions", "belongs_to", "relevant_to")
"""Roles in which a node mentions an entity."""

_TIME = {"after", "before"}
_FEW = 2_000  # nodes of a selective filter; with more, candidates are checked one by one
_MOST_OF_PERIOD = 2_000  # memories of a period that are read as a whole; of a longer one only the best matches count
_SENTENCES = re.compile(r"(?<=[.!?…\n])")  # between two
_FEWEST_TOLD = 3  # terms
_REWORDED = 1  # terms of a turn that are not in what was learnt from it, although nothing else was said
_SPARE = 16  # candidates checked beyond the limit; few memories are hidden, so this is mostly enough

_TYPES = get_args(CognitiveType)
_TURN = "episodic"  # the category of turns, which have none
_SEVERAL = ("category", "tags", "role", "source", "trusted_as")
_IDS = ("agent_id", "actor_id", "session_id", "project_id")
_TIMES = ("after", "before", "created_after", "created_before", "updated_after", "updated_before")
_IMPORTANCE = ("importance_min", "importance_max")
_OF_KNOWLEDGE = ("category", "tags", "subject", "context")
"""Filters that no turn of a conversation fits."""


class VisibilityFilter:
    """The nodes that a question may see. It asks the database once for each node."""

    def __init__(self, snapshot: Snapshot, filter_: Filter, view: NodeView) -> None:
        self.snapshot = snapshot
        self.filter = filter_
        self.nodes = view
        self._asked: dict[int, bool] = {}

    @cached_property
    def selected(self) -> Ids | None:
        """All nodes that a selective filter lets through, if they are few; else None. A filter by time alone is not
        selective: candidates are checked one by one.
        """
        if self.filter.allowed is None and not self.filter.only.keys() - _TIME:
            return None
        kind = "1" if self.filter.sees_turns else "n.type <> 'episodic'"  # in the form of the indexes of knowledge
        sql = _SQL.selected.replace("{kind}", kind)
        rows = self.snapshot.select(sql, self.filter.condition(), most=_FEW + 1)
        ids = np.array([row[0] for row in rows], np.int64)
        return ids if len(ids) <= _FEW else None

    def permitted(self, ids: Ids) -> NDArray[np.bool_]:
        """Which nodes the filter lets through."""
        if not self.filter.lets_plain_turns_through:
            return self._allowed(ids)
        plain = self.nodes.plain(ids, self.filter.scope.user_id)
        hidden = self.nodes.of_session(ids, self.filter.without_turns_of, self.filter.without_turns_since)
        permitted = plain & ~hidden
        if not plain.all():
            permitted[~plain] = self._allowed(ids[~plain])
        return permitted

    def _allowed(self, ids: Ids) -> NDArray[np.bool_]:
        if self.selected is not None:
            return among(ids, self.selected)
        wanted = ids.tolist()
        unknown = [node for node in wanted if node not in self._asked]
        if unknown:
            found = allowed(self.snapshot, unknown, self.filter)
            self._asked.update((node, node in found) for node in unknown)
        return np.fromiter((self._asked[node] for node in wanted), bool, len(wanted))

    def first(self, scored: Scored, limit: int) -> Scored:
        """The best ``limit`` visible nodes, best first: exact, and checks no more than necessary."""
        found = [scored[:0]]
        for chunk in scored.chunks(limit + _SPARE):
            seen = chunk[self.permitted(chunk.ids)][:limit]
            found.append(seen)
            limit -= len(seen)
            if not limit:
                break
        return joined(found)


def matching(visibility: VisibilityFilter, words: WordIndexes, terms: Sequence[str]) -> Scored:
    """Nodes of the user, and global ones, visible or not, with one of the terms; a higher bm25 is better."""
    if not terms:
        return Scored.of({})
    index = words.everything if visibility.filter.sees_turns else words.knowledge
    return index.matching(visibility.snapshot, terms, visibility.filter.scope.user_id)


def allowed(snapshot: Snapshot, ids: Iterable[int], filter_: Filter) -> set[int]:
    """The nodes that the filter lets through."""
    return {row[0] for row in snapshot.select(_SQL.allowed, filter_.condition(), ids=ids)}


def recent(snapshot: Snapshot, filter_: Filter, limit: int) -> list[int]:
    """The latest nodes by world time."""
    return [row[0] for row in snapshot.select(_SQL.recent, filter_.condition(), limit=limit)]


def has_knowledge(snapshot: Snapshot) -> bool:
    """Whether any user has anything but turns."""
    return snapshot.execute(_SQL.any_knowledge).fetchone() is not None


def of_entities(
    snapshot: Snapshot,
    entity_ids: Sequence[int],
    filter_: Filter,
    limit: int,
    roles: Sequence[str] = (*SPOKEN_OF, "speaker"),
) -> list[int]:
    """The latest nodes linked with some entities: those that mention them first, then their own turns."""
    condition = filter_.condition()
    links = "node_entities" if filter_.sees_turns else "entity_knowledge"
    sql = _SQL.of_entity.replace("{links}", links)
    found: dict[int, None] = {}
    those = snapshot.execute(_SQL.linked.replace("{links}", links), entities=entity_ids, roles=roles).fetchall()
    for entity, role in those:
        linked = snapshot.select(sql, condition, entity=entity, role=role, limit=limit)
        found.update((row[0], None) for row in linked)
    return list(found)[:limit]


def always(snapshot: Snapshot, filter_: Filter, limit: int) -> list[int]:
    """Standing instructions and pinned memories, the most important first."""
    sql = _SQL.always.replace("{wanted}", "n.id")
    return [row[0] for row in snapshot.select(sql, filter_.condition(), limit=limit)]


def everything(snapshot: Snapshot, filter_: Filter, most: int) -> list[int] | None:
    """All that the filter allows by the user's own word, the latest first; None for more than ``most``."""
    sql = _SQL.everything.replace("{wanted}", "n.id")
    rows = snapshot.select(sql, filter_.condition(), left_out=INSIGHT, limit=most + 1)
    found = [row[0] for row in rows]
    return found if len(found) <= most else None


def told(snapshot: Snapshot, filter_: Filter, most: int, longest: int) -> list[int]:
    """Turns of at most ``longest`` terms in the user's own words, outside projects, that say more than rules learnt
    from them, the latest first, that the filter allows; nothing if the user has more than ``most`` memories and turns.
    """
    if snapshot.execute(_SQL.many, user_id=filter_.scope.user_id, most=most).fetchone() is not None:
        return []
    rows, known = snapshot.select(_SQL.told, filter_.condition(), longest=longest), courtesies()
    more = [
        (id, {*said.split()} - known - {*(learnt or "").split()}, learnt)
        for id, said, learnt, content, asks in rows
        if not asks or _tells(content)
    ]
    return [id for id, terms, learnt in more if len(terms) > (0 if learnt is None else _REWORDED)]


@lru_cache(maxsize=1 << 9)  # a small memory is asked for the same turns with every prompt
def _tells(question: str) -> bool:
    """Whether a question says something beside what it asks: *what can replace tahini? sesame gives me hives*."""
    return len(terms("".join(each for each in _SENTENCES.split(question) if each[-1:] != "?"))) >= _FEWEST_TOLD


def weak(snapshot: Snapshot, filter_: Filter, window: int, limit: int) -> list[int]:
    """Knowledge that fades within a window of milliseconds, the first to fade first."""
    rows = snapshot.select(_SQL.weak, filter_.condition(), at=filter_.now, window=window, limit=limit)
    return [row[0] for row in rows]


def fading(snapshot: Snapshot, ids: Iterable[int], now: int, window: int) -> list[int]:
    """The nodes that fade within a window of milliseconds."""
    return [row[0] for row in snapshot.execute(_SQL.fading, ids=ids, at=now, window=window)]


def met(
    snapshot: Snapshot, entity_id: int, condition: Condition, but: Iterable[int] = ()
) -> tuple[int, int | None, int | None]:
    """How many memories, ``but`` some, mention an entity; their first and last time (milliseconds, or None)."""
    count, first, last = snapshot.select(_SQL.met, condition, id=entity_id, but=but).fetchone()
    return count, first, last


class TurnTerms(NamedTuple):
    """The analysed text of a turn: its terms in order. ``event_time`` in milliseconds."""

    event_time: int
    who: str
    terms: list[str]


def within(snapshot: Snapshot, after: int, before: int) -> Ids:
    """The memories from a period in milliseconds; none if there are very many."""
    rows = snapshot.plain(_SQL.in_time, after=after, before=before, most=_MOST_OF_PERIOD + 1)
    ids = np.fromiter(chain.from_iterable(rows), np.int64)
    return ids if len(ids) <= _MOST_OF_PERIOD else ids[:0]


def turn_terms(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, TurnTerms]:
    """The texts of those nodes that are turns."""
    rows = snapshot.plain(_SQL.said, ids=ids)
    return {node: TurnTerms(event_time, who, terms.split()) for node, event_time, who, terms in rows}


def saying(snapshot: Snapshot, ids: Iterable[int], some: Set[str]) -> Ids:
    """The nodes that are turns and contain one of ``some`` terms."""
    rows = snapshot.plain(_SQL.said, ids=ids)
    return np.array([node for node, _, _, terms in rows if not some.isdisjoint(terms.split())], np.int64)


def source_turns(snapshot: Snapshot, knowledge: Sequence[int], filter_: Filter) -> dict[int, list[str]]:
    """The keys, or ids, of the visible turns that each piece of knowledge rests on."""
    edges = graph.targets(snapshot, knowledge, "derived_from") if knowledge else []
    turns = nodes.by_ids(snapshot, allowed(snapshot, {there for _, there in edges}, filter_)) if edges else {}
    sources: dict[int, list[str]] = {}
    for here, there in ((here, there) for here, there in edges if there in turns):
        sources.setdefault(here, []).append(turns[there].key or turns[there].public_id)
    return sources


def build_filter(snapshot: Snapshot, scope: Scope, now: datetime, config: Config, wanted: FilterOptions) -> Filter:
    """The filter for a caller's wishes. Raises ``InvalidArgument``.

    ``as_of`` a moment means both axes: what was true then, of each memory in the version that was believed then; a
    memory that was learnt later counts in its present version. An ``AsOf`` sets the axes separately.
    """
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    _check(snapshot, scope, given, config)
    only = {name: given[name] for name in ("visibility", *_IMPORTANCE) if name in given}
    only |= {name: storable(given[name]) for name in _IDS if name in given}
    only |= {name: json.dumps(_several(given[name])) for name in _SEVERAL if name in given}
    only |= {name: moment(given[name], now, name) for name in _TIMES if name in given}
    for after, before in zip(_TIMES[::2], _TIMES[1::2], strict=True):
        if after in only and only[after] > only.get(before, only[after]):
            raise ArgumentsDisagree(argument=after, value=given[after], expected=f"it is later than `{before}`")
    if "pinned" in given:
        only["pinned"] = int(given["pinned"])
    if "subject" in given:
        only["subject"] = stemmed_name(given["subject"])
    if "entity" in given:  # an unknown name matches nothing
        only["entity"] = json.dumps(list(entities.bearing(snapshot, scope, given["entity"])))
    if "context" in given:
        only["context"] = json.dumps(entities.contexts_called(snapshot, scope, _several(given["context"])))
    as_of = given.get("as_of")
    world, believed_at = _axes(as_of)
    return Filter(
        scope=scope,
        now=to_ms(now, "now"),
        types=_types(given),
        only=only,
        world=world,
        believed_seq=None if believed_at is None else snapshot.number(_SQL.seq_at, at=believed_at),
        believed_at=believed_at,
        learnt_later=isinstance(as_of, datetime),
        history=given.get("history", False),
        state=given.get("state"),
        allowed=config.allowed(scope.agent_id),
    )


def _check(snapshot: Snapshot, scope: Scope, given: dict[str, Any], config: Config) -> None:
    """Raise ``InvalidArgument`` for values that match nothing, or contradict each other."""
    for name in _several(given.get("category", ())):
        known = (*config.categories, *_TYPES)
        if name not in known and not snapshot.execute(_SQL.has_category, name=name).fetchone():
            expected = f"it is one of {', '.join((*config.categories, _TURN))}"
            raise InvalidArgument(argument="category", value=name, expected=expected)
        config.check_category(scope.agent_id, name)
    for name in _IMPORTANCE:
        if not 1 <= given.get(name, 1) <= 5:
            raise InvalidArgument(argument=name, value=given[name], expected="give a whole number from 1 to 5")
    clashing = next((name for name in ("history", "as_of") if "state" in given and given.get(name)), None)
    if clashing:
        raise ArgumentsDisagree(argument="state", value=given["state"], expected=f"give it or `{clashing}`, not both")


def _types(given: dict[str, Any]) -> tuple[str, ...] | None:
    """The types that fit; None for all."""
    types = None if "types" not in given else tuple(given["types"])
    if not given.keys() & set(_OF_KNOWLEDGE) or _TURN in _several(given.get("category", ())):
        return types
    return tuple(each for each in types or _TYPES if each != _TURN)


def _several(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _axes(as_of: datetime | AsOf | None) -> tuple[int | None, int | None]:
    """The moments in world time and in memory time, in milliseconds."""
    axes = AsOf(as_of, as_of) if isinstance(as_of, datetime) else as_of or AsOf()
    world = None if axes.world is None else to_ms(axes.world, "as_of")
    return world, None if axes.believed is None else to_ms(axes.believed, "as_of")
