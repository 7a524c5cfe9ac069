"""Collect the candidates for a block, each in its section."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.assemble import core, profile
from sandbox.extensions.memory.assemble.cutoff import questions_before_answers
from sandbox.extensions.memory.authority import is_users_word, is_wish
from sandbox.extensions.memory.model import KNOWLEDGE, CognitiveType, Section
from sandbox.extensions.memory.retrieve.legs import TOPICS
from sandbox.extensions.memory.retrieve.query import SHOWN_ALWAYS, ResolvedQuery, asks_about_own_life
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store import graph, nodes, search, summaries
from sandbox.extensions.memory.store.columns import NodeView
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import INSIGHT, RULES, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.summaries import Shown

MOST_KNOWN = 20

_MOST_STANDING = 20
_MOST_ABOUT = 10
_MOST_EVERYTHING = 40  # facts; more hardly ever fit
_MOST_UNASKED = 60  # facts that were found, and turns
_SMALL = 500  # turns and facts of a memory that shows turns without being asked
_LONGEST_UNASKED = 40  # terms of such a turn; a longer one is more often a task, or pasted
_PINNED = 10.0  # higher than any score of a search
_UNASKED = 0.5  # of the score of a memory that the question asks for
_QUESTION = 0.99  # of the score of its answer
_MOST_NAMED = 3  # summaries of entities
_ALIKE = 0.2  # cosine of a question and a summary from which the question is about that entity: *my dentist*
_MOST_LATEST, _MOST_OF_A_TIME = 3, 10  # summaries of conversations


def is_new(node: Node, seen: Mapping[str, int]) -> bool:
    """Whether the assistant has not seen this version of a memory; ``seen`` are versions, by id."""
    return seen.get(node.public_id) != node.version


class Candidate(NamedTuple):
    """A memory that could be shown, and its score; unless ``whole``, an excerpt. A tuple, like ``Node``."""

    section: Section
    node: Node
    score: float
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Material:
    """Candidates, each memory once. By node: ``sources`` are keys or ids of the visible turns that knowledge rests on,
    ``rests_on`` all nodes that learnt facts and summaries rest on. ``unasked`` are other known memories for the
    remaining room, the best first, and ``rest`` are all that are left; None if they are too many. Of turns that are
    ``outdated`` nothing holds that was learnt. Not in ``rests_on`` are procedures, because they are shown beside their
    turns, and what replaced something, because its turn does not say so.
    """

    candidates: tuple[Candidate, ...]
    sources: Mapping[int, Sequence[str]]
    confidence: float
    rests_on: Mapping[int, Set[int]] = field(default_factory=dict)
    unasked: tuple[Candidate, ...] = ()
    rest: tuple[Candidate, ...] | None = None
    outdated: Set[int] = frozenset()

    def without(self, seen: Mapping[str, int]) -> "Material":
        """The material without the memories with these ids."""
        return replace(self, candidates=tuple(each for each in self.candidates if is_new(each.node, seen)))


@dataclass(frozen=True, slots=True)
class Gathering:
    """Collects for one question. Of a category in ``limits``, at most so many that the question found."""

    snapshot: Snapshot
    resolved: ResolvedQuery
    filter_: Filter
    limits: Mapping[str, int]

    def material(
        self,
        found: Sequence[Recollection],
        summed: Sequence[Shown],
        sure: float,
        ranked: Sequence[Recollection],
    ) -> Material:
        """The material: how to address the user, standing wishes, the results, facts and summaries about named
        entities, the turns that knowledge rests on, the user's core, memories on the topics of the question, and what
        is known beside them (``_unasked``), for a question about the user's own life among the candidates.
        """
        found = [each for each in found if each.node.type in ("episodic", *self.resolved.query.shown)]
        least = min((each.score for each in found), default=1.0) / 2
        asked = [*self._found(found, summed, least), *self._core(ranked, least)]
        candidates = [*_standing(self.snapshot, self._known, self.limits), *_capped(asked, self.limits)]
        unasked, rest = self._unasked({each.node.id for each in candidates}, ranked, least * _UNASKED)
        if asks_about_own_life(self.resolved.query.text):  # what rules learnt comes behind turns (adr/0043)
            told = [each for each in unasked if each.node.type != "episodic" and each.node.source != RULES]
            candidates, unasked = [*candidates, *told], tuple(each for each in unasked if each not in told)
        return _material(self.snapshot, candidates, self.filter_, sure, summed, unasked, rest)

    def turns_only(self, found: Sequence[Recollection], sure: float, ranked: Sequence[Recollection]) -> Material:
        """The material while the memory holds nothing but turns."""
        turns = [Candidate("temporal", each.node, each.score) for each in found if each.node.type == "episodic"]
        least = min((each.score for each in turns), default=1.0) / 2
        unasked, rest = self._unasked({each.node.id for each in turns}, ranked, least * _UNASKED)
        return Material(tuple(turns), {}, sure, unasked=unasked, rest=rest)

    def summed_up(self) -> Sequence[Shown]:
        """The visible and valid summaries for a question: of the entities that it names, or else of the one that is
        nearest in meaning. None for a question about one detail, because a summary mostly says other things.
        """
        snapshot, resolved, filter_ = self.snapshot, self.resolved, self.filter_
        if filter_.is_particular:
            return []
        named = list(resolved.entities) if resolved.has_knowledge else []
        if resolved.has_knowledge and not named and resolved.model is not None and resolved.vector is not None:
            named = summaries.nearest(snapshot, filter_.scope, resolved.model, resolved.vector, _ALIKE)
        found = summaries.of_entities(snapshot, named, filter_, _MOST_NAMED) if named else []
        if not resolved.query.asks_what_happened:
            return found
        period = resolved.query.period
        if period is None:
            return [*found, *summaries.of_sessions(snapshot, filter_, None, _MOST_LATEST)]
        return [*found, *summaries.of_sessions(snapshot, filter_, (period.after, period.before), _MOST_OF_A_TIME)]

    def questions(self, chosen: Sequence[Candidate], view: NodeView) -> Sequence[Candidate]:
        """The questions right before short answers, with a slightly lower score."""
        scores = {each.node.id: each.score for each in chosen}
        missing = {
            asked: there for there, asked in questions_before_answers(list(scores), view).items() if asked not in scores
        }
        if not missing:
            return []
        visibility = search.VisibilityFilter(self.snapshot, self.filter_, view)
        found = np.array(list(missing), np.int64)
        stored = nodes.by_ids(self.snapshot, found[visibility.permitted(found)].tolist())
        return [Candidate("evidence", node, scores[missing[id]] * _QUESTION) for id, node in stored.items()]

    def beside(self, shown: Sequence[Candidate]) -> Material:
        """Knowledge joined with ``shown`` memories, the nearest first, unless it or its source turns are shown."""
        scores = {each.node.id: each.score for each in shown}
        knowledge = [each.node.id for each in shown if each.node.type in SHOWN_ALWAYS]
        edges = graph.related_to(self.snapshot, knowledge) if knowledge else []
        near: dict[int, float] = {}
        for here, there, strength in edges:
            if there not in scores:
                near[there] = max(near.get(there, 0.0), scores[here] * strength)
        allowed = search.allowed(self.snapshot, near, self._unlimited) if near else set()
        said = {here for here, turn in graph.targets(self.snapshot, allowed, "derived_from") if turn in scores}
        stored = nodes.by_ids(self.snapshot, allowed - said) if allowed else {}
        candidates = [Candidate("related", stored[node], score) for node, score in near.items() if node in stored]
        return _material(self.snapshot, candidates, self.filter_, 0.0)

    @property
    def _known(self) -> Filter:
        return self.filter_.among(*SHOWN_ALWAYS)

    @property
    def _unlimited(self) -> Filter:
        return _unlimited(self._known, self.limits)

    def _found(self, found: Sequence[Recollection], summed: Sequence[Shown], least: float) -> list[Candidate]:
        """The results, summaries and facts about named entities, and the turns that knowledge rests on."""
        named, shown = list(self.resolved.entities), [each.node.id for each in found if each.node.type != "episodic"]
        about = search.of_entities(self.snapshot, named, self._known, _MOST_ABOUT, search.SPOKEN_OF) if named else []
        rests_on = [there for _, there in graph.targets(self.snapshot, shown, "derived_from")] if shown else []
        evidence = search.allowed(self.snapshot, rests_on, self.filter_)
        stored = nodes.by_ids(self.snapshot, {*about, *evidence})
        return [
            *(Candidate(section_of(each.node), each.node, each.score) for each in found),
            *(Candidate("profiles", each.node, 2 * least) for each in summed),
            *(Candidate("profiles", stored[node], least) for node in about if not (found and stored[node].is_learnt)),
            *(Candidate("evidence", stored[node], least) for node in rests_on if node in evidence),
        ]

    def _core(self, ranked: Sequence[Recollection], least: float) -> list[Candidate]:
        """The user's core, and memories on the topics of the question."""
        asked = [each.node for each in ranked if TOPICS in each.legs and each.node.type in SHOWN_ALWAYS]
        always = core.core(self.snapshot, self._unlimited, {each.id for each in asked})
        stored = nodes.by_ids(self.snapshot, always)
        return [
            *(Candidate("core", stored[node], 1.0 - place / 100) for place, node in enumerate(always)),
            *(Candidate("facts", node, least) for node in asked if is_users_word(node.trust)),
        ]

    def _unasked(
        self, there: Set[int], ranked: Sequence[Recollection], score: float
    ) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...] | None]:
        """Known memories beside those that are ``there``, the best of ``ranked`` first: facts among these, and in a
        small memory what the user told that rules did not learn. And all facts that are left; None if they are many.
        """
        facts = search.everything(self.snapshot, self._unlimited, _MOST_EVERYTHING)
        earlier = replace(self.filter_.among("episodic"), without_turns_of=self.filter_.scope.session_id)
        told = search.told(self.snapshot, earlier, _SMALL, _LONGEST_UNASKED) if earlier.types else []
        query, best = self.resolved.query, [each.node for each in ranked]
        sure = (node for node in best if is_users_word(node.trust) and node.category not in (INSIGHT, *self.limits))
        found = (node.id for node in sure if node.type in query.shown)
        places = {node.id: place for place, node in enumerate(best)}
        nearest = sorted({*found, *told} - there, key=lambda node: (places.get(node, len(best)), -node))
        others = [node for node in facts or () if node not in {*there, *nearest}]
        stored = nodes.by_ids(self.snapshot, [*nearest[:_MOST_UNASKED], *others])

        def candidates(ids: Iterable[int]) -> tuple[Candidate, ...]:
            shown = (stored[id] for id in ids if id in stored and stored[id].content != query.asked)
            return tuple(Candidate(section_of(node), node, score / (1 + place)) for place, node in enumerate(shown))

        is_all = facts is not None and len(nearest) <= _MOST_UNASKED
        return candidates(nearest), candidates(others) if is_all else None


def _capped(candidates: Sequence[Candidate], limits: Mapping[str, int]) -> list[Candidate]:
    """The candidates in their order; of a category in ``limits`` only so many of the best."""
    left, kept = dict(limits), set[int]()
    for each in sorted(candidates, key=lambda each: -each.score) if limits else ():
        category = each.node.category
        if category in left and each.node.id not in kept and left[category] > 0:
            left[category] -= 1
            kept.add(each.node.id)
    return [each for each in candidates if each.node.category not in limits or each.node.id in kept]


def worth_showing(
    found: Sequence[Recollection], relevance: float, types: Sequence[CognitiveType]
) -> list[Recollection]:
    """The results, best first, and of equal ones the most important. A learnt memory stays only with a share of the
    best score; it is then scored by its confidence.
    """
    enough = relevance * max((each.score for each in found), default=0.0)
    learnt = [each for each in found if each.node.is_learnt and each.node.type in types and each.score >= enough]
    sure = [each._replace(score=each.score * each.node.confidence) for each in learnt[:MOST_KNOWN]]
    return sorted(
        [*(each for each in found if not each.node.is_learnt), *sure],
        key=lambda each: (-each.score, -each.node.importance),
    )


def repeated(material: Material, shown: Set[int]) -> set[int]:
    """Learnt facts and summaries whose sources are all ``shown``: their content is already in the block."""
    said = {each.node.id for each in material.candidates if each.section == "temporal" and each.node.id in shown}
    return {node for node, under in material.rests_on.items() if under <= (said if node > 0 else shown)}


def unsaid(material: Material, shown: Sequence[Candidate], others: Sequence[Candidate]) -> Sequence[Candidate]:
    """The others, without those whose source turns are ``shown``."""
    said = repeated(material, {each.node.id for each in shown})
    return [each for each in others if each.node.id not in said]


def latest(snapshot: Snapshot, filter_: Filter, limit: int, limits: Mapping[str, int]) -> Material:
    """The latest turns and knowledge, for any prompt. A category in ``limits`` has so many memories at most."""
    ids = search.recent(snapshot, filter_.among(*SHOWN_ALWAYS, "episodic"), limit)
    stored = nodes.by_ids(snapshot, ids)
    recent = [Candidate(section_of(stored[node]), stored[node], 1 / rank) for rank, node in enumerate(ids, start=1)]
    candidates = [*_standing(snapshot, filter_.among(*SHOWN_ALWAYS), limits), *_capped(recent, limits)]
    return _material(snapshot, candidates, filter_, 0.0)


def section_of(node: Node) -> Section:
    """The section for a result."""
    if node.type == "episodic":
        return "temporal"
    if is_wish(node.category, node.trust):
        return "instructions"
    return "core" if node.pinned and is_users_word(node.trust) else "facts"


def _standing(snapshot: Snapshot, known: Filter, limits: Mapping[str, int]) -> list[Candidate]:
    """How to address the user, standing wishes and pinned memories. They come before all other knowledge."""
    addressing = profile.addressing(snapshot, known)
    standing = [*addressing, *search.always(snapshot, _unlimited(known, limits), _MOST_STANDING)]
    stored = nodes.by_ids(snapshot, standing)
    sections: list[tuple[Section, Node]] = [("instructions", stored[node]) for node in addressing]
    sections += [(section_of(stored[node]), stored[node]) for node in standing]
    return [Candidate(section, node, 1.0 if section == "instructions" else _PINNED) for section, node in sections]


def _unlimited(known: Filter, limits: Mapping[str, int]) -> Filter:
    """The filter without categories of limited number."""
    return replace(known, without=tuple(limits))


def _material(
    snapshot: Snapshot,
    candidates: Iterable[Candidate],
    filter_: Filter,
    sure: float,
    summed: Sequence[Shown] = (),
    unasked: tuple[Candidate, ...] = (),
    rest: tuple[Candidate, ...] | None = None,
) -> Material:
    once: dict[int, Candidate] = {}
    for each in candidates:
        once.setdefault(each.node.id, each)
    every = once | {each.node.id: each for each in (*unasked, *(rest or ()))}
    knowledge = [node for node, each in every.items() if each.node.type in KNOWLEDGE]
    facts = [node for node in knowledge if every[node].section in ("facts", "core")]
    learnt = [node for node in facts if every[node].node.is_learnt and every[node].node.type in SHOWN_ALWAYS]
    rests_on: dict[int, Set[int]] = {each.node.id: each.rests_on for each in summed}
    replacing = {here for here, _ in graph.targets(snapshot, learnt, "supersedes")} if learnt else set[int]()
    plain = [node for node in learnt if node not in replacing]
    for here, there in graph.targets(snapshot, plain, "derived_from") if plain else ():
        rests_on[here] = rests_on.get(here, frozenset()) | {there}
    sources = search.source_turns(snapshot, knowledge, filter_)
    turns = [node for node, each in every.items() if each.node.type == "episodic"]
    outdated = {here for here, _ in graph.outdated(snapshot, turns, filter_.now)} if turns else frozenset[int]()
    return Material(tuple(once.values()), sources, sure, rests_on, unasked, rest, outdated)
