"""One claim: the content of a statement in a form that code can compare."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

Modality = Literal["fact", "wish", "plan", "habit", "opinion", "past"]

MODALITIES: tuple[Modality, ...] = get_args(Modality)

USER = ""
"""The subject of claims about the user, under any name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``subject`` has ``value`` for ``predicate``; if not ``is_affirmed``, it does not. Names and values keep their
    wording; dates are converted. ``time`` says when the claim holds or happens, as precisely as it was told, in ISO
    8601: ``2026``, ``2026-03``, ``2026-03-02T18:20``; ``2026-03/..`` from then on, ``../2026-03`` until then.
    """

    subject: str
    predicate: str
    value: str
    is_affirmed: bool = True
    modality: Modality = "fact"
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of two entities, as the memory ``id`` claims it; ``since`` is the time from which it holds. The user
    has an empty name.
    """

    subject: str
    predicate: str
    value: str
    id: str
    since: datetime
    is_affirmed: bool = True
    modality: Modality = "fact"
