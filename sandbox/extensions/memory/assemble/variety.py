"""What says the same again makes room: of many wordings of one thing a block needs a few. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.text.words import terms

LOOKED_AT = 50  # of the best; a block that holds more has room for repetitions
_ALIKE = 0.6  # of the terms of two memories, shared, from which they may say the same
_SHARE = _ALIKE / (1 + _ALIKE)  # the same, of the terms counted in each
_ENOUGH = 3  # wordings of one thing; what more there are stands behind
_BEHIND = 0.2  # of its score: after nearly all that is relevant, and still there where there is room
_NAMES = re.compile(
    r"\b(?=[^\Wa-zа-яё_]|[^\W\d]*\d)\w+"
)  # and numbers; words that begin a sentence as well, to be safe
_DENIES = re.compile(r"\b(?:not|no|never|without|cannot|не|нет|ни|никогда|без)\b|n['’]t\b", re.IGNORECASE)


def varied(found: Sequence[Recollection], said: Mapping[int, Collection[str]]) -> list[Recollection]:
    """What was found, best first; what says the same as several better ones has a lower score. ``said`` are the terms
    of the first ``LOOKED_AT``, of who says it included, by node.

    Two may say the same where one person says both, they share most terms, neither has a name or number the other has
    not, and neither denies what the other does not: a trip to Rome is no wording of one to Paris.
    """
    terms_of = [frozenset(said[each.node.id]) for each in found[:LOOKED_AT]]
    better, known = [0] * len(found), dict[int, _Marks]()
    for place, other in _near(terms_of):
        if better[place] < _ENOUGH:
            marks = [known.get(at) or known.setdefault(at, _marks(found[at].node)) for at in (place, other)]
            better[place] += _agree(*marks) and marks[0].names <= terms_of[other] and marks[1].names <= terms_of[place]
    lowered = [
        each if count < _ENOUGH else each._replace(score=each.score * _BEHIND)
        for each, count in zip(found, better, strict=True)
    ]
    return sorted(lowered, key=lambda each: -each.score)


def _near(said: Sequence[Collection[str]]) -> Iterator[tuple[int, int]]:
    """Every one that shares most terms with one before it, and that one, by place."""
    bits: dict[str, int] = {}
    rows = [sum({bits.setdefault(term, 1 << len(bits)) for term in each}) for each in said]
    sizes = [row.bit_count() for row in rows]
    for place, row in enumerate(rows):
        for other, size in enumerate(sizes[:place]):
            least = _SHARE * (sizes[place] + size)
            if size >= least <= sizes[place] and (row & rows[other]).bit_count() >= least:
                yield place, other


class _Marks(NamedTuple):
    """What tells two memories of the same terms apart."""

    names: frozenset[str]
    denies: bool
    who: str | None


def _marks(node: Node) -> _Marks:
    names = frozenset(terms(" ".join(_NAMES.findall(node.content))))
    return _Marks(names, bool(_DENIES.search(node.content)), node.speaker or node.subject)


def _agree(one: _Marks, other: _Marks) -> bool:
    return one.denies == other.denies and one.who == other.who
