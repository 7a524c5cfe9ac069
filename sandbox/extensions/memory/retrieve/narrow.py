"""From what a caller asks to leave out to the filter of a search."""

from collections.abc import Sequence
from datetime import datetime
from typing import get_args

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.model import AsOf, CognitiveType, Scope, Visibility
from sandbox.extensions.memory.store import entities, search
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.text.timefilter import moment
from sandbox.extensions.memory.times import to_ms

_TYPES = get_args(CognitiveType)
_MOST = 1_000_000_000  # of anything that is asked for


def narrow(
    snapshot: Snapshot,
    scope: Scope,
    now: datetime,
    *,
    types: Sequence[str] | None = None,
    category: str | None = None,
    visibility: Visibility | None = None,
    entity: str | None = None,
    after: datetime | str | None = None,
    before: datetime | str | None = None,
    as_of: datetime | AsOf | None = None,
    history: bool = False,
) -> Filter:
    """The filter for the arguments of ``Memory.search``. Raises ``InvalidArgument``.

    ``as_of`` a moment means both axes: what was true then, of each memory the version believed then; what was learnt
    only later counts as it is believed now. An ``AsOf`` asks the axes one by one.
    """
    world, believed = _axes(snapshot, as_of)
    return Filter(
        scope=scope,
        now=to_ms(now, "now"),
        types=checked_types(types),
        category=category,
        visibility=visibility,
        entity_ids=None if entity is None else _entity_ids(snapshot, scope, entity),
        after=moment(after, now, "after"),
        before=moment(before, now, "before"),
        world=world,
        believed_seq=believed,
        learnt_later=isinstance(as_of, datetime),
        history=history,
    )


def positive(argument: str, value: int) -> int:
    """The number, where it is one from 1; more than could ever be meant is cut."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidArgument(argument=argument, value=value, expected="give a whole number from 1")
    return min(value, _MOST)


def checked_types(types: Sequence[str] | None) -> tuple[str, ...] | None:
    """Known cognitive types, or None for all."""
    if types is None:
        return None
    wanted = (types,) if isinstance(types, str) else tuple(types)
    for name in wanted:
        if name not in _TYPES:
            raise InvalidArgument(argument="types", value=name, expected=f"it is one of {', '.join(_TYPES)}")
    return wanted


def _entity_ids(snapshot: Snapshot, scope: Scope, name: str) -> tuple[int, ...]:
    """Every entity of that name; an unknown name narrows to nothing."""
    return tuple(entities.bearing(snapshot, scope, name))


def _axes(snapshot: Snapshot, as_of: datetime | AsOf | None) -> tuple[int | None, int | None]:
    """The moment in world time, and the sequence number in memory time."""
    if as_of is not None and not isinstance(as_of, datetime | AsOf):
        raise InvalidArgument(argument="as_of", value=as_of, expected="give a datetime with a time zone, or an AsOf")
    axes = AsOf(as_of, as_of) if isinstance(as_of, datetime) else as_of or AsOf()
    world = None if axes.world is None else to_ms(axes.world, "as_of")
    believed = None if axes.believed is None else search.seq_at(snapshot, to_ms(axes.believed, "as_of"))
    return world, believed
