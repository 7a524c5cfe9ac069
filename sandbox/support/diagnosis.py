"""The result of a check of one part of the program."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a diagnosis. ``advice`` says what to do if ``ok`` is false."""

    name: str
    ok: bool
    detail: str
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem: its time and place (``where``), without text of conversations."""

    at: datetime
    where: str
    problem: str
