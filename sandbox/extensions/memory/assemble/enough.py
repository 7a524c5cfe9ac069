"""Stop a block early: the budget is a maximum, and turns that tell nothing, or score far below the best, stay out."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store.indexes.scored import Ids
from sandbox.extensions.memory.store.indexes.turns import TurnView
from sandbox.extensions.memory.store.rows import terms_of_name
from sandbox.extensions.memory.text.courtesies import courtesies

_BEST = 5  # turns beside which the rest of an answer often stands; flat from 3 to 8
_LIFT = 1.05  # what those count more; flat from 1.03 to 1.1
_FIRST = 500  # tokens of turns that are not too many, whatever is relevant
_NARROW, _WIDER = 1_000, 0.4  # up to so many tokens the whole share is asked for; of six times as many half of it
_LITTLE = 100  # characters of terms; nobody greets at greater length
_SHORT = 8  # terms, of an answer that is hardly understood without its question


def together(found: Sequence[Recollection], turns: TurnView) -> list[Recollection]:
    """What was found, best first, where the turns said right before and after the best count a little more."""
    best = np.array([each.node.id for each in found if each.node.type == "episodic"][:_BEST], np.int64)
    near = _beside(best, turns)
    lifted = [each._replace(score=each.score * _LIFT) if each.node.id in near else each for each in found]
    return sorted(lifted, key=lambda each: -each.score)


def telling(
    found: Sequence[Recollection], turns: TurnView, costs: Mapping[int, int], budget: int, share: float
) -> list[Recollection]:
    """What was found, best first, without turns that fall too far behind the best, and without those of thanks and
    greetings alone that answer no question. ``costs`` are in tokens, by node.

    Behind the first few a turn needs a ``share`` of the best score, less where there is much room.
    """
    least = share * min(1.0, (_NARROW / budget) ** _WIDER) * max((each.score for each in found), default=0.0)
    short = [each.node for each in found if len(each.node.terms) <= _LITTLE and each.node.type == "episodic"]
    names = frozenset[str]().union(*map(terms_of_name, {each.node.speaker or "" for each in found})) if short else ()
    known = courtesies()
    empty = {node.id for node in short if all(term in known or term in names for term in node.terms.split())}
    empty -= answered(list(empty), turns).keys() if empty else frozenset()
    kept, used = list[Recollection](), 0
    for each in found:
        if each.node.type != "episodic":
            kept.append(each)
        elif each.node.id not in empty and (used < _FIRST or each.score >= least):
            kept.append(each)
            used += costs[each.node.id]
    return kept


def answered(ids: Sequence[int], turns: TurnView) -> dict[int, int]:
    """Of some turns those that are short answers, with the question that was asked right before."""
    there = np.array(ids, np.int64)
    rows = turns.rows(there)
    asked = turns.rows(rows["before"])
    short = only_asks(asked) & (rows["term_count"] < _SHORT) & rows["is_turn"]
    return dict(zip(there[short].tolist(), rows["before"][short].tolist(), strict=True))


def _beside(best: Ids, turns: TurnView) -> set[int]:
    """The two turns before and after each; flat from two to five."""
    rows = turns.rows(best)
    near = set[int]()
    for side in ("before", "after"):
        beside = rows[side]
        near.update(beside.tolist(), turns.rows(beside)[side].tolist())
    return near
