"""The profile of a user: how to address them, and their goals, field by field.

A field is not stored by itself. A memory about a field *fills* it while that memory is believed and true, with the
memory's confidence.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from sandbox.support.trust import Trust

Field = Literal["preferred_name", "pronouns", "city", "language", "tone", "goals"]

FIELDS: tuple[Field, ...] = get_args(Field)
SINGLE: frozenset[Field] = frozenset({"preferred_name", "pronouns", "city", "language"})
"""Fields with one value at a time. Tone and goals can have several."""
ADDRESSING: tuple[Field, ...] = ("preferred_name", "pronouns", "language", "tone")
"""Fields that matter for every answer."""


class Filling(NamedTuple):
    """What one memory says about a field. ``is_explicit`` is false if the memory says something else that can stand for
    the field, as a full name does for the preferred name: it fills the field until a memory says the field itself, and
    neither replaces the other.
    """

    field: Field
    value: str
    is_explicit: bool = True


@dataclass(slots=True)
class ProfileValue:
    """A value of a field, and its memory: ``id`` and ``content``, the confidence now, the time since when it holds, its
    ``source`` and ``session``, and the keys (or ids) of the turns it ``rests_on``.
    """

    value: str
    id: str
    content: str
    confidence: float
    since: datetime
    source: str
    trust: Trust
    rests_on: tuple[str, ...] = ()
    session: str | None = None


@dataclass(slots=True)
class UserProfile:
    """The profile that is believed now. An unknown field is None or empty. The latest ``tone`` and goal come first."""

    preferred_name: ProfileValue | None = None
    pronouns: ProfileValue | None = None
    city: ProfileValue | None = None
    language: ProfileValue | None = None
    tone: tuple[ProfileValue, ...] = ()
    goals: tuple[ProfileValue, ...] = ()
