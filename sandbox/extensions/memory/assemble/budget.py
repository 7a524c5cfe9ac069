"""Choose the memories that fit: each section has a share, and unused tokens go to the next sections. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sandbox.extensions.memory.model import Section


class Offer(NamedTuple):
    """A memory that could be shown: its section, its cost in tokens, its score.

    ``heading`` is the heading above it; the first memory under a heading pays ``heading_cost``. It is a tuple because
    each question makes fifty of them.
    """

    id: int
    section: Section
    cost: int
    score: float
    heading: str = ""
    heading_cost: int = 0


@dataclass(slots=True)
class _Basket:
    chosen: set[int] = field(default_factory=set)
    headings: set[str] = field(default_factory=set)

    def take(self, offers: Iterable[Offer], allowance: int) -> int:
        """Choose the best offers that fit, and return the rest of the allowance."""
        for offer in offers:
            opens = bool(offer.heading) and offer.heading not in self.headings
            cost = offer.cost + (offer.heading_cost if opens else 0)
            if offer.id not in self.chosen and cost <= allowance:
                self.chosen.add(offer.id)
                self.headings.add(offer.heading)
                allowance -= cost
        return allowance


def choose(offers: Sequence[Offer], shares: Mapping[Section, float], budget: int) -> list[Offer]:
    """The offers to show, in the order given, for at most ``budget`` tokens.

    Sections without a share choose first, from at most half of the budget, so that many wishes do not displace the
    answer. Then each section takes its best offers within its share, and the best of all remaining offers take the
    rest. An offer that does not fit is skipped.
    """
    ranked = sorted(offers, key=lambda offer: -offer.score)
    basket = _Basket()
    first = max(0, budget) // 2
    left = max(0, budget) - first + basket.take((offer for offer in ranked if offer.section not in shares), first)
    unspent = left
    for section, share in shares.items():
        allowance = min(unspent, int(left * share))
        unspent -= allowance - basket.take((offer for offer in ranked if offer.section == section), allowance)
    unspent = basket.take((offer for offer in ranked if offer.section in shares), unspent)
    basket.take(ranked, unspent)
    return [offer for offer in offers if offer.id in basket.chosen]


def spent(chosen: Iterable[Offer]) -> int:
    """The cost of some offers together, each heading once."""
    headings, cost = set[str](), 0
    for offer in chosen:
        cost += offer.cost + (offer.heading_cost if offer.heading and offer.heading not in headings else 0)
        headings.add(offer.heading)
    return cost
