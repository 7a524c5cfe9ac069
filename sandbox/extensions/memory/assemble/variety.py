"""Move repetitions back: a block needs only a few wordings of one fact. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.text.words import SMALL, terms

LOOKED_AT = 50  # of the best results; a block with more has room for repetitions
_ALIKE = 0.6  # share of common terms of two memories that may say the same
_SHARE = _ALIKE / (1 + _ALIKE)  # the same share, of the terms counted in each
_ENOUGH = 3  # wordings of one fact; further ones move back
_BEHIND = 0.2  # of its score: it comes after nearly all relevant results, and is shown only if there is room
_NAMES = re.compile(rf"\b(?=[^\W{SMALL}_]|[^\W\d]*\d)\w+")  # and numbers, and the first word of a sentence, to be safe


def varied(found: Sequence[Recollection], said: Mapping[int, Collection[str]]) -> list[Recollection]:
    """The results, best first; a memory that says the same as several better ones gets a lower score. ``said`` are the
    terms of the first ``LOOKED_AT`` results, with those of their speakers, by node.

    Two memories say the same if they have one speaker, share most terms, have the same names and numbers, and both or
    neither have a negation: a trip to Rome is no wording of a trip to Paris. No memory moves behind one of less trust.
    """
    terms_of = [said[each.node.id] for each in found[:LOOKED_AT]]
    repeated, known = set[int](), dict[int, _Marks]()

    def agree(place: int, other: int) -> bool:
        one, two = (known.get(at) or known.setdefault(at, _marks(found[at].node)) for at in (place, other))
        alike = one.denies == two.denies and one.who == two.who
        alike = alike and may_change(found[other].node.trust, found[place].node.trust)
        return alike and one.names.issubset(terms_of[other]) and two.names.issubset(terms_of[place])

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


class _Marks(NamedTuple):
    """What distinguishes two memories with the same terms: names, numbers, negations, speaker and trust."""

    names: frozenset[str]
    denies: bool
    who: str | None


def _marks(node: Node) -> _Marks:
    names = frozenset(terms(" ".join(_NAMES.findall(node.content))))
    return _Marks(
        names,
        bool(pattern("function_words", "denials", re.IGNORECASE).search(node.content)),
        node.speaker or node.subject,
    )
