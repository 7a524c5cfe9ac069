"""Evidence flows along edges: the answer often stands beside the words that find it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.store.search import Feature

_SHORT = 3  # terms; shorter turns ("ok, will do") match by accident
_SESSION_BEST = 5  # matches of a session that count for it


@dataclass(frozen=True, slots=True)
class Chain:
    """Who stands beside whom: the turn after and before each turn."""

    after: Mapping[int, int]
    before: Mapping[int, int]

    @classmethod
    def of(cls, edges: Iterable[tuple[int, int]]) -> "Chain":
        """From (earlier, later) pairs."""
        pairs = list(edges)
        return cls(dict(pairs), {later: earlier for earlier, later in pairs})


def normalised(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores as shares of the best."""
    best = max(scores.values(), default=0.0)
    return {node: score / best for node, score in scores.items()} if best > 0 else {}


def spread(scores: Mapping[int, float], chain: Chain, asking: Iterable[int], config: Config) -> dict[int, float]:
    """Scores with what flows in from the turns beside: more from a question to its answer, less over two steps."""
    asks = set(asking)
    out = dict(scores)
    for node, score in scores.items():
        for step, back in ((chain.after, False), (chain.before, True)):
            near = step.get(node)
            if near is None:
                continue
            share = config.spread_answer if node in asks and not back else config.spread_neighbour
            out[near] = out.get(near, 0.0) + share * score
            far = step.get(near)
            if far is not None:
                out[far] = out.get(far, 0.0) + config.spread_second * score
    return out


def session_evidence(scores: Mapping[int, float], features: Mapping[int, Feature]) -> dict[str, float]:
    """How well each session matches as a whole, as a share of the best: the sum of its best matches."""
    found: dict[str, list[float]] = {}
    for node, score in scores.items():
        session = features[node].session_id
        if session is not None:
            found.setdefault(session, []).append(score)
    sums = {session: sum(sorted(values, reverse=True)[:_SESSION_BEST]) for session, values in found.items()}
    best = max(sums.values(), default=0.0)
    return {session: total / best for session, total in sums.items()} if best > 0 else {}


def weigh(
    scores: Mapping[int, float],
    features: Mapping[int, Feature],
    sessions: Mapping[str, float],
    named: Iterable[str],
    config: Config,
) -> dict[int, float]:
    """Scores lifted by their session and by a named person, lowered for turns that ask or hardly say anything."""
    names = set(named)
    out = {}
    for node, score in scores.items():
        feature = features[node]
        lifted = score + config.session_evidence * sessions.get(feature.session_id or "", 0.0)
        if feature.who in names:
            lifted += config.named_evidence
        short = config.short_factor if feature.term_count < _SHORT else 1.0
        out[node] = lifted * short * (config.question_factor if feature.asks else 1.0)
    return out
