"""Choose a few relevant memories for a prompt within a budget of tokens: the context block."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sandbox.extensions.memory.assemble import confidence, enough, excerpts, gather, render, summaries, variety
from sandbox.extensions.memory.assemble.budget import Offer, choose, spent
from sandbox.extensions.memory.assemble.gather import MOST_KNOWN, Candidate, Material
from sandbox.extensions.memory.assemble.weigh import Trace
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

_BUDGET_SIMPLE, _BUDGET_COMPLEX = 1000, 3000  # tokens, where nobody says how many, by the complexity of the question
_SHARES: Mapping[Section, float] = {  # of the budget; what a section leaves goes to the others
    "core": 0.25,  # who the user is, health, family, work and a project's setup, whatever is asked
    "facts": 0.35,  # while all that is known fits into it, it is shown whatever is asked (adr/0043)
    "profiles": 0.15,
    "temporal": 0.20,
    "evidence": 0.05,
}
_RELEVANT = 0.7  # of the best score there is, which what was learnt must have to stand in a block (adr/0036)
_ENOUGH = 0.52  # the same of a turn, behind the first 500 tokens; less where the budget is large
_SIMILAR = 0.35  # cosine from which a vector alone makes a memory relevant
_ACCOMPANYING = 0.15  # cosine that makes knowledge relevant once something else there is
_LONGEST_TURN = 0.4  # of the budget; of a turn that is longer, the passages that say what was asked (adr/0035)

_TOKENS_PER_TURN = 38  # the average is 35: bounds how many candidates a budget can hold; flat from 25 to 40
_MOST_CANDIDATES = 200
_FEWEST_CANDIDATES = 40  # lest a few wordings of one thing are all that is looked at
_NO_EVIDENCE = {"vector", "rerank"}  # legs that have something to say of anything
_COSTS_KEPT = 200_000  # some 20 MB
_MOST_RELATED = 2  # in a block (adr/0029)
_SHORT_LINE = 15  # tokens of the shortest fact, its id and day included
_LINE_BREAK = 2  # tokens a line costs more inside a text than alone
_DENSER = 1.25  # times what an excerpt may take, beyond which it is cut once more
_MOST_CUTS = 3

Beside = Callable[[Sequence[Candidate]], Material]
"""What is related with what is shown."""

Questions = Callable[[Sequence[Candidate]], Sequence[Candidate]]
"""What was asked right before what is shown, and it is hardly understood without."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A block and the nodes in it that it uses, for those who count recalls."""

    block: Block
    node_ids: tuple[int, ...]


class Assembler:
    """Builds blocks over one store."""

    def __init__(self, store: Store, recall: Recall, counter: TokenCounter, config: Config) -> None:
        self._store = store
        self._recall = recall
        self._counter = counter
        self._config = config
        self._fixed: list[int] | None = None  # what the frame, a day heading and that of what is related cost
        self._costs: dict[int, int] = {}  # of lines by node; a node never changes what it says

    async def assemble(
        self,
        prompt: str,
        filter_: Filter,
        budget: int | None,
        now: datetime | None = None,
        trace: Trace | None = None,
    ) -> Assembled | None:
        """The block for a prompt, given ``now``, in the configured mode; None where there is nothing to show."""
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
            shown = self._enough(enough.together(varied, turns), turns, tokens)
            noted.note(tokens, found, relevant, shown)

            def questions(chosen: Sequence[Candidate]) -> Sequence[Candidate]:
                return gather.questions(snapshot, chosen, turns, filter_)

            summed = summaries.for_query(snapshot, resolved, filter_)
            if not resolved.knows and not summed:
                return self._block(gather.turns_only(shown, sure), tokens, wanted, filter_.now, questions)
            share = tokens * _SHARES["facts"]

            def fits(known: Sequence[Node]) -> bool:
                costs = self._line_costs(known)
                return sum(costs[node.id] for node in known) <= share

            material = gather.for_query(snapshot, resolved, shown, summed, filter_, sure, fits)
            noted.material = material
            return self._block(
                material,
                tokens,
                wanted,
                filter_.now,
                questions,
                lambda shown: gather.beside(snapshot, shown, filter_),
            )

        return await self._store.read_in_steps(assemble)

    async def _recent(self, prompt: str, filter_: Filter, tokens: int) -> Assembled | None:
        observed = await self._recall.as_stored(prompt)

        def assemble(snapshot: Snapshot) -> Assembled | None:
            latest = gather.latest(snapshot, filter_, _candidates(tokens))
            others = tuple(each for each in latest.candidates if not _is_turn(each.node, observed))
            return self._block(replace(latest, candidates=others), tokens, {}, filter_.now)

        return await self._store.read(assemble)

    def _wanted(self, snapshot: Snapshot, resolved: ResolvedQuery) -> Mapping[str, float]:
        """The terms that are asked for, rare ones weighing more."""
        rarity = self._store.words.everything.rarity(snapshot, resolved.query.terms, resolved.user_id)
        return {term: 1 + weight for term, weight in rarity.items()}

    def _judged(
        self,
        snapshot: Snapshot,
        wanted: Mapping[str, float],
        resolved: ResolvedQuery,
        found: Sequence[Recollection],
    ) -> tuple[float, list[Recollection]]:
        """How sure it is that the answer was found, and what was found, best first, repetitions behind. A question of
        stop words alone asks for nothing.
        """
        said = {each.node.id: each.node.said for each in found[: variety.LOOKED_AT]}
        sure = 0.0
        if found and wanted:
            people = frozenset[str]().union(*resolved.entities.values())
            unknown = self._store.words.everything.unknown(snapshot, resolved.query.terms, resolved.user_id)
            sure = confidence.signs(resolved.query, found, said, wanted, unknown, people).confidence
        return sure, variety.varied(found, said)

    def _enough(self, found: Sequence[Recollection], turns: TurnView, budget: int) -> list[Recollection]:
        """What was found, best first, without what a block need not be filled up with."""
        most = int(budget * _LONGEST_TURN)
        costs = self._line_costs([each.node for each in found])
        shown = {each.node.id: min(costs[each.node.id], most) for each in found}
        return enough.telling(found, turns, shown, budget, _ENOUGH)

    def _budget(self, is_complex: bool) -> int:
        fixed = self._config.context_token_budget
        by_complexity = _BUDGET_COMPLEX if is_complex else _BUDGET_SIMPLE
        return by_complexity if fixed is None else fixed

    def _relevant_of(self, found: Sequence[Recollection], query: Query) -> list[Recollection]:
        """What is worth showing: all that is relevant but the prompt itself, and knowledge that accompanies it."""
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
        """Found by more than the vectors, or near enough by them."""
        return bool(found.legs.keys() - _NO_EVIDENCE) or (found.similarity or 0.0) >= _SIMILAR

    def _is_like(self, found: Recollection) -> bool:
        """Near enough to accompany what is relevant."""
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
        """Choose by what lines cost, add what was asked before, shorten long turns to what is wanted, render, count
        the whole, and give up the least wanted while it is too much. Nothing where it is too unsure that the answer is
        there.
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
        """Those that fit; nothing that was learnt from turns which then stand there whole."""
        offers, left = self._offers(material.candidates, costs, most), budget - self._fixed_costs()[0]
        chosen = choose(offers, _SHARES, left)
        repeated = gather.repeated(material, {offer.id for offer in chosen if costs[offer.id] <= most})
        if repeated:  # chosen anew, lest it has pushed out what is wanted more
            chosen = choose([offer for offer in offers if offer.id not in repeated], _SHARES, left)
        kept = {offer.id for offer in chosen}
        return [each for each in material.candidates if each.node.id in kept]

    def _with_more(
        self, fitting: list[Candidate], more: Sequence[Candidate], budget: int, most: int
    ) -> list[Candidate]:
        """What fits, and in the room that is left as much more as fits there."""
        if not more:
            return fitting
        costs = self._line_costs([each.node for each in (*fitting, *more)])
        left = budget - self._fixed_costs()[0] - spent(self._offers(fitting, costs, most))
        chosen = {offer.id for offer in choose(self._offers(more, costs, most), _SHARES, left)}
        return [*fitting, *(each for each in more if each.node.id in chosen)]

    def _with_related(self, shown: Material, found: Material, budget: int, tokens: int, now: int) -> Assembled | None:
        """What is shown, and in the room that is left a little of what it is related with; None where nothing fits."""
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
        """The block. What is about to fade, and a plan whose day has come, do not last longer for being in it."""
        best = sorted(shown.candidates, key=lambda each: -each.score)
        block = Block(tuple(item(each, shown.sources) for each in best), tokens, shown.confidence, text)
        nodes = [each.node for each in shown.candidates if each.node.id > 0]
        used = (node.id for node in nodes if not (node.is_fading(now, FADING) or node.is_over(now)))
        return Assembled(block, tuple(used))

    def _rendered(self, chosen: Sequence[Candidate], now: int) -> tuple[str, int]:
        """The text, and its tokens."""
        fading = {each.node.id for each in chosen if each.node.is_fading(now, FADING)}
        text = render.render([(each.section, each.node) for each in chosen], fading)
        return text, self._counter.count_tokens([text])[0]

    def _shortened(self, chosen: Candidate, wanted: Mapping[str, float], tokens: int, most: int) -> Candidate:
        """A turn of more than some ``most`` tokens as an excerpt: shorter still where its passages have more tokens to
        the character than the turn.
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
        """What each costs, where a turn costs some ``most`` tokens at most."""
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
        """What the line of each node costs inside a text."""
        if len(self._costs) > _COSTS_KEPT:
            self._costs = {}  # another reader's thread may be looking at those
        costs = self._costs
        fresh = [node for node in nodes if node.id not in costs]
        counts = self._counter.count_tokens([render.line(node) for node in fresh])
        costs.update((node.id, count + _LINE_BREAK) for node, count in zip(fresh, counts, strict=True))
        return costs


def _is_turn(node: Node, content: str) -> bool:
    """Whether it is this very turn: a prompt the host has already observed is no answer to itself."""
    return node.type == "episodic" and node.content == content


def _candidates(tokens: int) -> int:
    return min(_MOST_CANDIDATES, max(_FEWEST_CANDIDATES, tokens // _TOKENS_PER_TURN))


def item(candidate: Candidate, sources: Mapping[int, Sequence[str]]) -> BlockItem:
    """What a block tells of a memory in it."""
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
