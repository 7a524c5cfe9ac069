"""The result of a check of one part of the program."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a diagnosis. ``advice`` says what to do if ``ok`` is false. ``detail`` and ``advice`` are English;
    ``finding`` and ``values`` say the same to a program, which words it in another language.
    """

    name: str
    ok: bool
    detail: str
    advice: str | None = None
    finding: str | None = None
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem: its time and place (``where``), without text of conversations. ``finding`` and ``values`` say the same
    as ``problem`` to a program.
    """

    at: datetime
    where: str
    problem: str
    finding: str
    values: Mapping[str, str]
