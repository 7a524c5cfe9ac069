"""Decide which claims of the user fill which field of their profile. Pure.

A wrong value is worse than a missing one: a statement that is true only at times, under a condition or of another
person fills nothing.
"""

from collections.abc import Sequence

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.attributes import is_name
from sandbox.extensions.memory.lexicon import pattern, texts
from sandbox.extensions.memory.profile import SINGLE, Field, Filling
from sandbox.extensions.memory.text.places import nominative, size
from sandbox.extensions.memory.text.words import fold

_LONGEST = 120  # characters of a value; a longer one is a story


def fillings(content: str, claims: Sequence[Claim]) -> tuple[Filling, ...]:
    """The values that a statement with these claims gives to fields, each once."""
    found = filter(None, (_filling(claim, content) for claim in claims))
    return tuple({each.field: each for each in reversed(list(found))}.values())


def _filling(claim: Claim, content: str) -> Filling | None:
    """The value that a claim gives to a field: name and city by facts, goals and tone by wishes."""
    field: Field | None = predicate(claim.predicate).profile
    if claim.predicate == "instruction" and len(claim.value) <= _LONGEST:
        said = fold(claim.value)
        is_tone = pattern("profile", "tone").search(said) and not pattern("profile", "of_other_things").search(said)
        field = "tone" if is_tone else field
    if field is None or claim.subject != USER or not claim.is_affirmed:
        return None
    if claim.modality in ("past", "opinion") or (field in SINGLE and claim.modality != "fact"):
        return None
    value = _value(field, claim.value, fold(content))
    return Filling(field, value, is_explicit=claim.predicate != "name") if value else None


def _value(field: Field, value: str, text: str) -> str | None:
    """A value in the form that is stored; None if the field cannot have it."""
    if len(value) > _LONGEST or (field != "goals" and pattern("profile", "at_times").search(text)):
        return None
    if field == "city":
        return _city(value, text)
    if field == "language":
        return value if pattern("profile", "languages").search(fold(value).split()[-1]) else None
    if field == "pronouns":
        parts = [part.strip() for part in value.lower().removesuffix(" pronouns").split("/")]
        return "/".join(parts) if pattern("profile", "pronouns").fullmatch(parts[0]) else None
    return value


def _city(name: str, text: str) -> str | None:
    """A city under its listed name; None for a country, for a home that is only for a part of the year, and for what is
    no name or more than one.
    """
    name = name.partition(",")[0]  # without "of Portugal"
    if not is_name(name, is_alone=True):
        return None
    is_country = size(name) not in (None, "city") and name not in texts("profile", "city_states")
    return None if is_country or pattern("profile", "in_seasons").search(text) else nominative(name)
