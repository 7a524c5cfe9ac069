"""What is put before the assistant: the right few memories for a prompt, within a budget of tokens."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sandbox.extensions.memory.assemble import render
from sandbox.extensions.memory.assemble.budget import Offer, choose
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import Block, BlockItem, Section
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.recall import Recall, Recollection
from sandbox.extensions.memory.store import graph, nodes, search
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.text.words import fingerprint, terms
from sandbox.extensions.memory.times import from_ms

_TOKENS_PER_TURN = 12  # shorter turns are rare: bounds how many candidates a budget can hold
_MOST_CANDIDATES = 200
_MOST_STANDING = 20
_MOST_ABOUT = 10
_HEADING_TOKENS = 4  # a turn's part of its day heading, and its line break
_BEST = 5  # recollections that confidence is judged by
_FRAME = "\n".join(
    [render.OPENING, *(f"## {title}" for title in dict.fromkeys(render.TITLES.values())), render.CLOSING]
)

KNOWLEDGE = ("semantic", "opinion")  # procedures are fetched on demand (specification 002, section 12)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A block and the nodes in it, for those who count recalls."""

    block: Block
    node_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    section: Section
    node: Node
    score: float


@dataclass(frozen=True, slots=True)
class _Material:
    candidates: tuple[_Candidate, ...]
    sources: Mapping[int, Sequence[str]]


class Assembler:
    """Builds blocks over one store."""

    def __init__(self, store: Store, recall: Recall, counter: TokenCounter, config: Config) -> None:
        self._store = store
        self._recall = recall
        self._counter = counter
        self._config = config
        self._shares: dict[Section, float] = {
            "facts": config.context_share_facts,
            "profiles": config.context_share_profiles,
            "temporal": config.context_share_temporal,
            "evidence": config.context_share_evidence,
        }

    async def assemble(self, prompt: str, filter_: Filter, budget: int | None) -> Assembled | None:
        """The block for a prompt, in the configured mode."""
        mode = self._config.context_mode
        if mode == "off":
            return None
        if mode == "recent_only":
            return await self._recent(filter_, budget)
        except_prompt = replace(filter_, except_fingerprint=fingerprint(prompt))
        return await self._relevant(prompt, except_prompt, budget)

    async def _relevant(self, prompt: str, filter_: Filter, budget: int | None) -> Assembled | None:
        """The block for a prompt; None where nothing is relevant and no standing wish exists."""
        query = await self._recall.understand(prompt)
        budget = budget if budget is not None else self._default_budget(query)
        limit = min(_MOST_CANDIDATES, max(10, budget // _TOKENS_PER_TURN))
        found = [each for each in await self._recall.recall(query, filter_, limit) if self._is_relevant(each)]
        material = await self._store.read(lambda connection: _gather(connection, query, found, filter_))
        return self._block(material, budget, confidence(query, found))

    async def _recent(self, filter_: Filter, budget: int | None) -> Assembled | None:
        """The block of the latest memories, whatever the prompt is."""
        budget = budget if budget is not None else self._config.context_budget_simple
        limit = min(_MOST_CANDIDATES, max(10, budget // _TOKENS_PER_TURN))
        filter_ = replace(filter_, types=(*KNOWLEDGE, "episodic"))
        material = await self._store.read(lambda connection: _latest(connection, filter_, limit))
        return self._block(material, budget, 0.0)

    def _default_budget(self, query: Query) -> int:
        fixed = self._config.context_token_budget
        by_complexity = self._config.context_budget_complex if query.is_complex else self._config.context_budget_simple
        return by_complexity if fixed is None else fixed

    def _is_relevant(self, recollection: Recollection) -> bool:
        by_meaning = (recollection.similarity or 0.0) >= self._config.minimum_similarity
        return by_meaning or bool(recollection.legs.keys() - {"vector"})

    def _block(self, material: "_Material", budget: int, sure: float) -> Assembled | None:
        """Choose by estimated cost, render, and give up the least wanted until the text itself fits."""
        chosen = self._choose(material.candidates, budget)
        while chosen:
            text = render.render([(each.section, each.node) for each in chosen])
            tokens = self._counter.count_tokens([text])[0]
            if tokens <= budget:
                items = tuple(_item(each, material.sources) for each in sorted(chosen, key=lambda each: -each.score))
                return Assembled(Block(items, tokens, sure, text), tuple(each.node.id for each in chosen))
            chosen.remove(min(chosen, key=lambda each: each.score))
        return None

    def _choose(self, candidates: Sequence[_Candidate], budget: int) -> list[_Candidate]:
        lines = [_line(each.node) for each in candidates]
        frame, *costs = self._counter.count_tokens([_FRAME, *lines])
        offers = [
            Offer(
                each.node.id, each.section, cost + (_HEADING_TOKENS if each.node.type == "episodic" else 1), each.score
            )
            for each, cost in zip(candidates, costs, strict=True)
        ]
        kept = {offer.id for offer in choose(offers, self._shares, max(0, budget - frame))}
        return [each for each in candidates if each.node.id in kept]


def section_of(node: Node) -> Section:
    """Where a memory that was found belongs."""
    if node.type == "episodic":
        return "temporal"
    return "instructions" if node.pinned or node.category == "instruction" else "facts"


def confidence(query: Query, found: Sequence[Recollection]) -> float:
    """How sure it is that the answer is among what was found, from 0 to 1: the share of the question's terms that the
    best few say, or their similarity where that is higher.
    """
    best = found[:_BEST]
    said = {
        term for each in best for term in terms(f"{each.node.speaker or each.node.subject or ''} {each.node.content}")
    }
    covered = sum(term in said for term in query.terms) / len(query.terms) if query.terms else 0.0
    return min(1.0, max([covered, *(each.similarity or 0.0 for each in best)]))


def _gather(
    connection: sqlite3.Connection, query: Query, found: Sequence[Recollection], filter_: Filter
) -> "_Material":
    """Everything that could be shown, each memory once, in the section it is first met for."""
    known = replace(filter_, types=KNOWLEDGE)
    standing = search.always(connection, known, _MOST_STANDING)
    about = search.of_entities(
        connection, list(graph.in_sentence(connection, filter_.scope, query.runs)), known, _MOST_ABOUT
    )
    shown = [each.node.id for each in found if each.node.type in KNOWLEDGE]
    rests_on = [there for _, there in graph.targets(connection, shown, "derived_from")]
    evidence = search.allowed(connection, rests_on, filter_)
    stored = nodes.by_ids(connection, {*standing, *about, *evidence})
    least = min((each.score for each in found), default=1.0) / 2
    candidates = [
        *(_Candidate("instructions", stored[node], 1.0) for node in standing),
        *(_Candidate(section_of(each.node), each.node, each.score) for each in found),
        *(_Candidate("profiles", stored[node], least) for node in about),
        *(_Candidate("evidence", stored[node], least) for node in rests_on if node in evidence),
    ]
    return _material(connection, candidates)


def _latest(connection: sqlite3.Connection, filter_: Filter, limit: int) -> "_Material":
    stored = nodes.by_ids(connection, latest := search.recent(connection, filter_, limit))
    ranked = [_Candidate(section_of(stored[node]), stored[node], 1 / rank) for rank, node in enumerate(latest, start=1)]
    return _material(connection, ranked)


def _material(connection: sqlite3.Connection, candidates: Sequence[_Candidate]) -> "_Material":
    """Each candidate once, procedures left out, and the keys or ids of the turns that knowledge rests on."""
    once: dict[int, _Candidate] = {}
    for each in candidates:
        if each.node.type != "procedural":
            once.setdefault(each.node.id, each)
    edges = graph.targets(
        connection, [node for node, each in once.items() if each.node.type in KNOWLEDGE], "derived_from"
    )
    turns = nodes.by_ids(connection, {there for _, there in edges})
    sources: dict[int, list[str]] = {}
    for here, there in edges:
        sources.setdefault(here, []).append(turns[there].key or turns[there].public_id)
    return _Material(tuple(once.values()), sources)


def _line(node: Node) -> str:
    return render.turn(node) if node.type == "episodic" else render.fact(node)


def _item(candidate: _Candidate, sources: Mapping[int, Sequence[str]]) -> BlockItem:
    node = candidate.node
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
    )
