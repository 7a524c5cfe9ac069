"""Stop a block early: the budget is a maximum. Turns that tell nothing, or score far below the best, stay out, and
repetitions move back, because a block needs only a few wordings of one fact.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from math import inf

import numpy as np

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.retrieve.query import ResolvedQuery, asks_about_own_life
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store.columns import Ids, NodeView
from sandbox.extensions.memory.store.rows import Node, terms_of_name
from sandbox.extensions.memory.text.words import SMALL, courtesies, terms

_BEST = 5  # turns; the rest of an answer is often beside them; flat from 3 to 8
_LIFT = 1.05  # factor for the turns beside these; flat from 1.03 to 1.1
_FIRST = 500  # tokens of turns that are always kept
_RELEVANT = 0.38  # of the best score, which a turn needs after these; less shows more of a list
_SURE, _UNSURE = 0.6, 0.1  # confidence from which a prompt that speaks of nobody gets all turns, and none at all
_ROOM = 2000  # tokens of turns between the two, for each unit of confidence above the lower one
_DATED = 8  # terms; a longer prompt that names a time is mostly a task
_TELLING = 3  # terms; a prompt of fewer, such as *thanks, next one*, is less sure than its confidence
_LITTLE = 100  # characters of terms; a longer turn is no greeting
_SHORT = 8  # terms; a shorter answer is hardly understood without its question

LOOKED_AT = 50  # of the best results; a block with more has room for repetitions
_ALIKE = 0.6  # share of common terms of two memories that may say the same
_SHARE = _ALIKE / (1 + _ALIKE)  # the same share, of the terms counted in each
_ENOUGH = 3  # wordings of one fact; further ones move back
_BEHIND = 0.2  # of its score: it comes after nearly all relevant results, and is shown only if there is room
_NAMES = re.compile(rf"\b(?=[^\W{SMALL}_]|[^\W\d]*\d)\w+")  # and numbers, and the first word of a sentence, to be safe


def lift_neighbours(found: Sequence[Recollection], view: NodeView) -> list[Recollection]:
    """The results, best first; turns right before and after the best turns get a slightly higher score."""
    best = np.array([each.node.id for each in found if each.node.type == "episodic"][:_BEST], np.int64)
    near = _beside(best, view)
    lifted = [each._replace(score=each.score * _LIFT) if each.node.id in near else each for each in found]
    return sorted(lifted, key=lambda each: -each.score)


def room_for_turns(confidence: float, resolved: ResolvedQuery) -> float:
    """The most tokens of turns, without limit if the prompt asks about the user's own life or for what happened, is a
    short one that names a time, or names something known. Other prompts are mostly tasks, which share words with many
    turns and need none (adr/0053): the surer the results, the more turns.
    """
    query = resolved.query
    sure = confidence * min(1.0, len(query.terms) / _TELLING)
    is_dated = query.period is not None and len(query.terms) <= _DATED
    is_of_past = is_dated or query.asks_what_happened or asks_about_own_life(query.text)
    return inf if is_of_past or resolved.entities or sure >= _SURE else max(0.0, _ROOM * (sure - _UNSURE))


def without_weak_turns(
    found: Sequence[Recollection], view: NodeView, costs: Mapping[int, int], room: float, asked: Collection[str]
) -> tuple[list[Recollection], list[Recollection]]:
    """The results, best first, without turns far below the best score and turns that tell nothing; and apart from them
    the turns behind the first ``room`` tokens of turns. ``costs`` are in tokens, by node; ``asked`` are the terms of
    the question.
    """
    least = _RELEVANT * max((each.score for each in found), default=0.0)
    empty = _empty([each.node for each in found if each.node.type == "episodic"], view, asked)
    kept, behind, used = list[Recollection](), list[Recollection](), 0
    for each in found:
        if each.node.type != "episodic":
            kept.append(each)
        elif each.node.id in empty or (used >= _FIRST and each.score < least):
            continue
        elif used < room:
            kept.append(each)
            used += costs[each.node.id]
        else:
            behind.append(each)
    return kept, behind


def _empty(turns: Sequence[Node], view: NodeView, asked: Collection[str]) -> set[int]:
    """Thanks and greetings, unless they are a person's answer to a question; and an assistant's replies in the words
    that are ``asked``: *Committed.*
    """
    short = [node for node in turns if len(node.terms) <= _LITTLE]
    polite = courtesies().union(*(terms_of_name(node.speaker or "") for node in turns)) if short else frozenset[str]()
    courteous = {node.id for node in short if polite.issuperset(node.terms.split())}
    echoing = polite.union(asked)
    replies = {node.id for node in short if node.role == "assistant" and echoing.issuperset(node.terms.split())}
    empty = courteous | replies
    answers = questions_before_answers(list(empty), view).keys() if empty else frozenset[int]()
    return empty - (answers - (courteous & replies))


def questions_before_answers(ids: Sequence[int], view: NodeView) -> dict[int, int]:
    """The short answers among some turns, each with the question right before it."""
    there = np.array(ids, np.int64)
    rows = view.rows(there)
    asked = view.rows(rows["before"])
    short = only_asks(asked) & (rows["term_count"] < _SHORT) & rows["is_turn"]
    return dict(zip(there[short].tolist(), rows["before"][short].tolist(), strict=True))


def _beside(best: Ids, view: NodeView) -> set[int]:
    """The two turns before and the two after each; flat from two to five."""
    rows = view.rows(best)
    near = set[int]()
    for side in ("before", "after"):
        beside = rows[side]
        near.update(beside.tolist(), view.rows(beside)[side].tolist())
    return near


def varied(found: Sequence[Recollection], said: Mapping[int, Collection[str]]) -> list[Recollection]:
    """The results, best first; a memory that says the same as several better ones gets a lower score. ``said`` are the
    terms of the first ``LOOKED_AT`` results, with those of their speakers, by node.

    Two memories say the same if they have one speaker, share most terms, have the same names and numbers, and both or
    neither have a negation: a trip to Rome is no wording of a trip to Paris. No memory moves behind one of less trust.
    """
    terms_of = [said[each.node.id] for each in found[:LOOKED_AT]]
    repeated = set[int]()

    @cache
    def marks(place: int) -> tuple[frozenset[str], bool, str | None]:
        """Names and numbers, negation, and speaker."""
        node = found[place].node
        denies = pattern("function_words", "denials", re.IGNORECASE).search(node.content) is not None
        return frozenset(terms(" ".join(_NAMES.findall(node.content)))), denies, node.speaker or node.subject

    def agree(place: int, other: int) -> bool:
        (names, *mine), (others, *theirs) = marks(place), marks(other)
        alike = mine == theirs and may_change(found[other].node.trust, found[place].node.trust)
        return alike and names.issubset(terms_of[other]) and others.issubset(terms_of[place])

    for place, better in _near(terms_of):
        if len(list(islice((other for other in better if agree(place, other)), _ENOUGH))) == _ENOUGH:
            repeated.add(place)
    lowered = [
        each._replace(score=each.score * _BEHIND) if place in repeated else each for place, each in enumerate(found)
    ]
    return sorted(lowered, key=lambda each: -each.score)


def _near(said: Sequence[Collection[str]]) -> Iterator[tuple[int, list[int]]]:
    """Indexes of the memories that share most terms with several better ones, and of those better ones."""
    columns: dict[str, int] = {}
    there = [columns.setdefault(term, len(columns)) for term in chain(*said)]
    sizes = np.array([len(terms) for terms in said], np.float32)
    marked = np.zeros((len(said), len(columns)), np.float32)
    marked[np.repeat(np.arange(len(said)), sizes.astype(int)), there] = 1
    shared = np.einsum("ik,jk->ij", marked, marked)  # not @: a threaded BLAS waits for the other core
    near = np.tril(shared >= _SHARE * (sizes[:, None] + sizes), -1)
    for place in np.flatnonzero(near.sum(axis=1) >= _ENOUGH).tolist():
        yield place, np.flatnonzero(near[place]).tolist()
