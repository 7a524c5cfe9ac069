"""The probability that the results hold the answer: five signs, added and calibrated. Pure."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from math import exp
from typing import NamedTuple

from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.text.sightings import proper_terms
from sandbox.extensions.memory.text.words import stemmed_name, terms

_LOOKED_AT = 10  # of the best results, for the sign ``who``; flat from 5 to 40
_NEAR = 3  # of the best results, for the sign ``near``
_TELLING = 5  # of the best results, for the signs ``shared`` and ``named``
_NAMED, _WHO = 0.5, 3.0  # weights; every other sign has 1; flat from 0.25 to 1, from 2 to 4
_LEAD = 0.2  # a greater lead of the named person makes no difference
_SLOPE, _OFFSET = 1.75, 3.2  # fitted to whether the answer was in the block; adr/0027


class Signs(NamedTuple):
    """Signs that the best results hold the answer, each from 0 to 1, with more weight for rare terms: ``near`` is the
    best similarity; ``shared`` is the share of the question's terms in one result; ``known`` is their share anywhere in
    the memory; ``named`` is the share of the question's names and numbers in the results. ``who``, from -1, compares
    persons: the share of the question's terms in one memory of a named person, less that of anybody else.
    """

    near: float
    shared: float
    known: float
    named: float
    who: float

    @property
    def confidence(self) -> float:
        """From 0 to 1; it never falls when a sign rises."""
        total = self.near + self.shared + self.known + _NAMED * self.named + _WHO * min(self.who, _LEAD)
        return 1 / (1 + exp(_OFFSET - _SLOPE * total))


def signs(
    query: Query,
    found: Sequence[Recollection],
    said: Mapping[int, Collection[str]],
    weights: Mapping[str, float],
    unknown: Collection[str],
    people: Collection[str],
) -> Signs:
    """The signs for search results, best first. ``said`` are the terms of the best results, with those of their
    speakers, by node; ``weights`` are the rarities of the question's terms; ``unknown`` are terms that the memory does
    not contain; ``people`` are the stemmed names of the persons in the question.
    """
    near = [each.rare_word_similarity for each in found[:_NEAR] if each.rare_word_similarity is not None]
    telling = [said[each.node.id] for each in found[:_TELLING]]
    shared = max((_share(weights, terms) for terms in telling), default=0.0)
    proper = proper_terms(query.text) & weights.keys()
    return Signs(
        near=max(near, default=shared),
        shared=shared,
        known=_share(weights, weights.keys() - set(unknown)),
        named=len(proper.intersection(chain(*telling))) / len(proper) if proper else 1.0,
        who=_who(found[:_LOOKED_AT], said, weights, people),
    )


def _who(
    best: Sequence[Recollection],
    said: Mapping[int, Collection[str]],
    weights: Mapping[str, float],
    people: Collection[str],
) -> float:
    """The share of the other terms that named persons say, less that of others; 0 if no named person speaks."""
    names = {part for name in people for part in (*name.split(), *terms(name))}
    rest = {term: weight for term, weight in weights.items() if term not in names}
    theirs, others = [0.0], [0.0]
    speaks = False
    for each in best:
        of_them = _is_of(each.node, people)
        speaks |= of_them
        (theirs if of_them else others).append(_share(rest, said[each.node.id]))
    return max(theirs) - max(others) if speaks else 0.0


def _is_of(node: Node, people: Collection[str]) -> bool:
    return stemmed_name(node.speaker or node.subject or "") in people


def _share(weights: Mapping[str, float], those: Collection[str]) -> float:
    whole = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in those) / whole if whole else 0.0
