"""Choose a few relevant memories for a prompt within a budget of tokens: the context block. Explain it to people."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from sandbox.extensions.memory.assemble import confidence, cutoff, gather
from sandbox.extensions.memory.assemble.fitting import LONGEST_TURN, SHARES, UNASKED, Assembled, Fitter
from sandbox.extensions.memory.assemble.gather import MOST_KNOWN, Material, repeated
from sandbox.extensions.memory.assemble.later import with_later
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.listings import LeftOut
from sandbox.extensions.memory.model import Block
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery, asks_about_user
from sandbox.extensions.memory.retrieve.recall import Recall, Recollection
from sandbox.extensions.memory.store.columns import NodeView
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_BUDGET_SIMPLE, _BUDGET_COMPLEX = 1000, 3000  # tokens; the default by the complexity of the question
_RELEVANT = 0.7  # of the best score; a learnt memory needs that much to be in a block (adr/0036)
_SIMILAR = 0.35  # cosine; a memory that only the vectors found is relevant from here
_ACCOMPANYING = 0.15  # cosine; knowledge is relevant from here if a relevant memory that is not learnt is there
_LITTLE_ROOM = 400  # tokens of turns
_TOKENS_PER_TURN = 38  # the average is 35: bounds how many candidates a budget can hold; flat from 25 to 40
_MOST_CANDIDATES = 200
_FEWEST_CANDIDATES = 40  # otherwise a few wordings of one fact could be the only candidates
_NO_EVIDENCE = {"vector"}  # legs that rank any memory for any question


@dataclass(slots=True)
class Trace:
    """A record of how a block is made: the search results that were ``found``, best first, those that are ``relevant``
    and ``kept``, the ``material`` from which the block is chosen, and the budget that is ``needed`` for any of it.
    ``unsure`` are turns beyond the little room of a prompt that speaks of nobody.
    """

    budget: int = 0
    found: Sequence[Recollection] = ()
    relevant: Sequence[Recollection] = ()
    kept: Sequence[Recollection] = ()
    unsure: Sequence[Recollection] = ()
    material: Material | None = None
    needed: int | None = None

    def left_out(self, block: Block | None) -> Mapping[str, LeftOut]:
        """By id, why a result is not in the block."""
        shown = {item.id for item in block.items} if block else set[str]()
        ids = {each.node.id for each in self.found if each.node.public_id in shown}
        relevant, kept, unsure = ({each.node.id for each in some} for some in (self.relevant, self.kept, self.unsure))
        said = repeated(self.material, ids) if self.material and block else set[int]()

        def reason(id: int) -> LeftOut:
            if id not in relevant:
                return "irrelevant"
            if id in unsure:
                return "unsure"
            if id not in kept:
                return "far_behind"
            return "said_already" if id in said else "no_room"

        return {each.node.public_id: reason(each.node.id) for each in self.found if each.node.public_id not in shown}


class Assembler:
    """Builds blocks over one store."""

    def __init__(self, store: Store, recall: Recall, counter: TokenCounter, config: Config) -> None:
        self._store = store
        self._recall = recall
        self._config = config
        self._fitter = Fitter(counter)

    async def assemble(
        self,
        prompt: str,
        filter_: Filter,
        budget: int | None,
        now: datetime | None = None,
        trace: Trace | None = None,
        seen: Mapping[str, int] = MappingProxyType({}),
    ) -> Assembled | None:
        """The block for a prompt at ``now``, without versions that were ``seen``; None if it would be empty."""
        mode = self._config.context_mode
        if mode == "off":
            return None
        if mode == "recent_only":
            return await self._recent(prompt, filter_, budget or self._budget(is_complex=False), seen)
        return await self._relevant(prompt, filter_, budget, now, trace, seen)

    async def _relevant(
        self,
        prompt: str,
        filter_: Filter,
        budget: int | None,
        now: datetime | None,
        trace: Trace | None,
        seen: Mapping[str, int],
    ) -> Assembled | None:
        query = await self._recall.understanding.query(prompt, now)
        tokens = budget or self._budget(query.is_complex)
        fewer = budget or self._budget(is_complex=False)
        most, explained = _candidates(tokens), trace is not None
        trace = trace or Trace()

        def assemble(snapshot: Snapshot) -> Generator[None, None, Assembled | None]:
            resolved = self._recall.understanding.resolve(snapshot, query, filter_.scope)
            found = yield from self._recall.search(
                snapshot, resolved, filter_, most, knowledge_limit=MOST_KNOWN, explained=explained
            )
            yield
            return self._block(snapshot, resolved, found, filter_, tokens, fewer, trace, seen)

        assembled = await self._store.read_in_steps(assemble)
        if explained and trace.material is not None:
            trace.needed = self._fitter.needed(trace.material)
        return assembled

    def _block(
        self,
        snapshot: Snapshot,
        resolved: ResolvedQuery,
        found: Sequence[Recollection],
        filter_: Filter,
        tokens: int,
        fewer: int,
        trace: Trace,
        seen: Mapping[str, int],
    ) -> Assembled | None:
        """The block from the results of a search, within ``tokens``. A prompt for which there is hardly room for turns
        is a task, however long it is, and has ``fewer``.
        """
        rarity = self._store.words.everything.rarity(snapshot, resolved.query.terms, resolved.user_id)
        view, weights = self._store.node_cache.seen_by(snapshot), {term: 1 + rare for term, rare in rarity.items()}
        relevant = self._relevant_of(found, resolved.query)
        sure, varied = self._judged(snapshot, weights, resolved, relevant)
        room = cutoff.room_for_turns(sure, resolved)
        tokens = fewer if room < _LITTLE_ROOM else tokens
        longest = int(min(tokens, max(room, _LITTLE_ROOM)) * LONGEST_TURN)
        kept, trace.unsure = self._cut_off(cutoff.lift_neighbours(varied, view), view, longest, room, weights)
        if room >= _LITTLE_ROOM:
            turns = VisibilityFilter(snapshot, filter_.among("episodic"), view)
            kept = with_later(turns, self._store.words.everything, kept, resolved.query.asked)
        gathering, beside = gather.Gathering(snapshot, resolved, filter_, self._config.rag_length), None
        summed = gathering.summed_up()
        if resolved.has_knowledge or summed:
            material, beside = gathering.material(kept, summed, sure, found), gathering.beside
        else:
            material = gathering.turns_only(kept, sure, found)
        trace.budget, trace.found, trace.relevant, trace.kept, trace.material = tokens, found, relevant, kept, material
        questions = partial(gathering.questions, view=view)
        share = 1 - SHARES["core"] if asks_about_user(resolved.query.text) else UNASKED
        return self._fitter.block(material, tokens, longest, weights, filter_.now, questions, beside, seen, share)

    async def _recent(self, prompt: str, filter_: Filter, tokens: int, seen: Mapping[str, int]) -> Assembled | None:
        observed = await self._recall.understanding.as_stored(prompt)

        def assemble(snapshot: Snapshot) -> Assembled | None:
            latest = gather.latest(snapshot, filter_, _candidates(tokens), self._config.rag_length)
            others = tuple(each for each in latest.candidates if not _is_turn(each.node, observed))
            shown, longest = replace(latest, candidates=others), int(tokens * LONGEST_TURN)
            return self._fitter.block(shown, tokens, longest, {}, filter_.now, seen=seen)

        return await self._store.read(assemble)

    def _judged(
        self, snapshot: Snapshot, weights: Mapping[str, float], resolved: ResolvedQuery, found: Sequence[Recollection]
    ) -> tuple[float, list[Recollection]]:
        """The confidence that the results hold the answer, and the results, best first, repetitions last. The
        confidence is 0 for a question of stop words.
        """
        said = {each.node.id: each.node.said for each in found[: cutoff.LOOKED_AT]}
        sure = 0.0
        if found and weights:
            people = frozenset[str]().union(*resolved.entities.values())
            unknown = self._store.words.everything.unknown(snapshot, resolved.query.terms, resolved.user_id)
            sure = confidence.signs(resolved.query, found, said, weights, unknown, people).confidence
        return sure, cutoff.varied(found, said)

    def _cut_off(
        self, found: Sequence[Recollection], view: NodeView, longest: int, room: float, asked: Collection[str]
    ) -> tuple[list[Recollection], list[Recollection]]:
        """The results, best first, without weak and empty turns; and apart from them turns beyond the room."""
        costs = self._fitter.line_costs([each.node for each in found])
        shown = {each.node.id: min(costs[each.node.id], longest) for each in found}
        return cutoff.without_weak_turns(found, view, shown, room, asked)

    def _budget(self, is_complex: bool) -> int:
        fixed = self._config.context_token_budget
        by_complexity = _BUDGET_COMPLEX if is_complex else _BUDGET_SIMPLE
        return by_complexity if fixed is None else fixed

    def _relevant_of(self, found: Sequence[Recollection], query: Query) -> list[Recollection]:
        """The results without the prompt itself that more than the vectors found, or whose cosine is high enough; and
        knowledge that accompanies them.
        """
        others = [each for each in found if not _is_turn(each.node, query.asked)]
        worth = gather.worth_showing(others, _RELEVANT, query.shown)
        relevant = [bool(each.legs.keys() - _NO_EVIDENCE) or (each.similarity or 0.0) >= _SIMILAR for each in worth]
        accompanied = any(is_so and not each.node.is_learnt for each, is_so in zip(worth, relevant, strict=True))
        return [
            each
            for each, is_so in zip(worth, relevant, strict=True)
            if is_so or (accompanied and each.node.type in query.shown and (each.similarity or 0.0) >= _ACCOMPANYING)
        ]


def _is_turn(node: Node, content: str) -> bool:
    """Whether a node is the prompt itself, which the host has already observed."""
    return node.type == "episodic" and node.content == content


def _candidates(tokens: int) -> int:
    return min(_MOST_CANDIDATES, max(_FEWEST_CANDIDATES, tokens // _TOKENS_PER_TURN))
