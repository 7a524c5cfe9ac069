"""Find summaries of entities that a question names and, if it asks what happened, of conversations."""

from collections.abc import Sequence

from sandbox.extensions.memory.retrieve.query import ResolvedQuery
from sandbox.extensions.memory.store.entities import summaries
from sandbox.extensions.memory.store.entities.summaries import Shown
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_NAMED = 3
_LATEST = 3
_OF_A_TIME = 10


def for_query(snapshot: Snapshot, resolved: ResolvedQuery, filter_: Filter) -> Sequence[Shown]:
    """The visible and valid summaries for a question; none for a question about one detail, because a summary mostly
    says other things.
    """
    if filter_.is_particular:
        return []
    named = list(resolved.entities) if resolved.knows else []
    found = summaries.of_entities(snapshot, named, filter_, _NAMED) if named else []
    if not resolved.query.asks_what_happened:
        return found
    period = resolved.query.period
    if period is None:
        return [*found, *summaries.of_sessions(snapshot, filter_, None, _LATEST)]
    return [*found, *summaries.of_sessions(snapshot, filter_, (period.after, period.before), _OF_A_TIME)]
