"""How long an unused memory is believed: its claims decide, or else its category. Pure."""

import math
from collections.abc import Mapping, Sequence

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import Claim, Lasts, predicate, predicates
from sandbox.extensions.memory.claims.compare import typed
from sandbox.extensions.memory.claims.moments import ends, first_moment
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import fades_at
from sandbox.extensions.memory.store.rows import INFERRED, ON_PURPOSE, Draft, Node
from sandbox.extensions.memory.times import to_ms

_FACTORS: Mapping[Lasts, float] = {  # times the default rate; an unused memory with full confidence then fades
    "always": 0.0,
    "years": 0.1,  # after three years
    "months": 0.4,  # after seven months
    "weeks": 1.0,  # after ten weeks
    "days": 4.0,  # after two weeks
    "date": 2.0,  # four weeks after its date
}
_PASSING: tuple[Lasts, ...] = ("days", "date")  # these pass by themselves, even if they were told on purpose


def lasting(draft: Draft, now: int, config: Config) -> Draft:
    """A draft with the speed and the start of its decay; of several claims, the longest-lasting one decides.

    A statement that the user told on purpose does not fade, except a mood, and a plan after its date. A guess, or the
    word of somebody else, fades at the default rate or faster.
    """
    lives = []
    for lasts, begins in _terms(draft, draft.claims, now, config):
        rate = _rate(draft, lasts, config)
        faded = fades_at(draft.confidence, rate, begins)
        lives.append((math.inf if faded is None else faded, -rate, begins, faded))
    _, slowness, begins, faded = max(lives)
    return draft._replace(decay_rate=-slowness, anchored_at=begins, fades_at=faded)


def passes(node: Node, claims: Sequence[Claim], now: int, config: Config) -> bool:
    """Whether a memory passes by itself, even if the user confirms it: a mood, or a plan after its date."""
    return node.decay_rate > 0 and all(lasts in _PASSING for lasts, _ in _terms(node, claims, now, config))


def coming(claims: Sequence[Claim], said: int) -> tuple[str, int] | None:
    """The last day, month or year of a plan that lay ahead when it was ``said``, and the moment when that begins, in
    milliseconds; None if the claims tell of something else too.
    """
    days = {_day(each) if _passes(each) else "" for each in typed(claims) if each.modality != "past"}
    begin = {day: first for day in days if (first := first_moment(day))}
    last = max(begin, default="") if len(begin) == len(days) else ""
    return (last, at) if last and (at := to_ms(begin[last])) > said else None


def _rate(draft: Draft, lasts: Lasts, config: Config) -> float:
    rate = config.decay_rate_default * _FACTORS[lasts]
    if draft.source == INFERRED or not is_users_word(draft.trust):
        return max(rate, config.decay_rate_default)
    return 0.0 if draft.source in ON_PURPOSE and lasts not in _PASSING else rate


def _terms(memory: Draft | Node, claims: Sequence[Claim], now: int, config: Config) -> list[tuple[Lasts, int]]:
    """For each claim of a memory, how long it lasts, and from when it fades."""
    if kept := typed(claims):
        return [_of_claim(claim, memory.event_time, now) for claim in kept]
    if memory.type == "opinion" and memory.category != "preference":  # an opinion about something, not a taste
        return [("weeks", now)]
    lasts = config.category_lasts.get(memory.category or "", "weeks")
    if lasts != "date":
        return [(lasts, now)]
    return [("date", memory.event_time) if memory.event_time > now else ("years", now)]  # in the future, or past


def _of_claim(claim: Claim, event_time: int, now: int) -> tuple[Lasts, int]:
    known = predicate(claim.predicate)
    if claim.modality == "opinion" and known.name not in predicates():
        return "weeks", now
    if not _passes(claim):
        return known.lasts, now
    if claim.modality == "past":
        return "years", now
    over = ends(f"../{_day(claim)}")
    if over is None and event_time <= now:
        return "months", now
    begins = max(now, event_time if over is None else to_ms(over))
    return "years" if known.is_state else "date", begins  # a planned home is believed until the next one


def _passes(claim: Claim) -> bool:
    """Whether it says what is over after its day."""
    known = predicate(claim.predicate)
    return known.lasts == "date" or (claim.modality == "plan" and known.lasts != "always")


def _day(claim: Claim) -> str:
    """The last day, month or year that it names, though an hour was told; empty if none."""
    told = claim.time or (claim.value if predicate(claim.predicate).value == "date" else "")
    return told.rpartition("/")[2][:10]
