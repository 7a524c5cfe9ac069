"""The rules of wording for a model's sentences that a night stores. Pure."""

from sandbox.extensions.memory.consolidate import constraints
from sandbox.extensions.memory.govern import secrets

LONGEST = 280
"""Characters of a summary or an insight."""


def clean(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def mended(text: str, said: str) -> str | None:
    """The acceptable part of a text that was made of what was ``said``, cut if necessary; None if there is none."""
    if secrets.find(text) or constraints.is_other_language(text, said, said):
        return None
    faults = constraints.faults_of(clean(text), (), said, longest=LONGEST, is_procedure=False)
    return constraints.mended(clean(text), faults, LONGEST)
