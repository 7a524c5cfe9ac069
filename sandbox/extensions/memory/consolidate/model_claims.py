"""Check a model's claims about a statement: keep those that the statement supports. Pure."""

import re
from collections.abc import Collection, Sequence
from typing import get_args

from sandbox.extensions.memory.claims import USER, Claim, Modality, predicate, predicates
from sandbox.extensions.memory.consolidate.support import nobody
from sandbox.extensions.memory.lexicon import texts
from sandbox.extensions.memory.text.words import fold, is_denied, name_key, terms

_MODALITIES: tuple[Modality, ...] = get_args(Modality)
_MOST = 3  # claims of one statement
_PREDICATE = re.compile(r"(not )?([a-z][a-z_]{1,30})")
_TIME = re.compile(r"(?:\.\./)?\d{4}(?:-\d\d){0,2}(?:T\d\d:\d\d)?(?:/\.\.)?")
_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}|--\d\d-\d\d")


def claims_of(rows: Sequence[Sequence[str]], content: str, users: Collection[str | None]) -> tuple[Claim, ...]:
    """The claims of a statement: subject, predicate, value, and perhaps modality and time. ``users`` are the names of
    the user. What a plan in the same statement will replace is none: *is moving from Leeds to York*.
    """
    own = {name_key(name) for name in users if name}
    found = [claim for row in rows if (claim := _claim(content, own, *map(str.strip, row)))]
    planned = {
        (each.subject, each.predicate)
        for each in found
        if each.modality == "plan" and not predicate(each.predicate).many
    }
    kept = [each for each in found if each.modality == "plan" or (each.subject, each.predicate) not in planned]
    return tuple(dict.fromkeys(kept))[:_MOST]


def offered_predicates() -> list[str]:
    """The predicates that a model may use: those that decide what a claim changes, when it is over or who may know it.
    Of two with the same meaning from opposite ends it is one. Frames read the others in the words of a statement.
    """
    offered: list[str] = []
    for name, known in predicates().items():
        decides = not known.many or known.core or known.private or known.opposite or known.lasts == "date"
        if decides and known.lasts != "days" and (known.inverse == name or known.inverse not in offered):
            offered.append(name)
    return offered


def planned(claims: Sequence[Claim], told: str | None, said: str) -> str | None:
    """The date of a plan: that of its claim, or else the one ``told`` with it, if nothing in the statement lasts. The
    day on which it was ``said``, or an earlier one, is when the plan was made.
    """
    told = None if any(map(_lasts, claims)) else told
    plans = [claim.time or told for claim in claims if claim.modality == "plan" and not _lasts(claim)]
    days = (time[:10] for time in plans if time and "/" not in time)
    return max((day for day in days if len(day) < len(said) or day > said), default=None)


def begins(claims: Sequence[Claim], day: str | None) -> bool:
    """Whether a day is the first of something planned that lasts: a move, a new job."""
    return any(claim.modality == "plan" and _lasts(claim) and claim.time == day for claim in claims)


def _claim(
    content: str, own: Collection[str], subject: str, relation: str, value: str, modality: str = "", time: str = ""
) -> Claim | None:
    named = _PREDICATE.fullmatch(relation)
    is_user = (
        set(terms(subject)) <= nobody() - set(terms(" ".join(texts("function_words", "assistant"))))
        or name_key(subject) in own
    )
    if named is None or not value or not (is_user or _says(content, subject)):
        return None
    known, is_affirmed = predicate(named[2]), named[1] is None
    is_value = _DATE.fullmatch(value) if known.value == "date" else _says(content, value)
    if not is_value or (is_affirmed and not known.many and is_denied(content)):
        return None
    taken: Modality = next((each for each in _MODALITIES if each == modality), "fact")
    when = time if _TIME.fullmatch(time) else None
    return Claim(USER if is_user else subject, known.name, value, is_affirmed, taken, when)


def _lasts(claim: Claim) -> bool:
    known = predicates().get(claim.predicate)
    return known is not None and known.lasts in ("years", "always") and known.category != "event"


def _says(content: str, part: str) -> bool:
    wanted = set(terms(part))
    return wanted <= set(terms(content)) if wanted else fold(part) in fold(content)
