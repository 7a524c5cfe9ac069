"""The profile of a user: how to address them and what they aim at, field by field.

A field has no store of its own. A memory about a field *fills* it for as long as that memory is believed and true, with
the memory's confidence.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sandbox.support.trust import Trust

Field = Literal["preferred_name", "pronouns", "city", "language", "tone", "goals"]

FIELDS: tuple[Field, ...] = get_args(Field)
SINGLE: frozenset[Field] = frozenset({"preferred_name", "pronouns", "city", "language"})
"""Fields with one value at a time; what somebody aims at, and how they like to be talked to, can be several things."""
ADDRESSING: tuple[Field, ...] = ("preferred_name", "pronouns", "language", "tone")
"""Fields that matter to every answer, whatever the question is."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What one memory says of a field. ``is_told`` is false where it tells something else that may stand for it, as a
    name does for how to be called: it fills the field until that is told, and neither replaces the other.
    """

    field: Field
    value: str
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """A value of a field, and the memory it is from: its ``id`` and ``content``, how sure that is by now, since when it
    holds, how it came (``source``), from which ``session``, and the keys (or ids) of the turns it ``rests_on``.
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


@dataclass(frozen=True, slots=True)
class UserProfile:
    """What is believed of a user now; None, or nothing, where it is not known. The latest ``tone`` and goal first."""

    preferred_name: ProfileValue | None = None
    pronouns: ProfileValue | None = None
    city: ProfileValue | None = None
    language: ProfileValue | None = None
    tone: tuple[ProfileValue, ...] = ()
    goals: tuple[ProfileValue, ...] = ()
