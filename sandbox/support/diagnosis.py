"""The result of a check of one part of the program."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a diagnosis. ``advice`` says what to do where ``ok`` is false."""

    name: str
    ok: bool
    detail: str
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """What stood in the way of something ``where``, and when; never what anybody said."""

    at: datetime
    where: str
    problem: str
