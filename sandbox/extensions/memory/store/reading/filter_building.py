"""Build the filter of a search, a list, a block or a change of many memories from a caller's wishes."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, get_args

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ArgumentsDisagree, CategoryNotAllowed, InvalidArgument
from sandbox.extensions.memory.filter_options import FilterOptions
from sandbox.extensions.memory.model import AsOf, CognitiveType, Scope
from sandbox.extensions.memory.store.entities import contexts, entities
from sandbox.extensions.memory.store.reading import search
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.timefilter import moment
from sandbox.extensions.memory.text.words import stemmed_name
from sandbox.extensions.memory.times import to_ms
from sandbox.support.characters import storable

_SQL = load("filter_building")


_MOST = 1_000_000_000  # the largest number that a caller can ask for
_TYPES = get_args(CognitiveType)
_TURN = "episodic"  # the category of turns, which have none
_SEVERAL = ("category", "tags", "role", "source", "trusted_as")
_IDS = ("agent_id", "actor_id", "session_id", "project_id")
_TIMES = ("after", "before", "created_after", "created_before", "updated_after", "updated_before")
_IMPORTANCE = ("importance_min", "importance_max")
_OF_KNOWLEDGE = ("category", "tags", "subject", "context")
"""Filters that no turn of a conversation fits."""


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
        only["context"] = json.dumps(contexts.called(snapshot, scope, _several(given["context"])))
    as_of = given.get("as_of")
    world, believed_at = _axes(as_of)
    return Filter(
        scope=scope,
        now=to_ms(now, "now"),
        types=_types(given),
        only=only,
        world=world,
        believed_seq=None if believed_at is None else search.seq_at(snapshot, believed_at),
        believed_at=believed_at,
        learnt_later=isinstance(as_of, datetime),
        history=given.get("history", False),
        state=given.get("state"),
        allowed=config.allowed(scope.agent_id),
    )


def check_category(config: Config, scope: Scope, category: str) -> None:
    """Raise ``CategoryNotAllowed`` if the agent of a scope may not use a category."""
    allowed = config.allowed(scope.agent_id)
    if allowed is not None and category not in allowed:
        raise CategoryNotAllowed(agent=scope.agent_id, category=category, allowed=", ".join(allowed) or "none")


def check_every_category(config: Config, scope: Scope) -> None:
    """Raise ``CategoryNotAllowed`` unless the agent of a scope may use turns and every category."""
    for category in (*config.categories, _TURN):
        check_category(config, scope, category)


def positive(argument: str, value: int) -> int:
    """The number, if it is at least 1; a very large one is cut."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidArgument(argument=argument, value=value, expected="give a whole number from 1")
    return min(value, _MOST)


def _check(snapshot: Snapshot, scope: Scope, given: dict[str, Any], config: Config) -> None:
    """Raise ``InvalidArgument`` for values that match nothing, or contradict each other."""
    for name in _several(given.get("category", ())):
        known = (*config.categories, *_TYPES)
        if name not in known and not snapshot.execute(_SQL.has_category, name=name).fetchone():
            expected = f"it is one of {', '.join((*config.categories, _TURN))}"
            raise InvalidArgument(argument="category", value=name, expected=expected)
        check_category(config, scope, name)
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
