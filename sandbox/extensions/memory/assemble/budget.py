"""Which memories fit: shares for each section, and what a section leaves flows on. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.model import Section


@dataclass(frozen=True, slots=True)
class Offer:
    """A whole memory that could be shown: its section, its cost in tokens and how much it is wanted."""

    id: int
    section: Section
    cost: int
    score: float


def choose(offers: Sequence[Offer], shares: Mapping[Section, float], budget: int) -> list[Offer]:
    """The offers to show, in the order given, costing ``budget`` at most.

    Each section first takes its best within its share; what is left goes to the best of the rest, whatever their
    section. An offer that does not fit is passed over for one that does. A section without a share takes before all
    others from the whole.
    """
    ranked = sorted(offers, key=lambda offer: -offer.score)
    chosen: dict[int, Offer] = {}
    unlimited = [offer for offer in ranked if offer.section not in shares]
    left = _take(unlimited, budget, chosen)
    spent_within_shares = 0
    for section, share in shares.items():
        allowance = int(left * share)
        rest = _take([offer for offer in ranked if offer.section == section], allowance, chosen)
        spent_within_shares += allowance - rest
    _take(ranked, left - spent_within_shares, chosen)
    return [offer for offer in offers if offer.id in chosen]


def _take(offers: Sequence[Offer], allowance: int, chosen: dict[int, Offer]) -> int:
    """Choose what fits, best first; what is left of the allowance."""
    for offer in offers:
        if offer.id not in chosen and offer.cost <= allowance:
            chosen[offer.id] = offer
            allowance -= offer.cost
    return allowance
