"""Evidence spreads along edges, because the answer is often beside the turn that the words find. Pure."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.columns import Ids, NodeRows, Scored, Values, added, among

SPREAD, SESSION, SPEAKER, SAYS_LITTLE = "spread", "session evidence", "speaker", "short turns and questions"
EVIDENCE = (SPREAD, SESSION, SPEAKER, SAYS_LITTLE)
"""The kinds of evidence inside legs, by their names in the setting ``without``."""

_NEIGHBOUR = 0.4  # of its score, from a turn to the turns beside it (adr/0006)
_ANSWER = 0.9  # from a question to the turn after it
_SECOND = 0.2  # to the turns two steps away
_SESSION = 0.2  # for the turns of the session that matches best as a whole
_NAMED = 0.8  # for the turns of a named person, and for knowledge about them
_SAYS_LITTLE = 0.7  # factor for a turn of fewer terms than _SHORT
_ASKS = 0.85  # factor for a turn that asks
_SHORT = 3  # terms; shorter turns ("ok, will do") match by accident
_LONG = 12  # terms; flat between 10 and 15
_SESSION_BEST = 5  # matches of a session that are added up


class Flows(NamedTuple):
    """Evidence along temporal edges: from nodes to others, with the number of steps. Columns of one length."""

    sources: Ids
    targets: Ids
    values: Values
    steps: Ids


def spread(scores: Scored, rows_of: Callable[[Ids], NodeRows], without: Collection[str]) -> Scored:
    """Scores with the evidence from neighbouring turns."""
    if SPREAD in without:
        return scores
    flowing = flows(scores, rows_of)
    return added([scores, Scored(flowing.targets, flowing.values)])


def flows(scores: Scored, rows_of: Callable[[Ids], NodeRows]) -> Flows:
    """The evidence from turns for neighbours: more from a question to its answer, less over two steps."""
    turns = rows_of(scores.ids)
    ahead = np.where(turns["asks"], _ANSWER, _NEIGHBOUR)
    edges: tuple[tuple[Ids, Values | float, int], ...] = (
        (turns["after"], ahead, 1),
        (rows_of(turns["after"])["after"], _SECOND, 2),
        (turns["before"], _NEIGHBOUR, 1),
        (rows_of(turns["before"])["before"], _SECOND, 2),
    )
    targets = np.concatenate([ids for ids, _, _ in edges])
    values = np.concatenate([scores.values * share for _, share, _ in edges])
    sources, steps = np.tile(scores.ids, len(edges)), np.repeat([steps for _, _, steps in edges], len(scores))
    there = targets > 0
    return Flows(sources[there], targets[there], values[there], steps[there])


def session_evidence(scores: Scored, sessions: Ids) -> Scored:
    """How well each session matches as a whole, as a share of the best session: the sum of its best matches.
    ``sessions`` are those of the scores, 0 for none.
    """
    order = np.lexsort((-scores.values, sessions))
    order = order[sessions[order] != 0]
    found, first, counts = np.unique(sessions[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(first, counts)
    values = np.where(place < _SESSION_BEST, scores.values[order], 0.0)
    sums = np.add.reduceat(values, first) if len(first) else values
    return Scored(found, sums / sums.max(initial=np.finfo(float).tiny))


def weigh(
    scores: Scored, turns: NodeRows, sessions: Scored, named: Collection[str], without: Collection[str]
) -> Scored:
    """Scores, lifted for session and named person, lowered for turns that ask or say little."""
    lifted = scores.values
    if SESSION not in without:
        lifted = lifted + _SESSION * sessions.at(turns["session"], 0.0)
    if SPEAKER not in without:
        lifted = lifted + _NAMED * among(turns["who"], np.array([hash(name) for name in named], np.int64))
    if SAYS_LITTLE not in without:
        lifted = lifted * np.where(turns["term_count"] < _SHORT, _SAYS_LITTLE, 1.0) * asked(turns)
    return scores.valued(lifted)


def asked(turns: NodeRows) -> Values:
    """A factor for each turn, lower for a turn that only asks."""
    return np.where(only_asks(turns), _ASKS, 1.0)


def only_asks(turns: NodeRows) -> NDArray[np.bool_]:
    """Which turns only ask; a longer turn says something else, too."""
    asking: NDArray[np.bool_] = turns["asks"] & (turns["term_count"] < _LONG)
    return asking
