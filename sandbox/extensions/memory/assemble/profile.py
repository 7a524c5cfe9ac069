"""The profile of a user: choose the valid value of each field."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sandbox.extensions.memory.profile import ADDRESSING, FIELDS, SINGLE, Field, ProfileValue, UserProfile
from sandbox.extensions.memory.store import claims, nodes, search
from sandbox.extensions.memory.store.claims import Filled
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.words import fingerprint
from sandbox.support.times import from_ms

_MOST_SHOWN = 3  # values of one field in a block; explicit requests are shown as wishes


def profile(snapshot: Snapshot, filter_: Filter) -> UserProfile:
    """The profile of the filter's user, with the memory of each value."""
    chosen = _counting(claims.profile_filling(snapshot, FIELDS, filter_))
    stored = nodes.by_ids(snapshot, [each.id for values in chosen.values() for each in values])
    turns = search.source_turns(snapshot, list(stored), filter_)

    def every(field: Field) -> tuple[ProfileValue, ...]:
        return tuple(
            _value(each.value, stored[each.id], turns.get(each.id, ()), filter_.now) for each in chosen.get(field, ())
        )

    def one(field: Field) -> ProfileValue | None:
        return next(iter(every(field)), None)

    return UserProfile(
        one("preferred_name"), one("pronouns"), one("city"), one("language"), every("tone"), every("goals")
    )


def addressing(snapshot: Snapshot, filter_: Filter) -> list[int]:
    """The memories that say how to address the user, field by field, for every question."""
    chosen = _counting(claims.profile_filling(snapshot, ADDRESSING, filter_))
    return [each.id for field in ADDRESSING for each in chosen.get(field, ())[:_MOST_SHOWN]]


def _counting(found: Sequence[Filled]) -> Mapping[Field, Sequence[Filled]]:
    """By field: the valid value of a single-valued field, or every value once; the latest first. A value
    that a memory says itself comes before one that stands for it.
    """
    fields: defaultdict[Field, dict[bytes, Filled]] = defaultdict(dict)
    for each in sorted(found, key=_rank, reverse=True):
        if not (each.field in SINGLE and fields[each.field]):
            fields[each.field].setdefault(fingerprint(each.value), each)
    return {field: list(values.values()) for field, values in fields.items()}


def _rank(filled: Filled) -> tuple[bool, int, int]:
    return filled.is_explicit, filled.valid_from, filled.id


def _value(value: str, node: Node, rests_on: Sequence[str], now: int) -> ProfileValue:
    since = from_ms(node.valid_from)
    return ProfileValue(**node.public(ProfileValue, now), value=value, since=since, rests_on=tuple(rests_on))
