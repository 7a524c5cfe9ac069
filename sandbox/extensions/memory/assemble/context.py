"""Choose a few relevant memories for a prompt within a budget of tokens: the context block."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate

from sandbox.extensions.memory.assemble import confidence, cutoff, excerpts, gather, render, variety
from sandbox.extensions.memory.assemble.budget import Offer, choose, spent
from sandbox.extensions.memory.assemble.gather import MOST_KNOWN, Candidate, Material
from sandbox.extensions.memory.assemble.trace import Trace
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.model import Block, BlockItem, Section
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery
from sandbox.extensions.memory.retrieve.recall import Recall, Recollection
from sandbox.extensions.memory.store.indexes.turns import TurnView
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.times import from_ms

_BUDGET_SIMPLE, _BUDGET_COMPLEX = 1000, 3000  # tokens; the default by the complexity of the question
_SHARES: Mapping[Section, float] = {  # of the budget; unused shares go to other sections
    "core": 0.25,  # who the user is, health, family, work and a project's setup, for every question
    "facts": 0.35,  # if all known facts fit, they are shown for every question (adr/0043)
    "profiles": 0.15,
    "temporal": 0.20,
    "evidence": 0.05,
}
_RELEVANT = 0.7  # of the best score; a learnt memory needs that much to be in a block (adr/0036)
_TURN_RELEVANT = 0.52  # the same for a turn, after the first 500 tokens; less if the budget is large
_SIMILAR = 0.35  # cosine; a memory that only the vectors found is relevant from here
_ACCOMPANYING = 0.15  # cosine; knowledge is relevant from here if a relevant memory that is not learnt is there
_LONGEST_TURN = 0.4  # of the budget; a longer turn is shown in excerpts (adr/0035)

_TOKENS_PER_TURN = 38  # the average is 35: bounds how many candidates a budget can hold; flat from 25 to 40
_MOST_CANDIDATES = 200
_FEWEST_CANDIDATES = 40  # otherwise a few wordings of one fact could be the only candidates
_NO_EVIDENCE = {"vector", "rerank"}  # legs that rank any memory for any question
_COSTS_KEPT = 200_000  # about 20 MB
_MOST_RELATED = 2  # in a block (adr/0029)
_SHORT_LINE = 15  # tokens of the shortest fact with its id and day
_LINE_BREAK = 2  # tokens that a line costs inside a text, beside its own
_DENSER = 1.25  # an excerpt of more than its share times this is cut again
_MOST_CUTS = 3

Beside = Callable[[Sequence[Candidate]], Material]
"""Memories that are related to those in the block."""

Questions = Callable[[Sequence[Candidate]], Sequence[Candidate]]
"""The questions before short answers in the block."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A block and the nodes that it uses, for counting recalls."""

    block: Block
    node_ids: tuple[int, ...]


class Assembler:
    """Builds blocks over one store."""

    def __init__(self, store: Store, recall: Recall, counter: TokenCounter, config: Config) -> None:
        self._store = store
        self._recall = recall
        self._counter = counter
        self._config = config
        # tokens of the frame, of a day heading and of the heading for related memories
        self._fixed: list[int] | None = None
        self._costs: dict[int, int] = {}  # tokens of lines by node; the text of a node never changes

    async def assemble(
        self,
        prompt: str,
        filter_: Filter,
        budget: int | None,
        now: datetime | None = None,
        trace: Trace | None = None,
    ) -> Assembled | None:
        """The block for a prompt at ``now``, in the configured mode; None if there is nothing to show."""
        mode = self._config.context_mode
        if mode == "off":
            return None
        if mode == "recent_only":
            return await self._recent(prompt, filter_, budget or self._budget(is_complex=False))
        return await self._relevant(prompt, filter_, budget, now, trace)

    async def _relevant(
        self, prompt: str, filter_: Filter, budget: int | None, now: datetime | None, trace: Trace | None
    ) -> Assembled | None:
        query = await self._recall.understand(prompt, now)
        tokens = budget or self._budget(query.is_complex)
        most, reranked, why, noted = _candidates(tokens), None, trace is not None, trace or Trace()
        if self._recall.reranks:
            ready = await self._recall.recall(query, filter_, most, knowledge_limit=MOST_KNOWN, explained=why)
            reranked = await self._recall.reranked(query, ready)

        def assemble(snapshot: Snapshot) -> Generator[None, None, Assembled | None]:
            resolved, found = self._recall.resolve(snapshot, query, filter_.scope), reranked
            if found is None:
                found = yield from self._recall.search(
                    snapshot, resolved, filter_, most, knowledge_limit=MOST_KNOWN, explained=why
                )
            yield
            wanted, relevant = self._wanted(snapshot, resolved), self._relevant_of(found, query)
            sure, varied = self._judged(snapshot, wanted, resolved, relevant)
            turns = self._store.turns.seen_by(snapshot)
            shown = self._cut_off(cutoff.lift_neighbours(varied, turns), turns, tokens)
            noted.note(tokens, found, relevant, shown)

            def questions(chosen: Sequence[Candidate]) -> Sequence[Candidate]:
                return gather.questions(snapshot, chosen, turns, filter_)

            summed = gather.summed_up(snapshot, resolved, filter_)
            if not resolved.knows and not summed:
                return self._block(gather.turns_only(shown, sure), tokens, wanted, filter_.now, questions)
            share = tokens * _SHARES["facts"]

            def within(known: Sequence[Node]) -> Sequence[Node]:
                costs = self._line_costs(known)
                spent = accumulate(costs[node.id] for node in known)
                return known[: sum(each <= share for each in spent)]

            material = gather.for_query(
                snapshot, resolved, shown, summed, filter_, sure, found, within, self._config.rag_length
            )
            noted.material = material
            return self._block(
                material,
                tokens,
                wanted,
                filter_.now,
                questions,
                lambda shown: gather.beside(snapshot, shown, replace(filter_, without=tuple(self._config.rag_length))),
            )

        return await self._store.read_in_steps(assemble)

    async def _recent(self, prompt: str, filter_: Filter, tokens: int) -> Assembled | None:
        observed = await self._recall.as_stored(prompt)

        def assemble(snapshot: Snapshot) -> Assembled | None:
            latest = gather.latest(snapshot, filter_, _candidates(tokens), self._config.rag_length)
            others = tuple(each for each in latest.candidates if not _is_turn(each.node, observed))
            return self._block(replace(latest, candidates=others), tokens, {}, filter_.now)

        return await self._store.read(assemble)

    def _wanted(self, snapshot: Snapshot, resolved: ResolvedQuery) -> Mapping[str, float]:
        """The terms of the question, with their rarities as weights."""
        rarity = self._store.words.everything.rarity(snapshot, resolved.query.terms, resolved.user_id)
        return {term: 1 + weight for term, weight in rarity.items()}

    def _judged(
        self,
        snapshot: Snapshot,
        wanted: Mapping[str, float],
        resolved: ResolvedQuery,
        found: Sequence[Recollection],
    ) -> tuple[float, list[Recollection]]:
        """The confidence that the results hold the answer, and the results, best first, repetitions last. The
        confidence is 0 for a question of stop words.
        """
        said = {each.node.id: each.node.said for each in found[: variety.LOOKED_AT]}
        sure = 0.0
        if found and wanted:
            people = frozenset[str]().union(*resolved.entities.values())
            unknown = self._store.words.everything.unknown(snapshot, resolved.query.terms, resolved.user_id)
            sure = confidence.signs(resolved.query, found, said, wanted, unknown, people).confidence
        return sure, variety.varied(found, said)

    def _cut_off(self, found: Sequence[Recollection], turns: TurnView, budget: int) -> list[Recollection]:
        """The results, best first, without turns that say nothing or score far below the best."""
        most = int(budget * _LONGEST_TURN)
        costs = self._line_costs([each.node for each in found])
        shown = {each.node.id: min(costs[each.node.id], most) for each in found}
        return cutoff.without_weak_turns(found, turns, shown, budget, _TURN_RELEVANT)

    def _budget(self, is_complex: bool) -> int:
        fixed = self._config.context_token_budget
        by_complexity = _BUDGET_COMPLEX if is_complex else _BUDGET_SIMPLE
        return by_complexity if fixed is None else fixed

    def _relevant_of(self, found: Sequence[Recollection], query: Query) -> list[Recollection]:
        """The relevant results without the prompt itself, and knowledge that accompanies them."""
        others = [each for each in found if not _is_turn(each.node, query.asked)]
        worth = gather.worth_showing(others, _RELEVANT, query.shown)
        relevant = [self._is_relevant(each) for each in worth]
        accompanied = any(is_so and not each.node.is_learnt for each, is_so in zip(worth, relevant, strict=True))
        return [
            each
            for each, is_so in zip(worth, relevant, strict=True)
            if is_so or (accompanied and each.node.type in query.shown and self._is_like(each))
        ]

    def _is_relevant(self, found: Recollection) -> bool:
        """Whether more than the vectors found it, or its cosine is high enough."""
        return bool(found.legs.keys() - _NO_EVIDENCE) or (found.similarity or 0.0) >= _SIMILAR

    def _is_like(self, found: Recollection) -> bool:
        """Whether its cosine is high enough to accompany a relevant memory."""
        return (found.similarity or 0.0) >= _ACCOMPANYING

    def _block(
        self,
        material: Material,
        budget: int,
        wanted: Mapping[str, float],
        now: int,
        questions: Questions | None = None,
        beside: Beside | None = None,
    ) -> Assembled | None:
        """Choose candidates by their costs, add the questions before short answers, cut long turns to excerpts, and
        render. While the text is longer than the budget, remove the candidate with the lowest score. None if the
        confidence is too low.
        """
        if material.confidence < self._config.abstain_below:
            return None
        most = int(budget * _LONGEST_TURN)
        costs = self._line_costs([each.node for each in material.candidates])
        fitting = self._fitting(material, costs, budget, most)
        if questions is not None:
            fitting = self._with_more(fitting, questions(fitting), budget, most)
            fitting = self._with_more(fitting, gather.unsaid(material, fitting), budget, most)
            costs = self._line_costs([each.node for each in fitting])
        chosen = [self._shortened(each, wanted, costs[each.node.id], most) for each in fitting]
        while chosen:
            text, tokens = self._rendered(chosen, now)
            if tokens <= budget:
                shown, has_room = replace(material, candidates=tuple(chosen)), budget - tokens >= _SHORT_LINE
                longer = self._with_related(shown, beside(chosen), budget, tokens, now) if beside and has_room else None
                return longer or self._assembled(shown, text, tokens, now)
            chosen.remove(min(chosen, key=lambda each: each.score))
        return None

    def _fitting(self, material: Material, costs: Mapping[int, int], budget: int, most: int) -> list[Candidate]:
        """The candidates that fit, without facts that were learnt only from turns that the block shows whole."""
        offers, left = self._offers(material.candidates, costs, most), budget - self._fixed_costs()[0]
        chosen = choose(offers, _SHARES, left)
        repeated = gather.repeated(material, {offer.id for offer in chosen if costs[offer.id] <= most})
        if repeated:  # choose again, because a repeated fact may have displaced a better one
            chosen = choose([offer for offer in offers if offer.id not in repeated], _SHARES, left)
        kept = {offer.id for offer in chosen}
        return [each for each in material.candidates if each.node.id in kept]

    def _with_more(
        self, fitting: list[Candidate], more: Sequence[Candidate], budget: int, most: int
    ) -> list[Candidate]:
        """The chosen candidates, and more of them in the remaining room."""
        if not more:
            return fitting
        costs = self._line_costs([each.node for each in (*fitting, *more)])
        left = budget - self._fixed_costs()[0] - spent(self._offers(fitting, costs, most))
        chosen = {offer.id for offer in choose(self._offers(more, costs, most), _SHARES, left)}
        return [*fitting, *(each for each in more if each.node.id in chosen)]

    def _with_related(self, shown: Material, found: Material, budget: int, tokens: int, now: int) -> Assembled | None:
        """The block with a few related memories in the remaining room; None if none fits."""
        costs = self._line_costs([each.node for each in found.candidates])
        left, more = budget - tokens - self._fixed_costs()[2] - _LINE_BREAK, list[Candidate]()
        for each in found.candidates:
            if costs[each.node.id] <= left and len(more) < _MOST_RELATED:
                left -= costs[each.node.id]
                more.append(each)
        if not more:
            return None
        together = Material((*shown.candidates, *more), {**shown.sources, **found.sources}, shown.confidence)
        text, tokens = self._rendered(together.candidates, now)
        return self._assembled(together, text, tokens, now) if tokens <= budget else None

    def _assembled(self, shown: Material, text: str, tokens: int, now: int) -> Assembled:
        """The block. Being in it does not reinforce a memory that will soon fade, or a plan whose day has come."""
        best = sorted(shown.candidates, key=lambda each: -each.score)
        block = Block(tuple(item(each, shown.sources) for each in best), tokens, shown.confidence, text)
        nodes = [each.node for each in shown.candidates if each.node.id > 0]
        used = (node.id for node in nodes if not (node.is_fading(now, FADING) or node.is_over(now)))
        return Assembled(block, tuple(used))

    def _rendered(self, chosen: Sequence[Candidate], now: int) -> tuple[str, int]:
        """The text and its tokens."""
        fading = {each.node.id for each in chosen if each.node.is_fading(now, FADING)}
        text = render.render([(each.section, each.node) for each in chosen], fading)
        return text, self._counter.count_tokens([text])[0]

    def _shortened(self, chosen: Candidate, wanted: Mapping[str, float], tokens: int, most: int) -> Candidate:
        """An excerpt of a turn that has more than ``most`` tokens. It is cut again if its passages have more tokens per
        character than the whole turn.
        """
        if chosen.node.type != "episodic" or tokens <= most:
            return chosen
        node, length = chosen.node, len(chosen.node.content)
        passages = excerpts.Passages(node.content, wanted)
        for _ in range(_MOST_CUTS):
            length = length * most // tokens
            node = node._replace(content=passages.within(length))
            tokens = self._counter.count_tokens([render.line(node)])[0] + _LINE_BREAK
            if tokens <= most * _DENSER:
                break
        return chosen._replace(node=node, whole=False)

    def _fixed_costs(self) -> list[int]:
        if self._fixed is None:
            self._fixed = self._counter.count_tokens([render.FRAME, render.DAY_HEADING, render.RELATED_HEADING])
        return self._fixed

    def _offers(self, candidates: Sequence[Candidate], costs: Mapping[int, int], most: int) -> list[Offer]:
        """The offer for each candidate; a turn costs at most ``most`` tokens."""
        day = self._fixed_costs()[1]
        return [
            Offer(
                each.node.id,
                each.section,
                min(costs[each.node.id], most) if each.node.type == "episodic" else costs[each.node.id],
                each.score,
                render.heading(each.node),
                day,
            )
            for each in candidates
        ]

    def _line_costs(self, nodes: Sequence[Node]) -> Mapping[int, int]:
        """The cost of each node's line inside a text."""
        if len(self._costs) > _COSTS_KEPT:
            self._costs = {}  # replaced, not cleared: another reader's thread may use the old one
        costs = self._costs
        fresh = [node for node in nodes if node.id not in costs]
        counts = self._counter.count_tokens([render.line(node) for node in fresh])
        costs.update((node.id, count + _LINE_BREAK) for node, count in zip(fresh, counts, strict=True))
        return costs


def _is_turn(node: Node, content: str) -> bool:
    """Whether a node is the prompt itself, which the host has already observed."""
    return node.type == "episodic" and node.content == content


def _candidates(tokens: int) -> int:
    return min(_MOST_CANDIDATES, max(_FEWEST_CANDIDATES, tokens // _TOKENS_PER_TURN))


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
    )
