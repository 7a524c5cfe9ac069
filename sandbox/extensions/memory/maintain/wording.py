"""The rules of wording for a model's sentences that a night stores. Pure."""

from sandbox.extensions.memory.consolidate import constraints
from sandbox.extensions.memory.consolidate.constraints import Fault
from sandbox.extensions.memory.govern import secrets

LONGEST = 280
"""Characters of a summary or an insight."""

_SECRET = Fault("secret", "it holds a secret; leave that out")


def clean(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def faults(text: str, said: str) -> list[Fault]:
    """The faults of a text that was made of what was ``said``."""
    found = constraints.faults_of(clean(text), (), said, longest=LONGEST, is_procedure=False)
    if constraints.is_other_language(text, said, said):
        found.append(Fault("wrong language", "write it in the language of the material"))
    return [*found, _SECRET] if secrets.find(text) else found


def advice(what: str, text: str, said: str) -> list[str]:
    """The same as advice for a model; ``what`` names the text."""
    return [f"{what}: {fault.advice}." for fault in faults(text, said)]


def mended(text: str, said: str) -> str | None:
    """The acceptable part of a text, cut if necessary; None if there is none."""
    return constraints.mended(clean(text), faults(text, said), LONGEST)
