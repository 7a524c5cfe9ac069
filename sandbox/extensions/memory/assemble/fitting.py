"""Fit candidates into a budget of tokens, in which every section has a share, and render the block."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from sandbox.extensions.memory.assemble import excerpts, gather, render
from sandbox.extensions.memory.assemble.gather import Candidate, Material
from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.model import Block, BlockItem, Section
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.store.rows import Node
from sandbox.support.times import from_ms

SHARES: Mapping[Section, float] = {  # of the budget; unused shares go to other sections
    "core": 0.25,  # who the user is, health, family, work and a project's setup, for every question
    "facts": 0.5,
    "profiles": 0.15,
    "temporal": 0.20,
    "evidence": 0.05,
}
UNASKED = 0.35  # the most for what the question did not ask for, if not all of it fits (adr/0043)
LONGEST_TURN = 0.4  # of the room for turns; a longer turn is shown in excerpts (adr/0035)
_COSTS_KEPT = 200_000  # about 20 MB
_MOST_RELATED = 2  # in a block (adr/0029)
_SHORT_LINE = 15  # tokens of the shortest fact with its id and day
_LINE_BREAK = 2  # tokens that a line costs inside a text, beside its own
_DENSER = 1.25  # an excerpt of more than its share times this is cut again
_MOST_CUTS = 3


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


Beside = Callable[[Sequence[Candidate]], Material]
"""Memories that are related to those in the block."""

Questions = Callable[[Sequence[Candidate]], Sequence[Candidate]]
"""The questions before short answers in the block."""


class Assembled(NamedTuple):
    """A block and the nodes that it uses, for counting recalls."""

    block: Block
    node_ids: tuple[int, ...]


class Fitter:
    """Makes blocks of candidates."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._costs: dict[int, int] = {}  # tokens of lines by node; the text of a node never changes

    def block(
        self,
        material: Material,
        budget: int,
        longest: int,
        weights: Mapping[str, float],
        now: int,
        questions: Questions | None = None,
        beside: Beside | None = None,
        seen: Mapping[str, int] = MappingProxyType({}),
        share: float = UNASKED,
    ) -> Assembled | None:
        """Choose candidates by their costs, add the questions before short answers and what else is known, cut turns of
        more than ``longest`` tokens to excerpts, and render all but those that were ``seen``. While the text is longer
        than the budget, remove the candidate with the lowest score. None if nothing fits or is left.
        """
        costs = self.line_costs([each.node for each in material.candidates])
        fitting = self._fitting(material, costs, budget, longest)
        if questions is not None:
            fitting = self._with_more(fitting, questions(fitting), budget, longest)
            fitting = self._with_unasked(material, fitting, budget, longest, share)
            costs = self.line_costs([each.node for each in fitting])
        fresh = [each for each in fitting if gather.is_new(each.node, seen)]
        chosen = [self._shortened(each, weights, costs[each.node.id], longest) for each in fresh]
        while chosen:
            text, tokens = self._rendered(chosen, material.outdated, now)
            if tokens <= budget:
                shown, has_room = replace(material, candidates=tuple(chosen)), budget - tokens >= _SHORT_LINE
                more = beside(chosen).without(seen) if beside and has_room else None
                longer = self._with_related(shown, more, budget, tokens, now) if more else None
                return longer or self._assembled(shown, text, tokens, now)
            chosen.remove(min(chosen, key=lambda each: each.score))
        return None

    def needed(self, material: Material) -> int | None:
        """The smallest budget that a candidate fits, a long turn as an excerpt; None if no budget gives a block."""
        frame, costs = self._fixed[0], self.line_costs([each.node for each in material.candidates])
        # of twice the frame, an excerpt has 0.4, or a half if it is denser than the turn
        return min((frame + spent([each]) for each in self._offers(material.candidates, costs, frame)), default=None)

    def _fitting(self, material: Material, costs: Mapping[int, int], budget: int, longest: int) -> list[Candidate]:
        """The candidates that fit, without facts that were learnt only from turns that the block shows whole."""
        offers, left = self._offers(material.candidates, costs, longest), budget - self._fixed[0]
        chosen = choose(offers, SHARES, left)
        repeated = gather.repeated(material, {offer.id for offer in chosen if costs[offer.id] <= longest})
        if repeated:  # choose again, because a repeated fact may have displaced a better one
            chosen = choose([offer for offer in offers if offer.id not in repeated], SHARES, left)
        kept = {offer.id for offer in chosen}
        return [each for each in material.candidates if each.node.id in kept]

    def _with_more(
        self, fitting: list[Candidate], more: Sequence[Candidate], budget: int, longest: int
    ) -> list[Candidate]:
        """The chosen candidates, and more of them in the remaining room."""
        if not more:
            return fitting
        costs = self.line_costs([each.node for each in (*fitting, *more)])
        left = budget - self._fixed[0] - spent(self._offers(fitting, costs, longest))
        chosen = {offer.id for offer in choose(self._offers(more, costs, longest), SHARES, left)}
        return [*fitting, *(each for each in more if each.node.id in chosen)]

    def _with_unasked(
        self, material: Material, fitting: list[Candidate], budget: int, longest: int, share: float
    ) -> list[Candidate]:
        """The chosen candidates, and everything else that is known if all of it fits, or else the best of it that cost
        at most a ``share`` of the budget.
        """
        if material.rest is not None:
            everything = gather.unsaid(material, fitting, (*material.unasked, *material.rest))
            together = self._with_more(fitting, everything, budget, longest)
            if len(together) == len(fitting) + len(everything):
                return together
        nearest = gather.unsaid(material, fitting, material.unasked)
        costs = self.line_costs([each.node for each in nearest])
        spent = accumulate(costs[each.node.id] for each in nearest)
        return self._with_more(fitting, nearest[: sum(each <= share * budget for each in spent)], budget, longest)

    def _with_related(self, shown: Material, found: Material, budget: int, tokens: int, now: int) -> Assembled | None:
        """The block with a few related memories in the remaining room; None if none fits."""
        costs = self.line_costs([each.node for each in found.candidates])
        left, more = budget - tokens - self._fixed[2] - _LINE_BREAK, list[Candidate]()
        for each in found.candidates:
            if costs[each.node.id] <= left and len(more) < _MOST_RELATED:
                left -= costs[each.node.id]
                more.append(each)
        if not more:
            return None
        together = Material((*shown.candidates, *more), {**shown.sources, **found.sources}, shown.confidence)
        text, tokens = self._rendered(together.candidates, shown.outdated, now)
        return self._assembled(together, text, tokens, now) if tokens <= budget else None

    def _assembled(self, shown: Material, text: str, tokens: int, now: int) -> Assembled:
        """The block. Being in it does not reinforce a memory that will soon fade, or a plan whose day is over."""
        best = sorted(shown.candidates, key=lambda each: -each.score)
        block = Block(tuple(item(each, shown.sources) for each in best), tokens, shown.confidence, text)
        nodes = [each.node for each in shown.candidates if each.node.id > 0]
        used = (node.id for node in nodes if not (node.is_fading(now, FADING) or node.is_over(now)))
        return Assembled(block, tuple(used))

    def _rendered(self, chosen: Sequence[Candidate], outdated: Set[int], now: int) -> tuple[str, int]:
        """The text and its tokens."""
        fading = {each.node.id for each in chosen if each.node.is_fading(now, FADING)}
        over = {each.node.id for each in chosen if each.node.id > 0 and each.node.is_over(now)}
        text = render.render([(each.section, each.node) for each in chosen], fading, over, outdated)
        return text, self._counter.count_tokens([text])[0]

    def _shortened(self, chosen: Candidate, weights: Mapping[str, float], tokens: int, longest: int) -> Candidate:
        """An excerpt of a turn of more than ``longest`` tokens, cut again if its passages have more tokens."""
        if chosen.node.type != "episodic" or tokens <= longest:
            return chosen
        node, length = chosen.node, len(chosen.node.content)
        passages = excerpts.Passages(node.content, weights)
        for _ in range(_MOST_CUTS):
            length = length * longest // tokens
            node = node._replace(content=passages.within(length))
            tokens = self._counter.count_tokens([render.line(node)])[0] + _LINE_BREAK
            if tokens <= longest * _DENSER:
                break
        return chosen._replace(node=node, whole=False)

    @cached_property
    def _fixed(self) -> list[int]:
        """Tokens of the frame, of a day heading and of the heading for related memories."""
        return self._counter.count_tokens([render.FRAME, render.DAY_HEADING, render.RELATED_HEADING])

    def _offers(self, candidates: Sequence[Candidate], costs: Mapping[int, int], longest: int) -> list[Offer]:
        """The offer for each candidate; a turn costs at most ``longest`` tokens."""
        day = self._fixed[1]
        return [
            Offer(
                each.node.id,
                each.section,
                min(costs[each.node.id], longest) if each.node.type == "episodic" else costs[each.node.id],
                each.score,
                render.heading(each.node),
                day,
            )
            for each in candidates
        ]

    def line_costs(self, nodes: Sequence[Node]) -> Mapping[int, int]:
        """The cost of each node's line inside a text."""
        if len(self._costs) > _COSTS_KEPT:
            self._costs = {}  # replaced, not cleared: another reader's thread may use the old one
        costs = self._costs
        fresh = [node for node in nodes if node.id not in costs]
        counts = self._counter.count_tokens([render.line(node) for node in fresh])
        costs.update((node.id, count + _LINE_BREAK) for node, count in zip(fresh, counts, strict=True))
        return costs


def item(candidate: Candidate, sources: Mapping[int, Sequence[str]]) -> BlockItem:
    """A candidate as an item of the block."""
    node: Node = candidate.node
    return BlockItem(
        id=node.public_id,
        key=node.key,
        content=node.content,
        type=node.type,
        section=candidate.section,
        score=candidate.score,
        event_time=from_ms(node.event_time),
        speaker=node.speaker,
        session=node.session_id,
        sources=tuple(sources.get(node.id, ())),
        trust=node.trust,
        whole=candidate.whole,
        told=node.told,
        version=node.version,
    )
