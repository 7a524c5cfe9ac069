"""One claim: the content of a statement in a form that code can compare."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

Modality = Literal["fact", "wish", "plan", "habit", "opinion", "past"]

MODALITIES: tuple[Modality, ...] = get_args(Modality)

USER = ""
"""The subject that is the user, whatever they are called."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``subject`` stands in ``predicate`` to ``value``; not ``is_affirmed``: it does not. Names and values are kept as
    they were said, but for dates. ``time`` is when it holds or happens, as precisely as that was told, in ISO 8601:
    ``2026``, ``2026-03``, ``2026-03-02T18:20``; ``2026-03/..`` from then on, ``../2026-03`` until then.
    """

    subject: str
    predicate: str
    value: str
    is_affirmed: bool = True
    modality: Modality = "fact"
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """How somebody or something stands to another, as the memory ``id`` claims; ``since`` is from when on it holds. Of
    the two names that of the user is empty.
    """

    subject: str
    predicate: str
    value: str
    id: str
    since: datetime
    is_affirmed: bool = True
    modality: Modality = "fact"
