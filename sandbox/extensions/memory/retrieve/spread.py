"""Evidence flows along edges: the answer often stands beside the words that find it. Pure."""

from collections.abc import Mapping, Set

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.store.turns import Turn

_SHORT = 3  # terms; shorter turns ("ok, will do") match by accident
_LONG = 12  # terms; flat between 10 and 15
_SESSION_BEST = 5  # matches of a session that count for it


def normalised(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores as shares of the best."""
    best = max(scores.values(), default=0.0)
    return {node: score / best for node, score in scores.items()} if best > 0 else {}


def spread(scores: Mapping[int, float], turns: Mapping[int, Turn], config: Config) -> dict[int, float]:
    """Scores with what flows in from the turns beside: more from a question to its answer, less over two steps."""
    out = dict(scores)
    for node, score in scores.items():
        turn = turns[node]
        ahead = config.spread_answer if turn.asks else config.spread_neighbour
        near, far = turn.after, _after(turns, turn.after)
        for beside, share in ((near, ahead), (far, config.spread_second)):
            if beside is not None:
                out[beside] = out.get(beside, 0.0) + share * score
        near, far = turn.before, _before(turns, turn.before)
        for beside, share in ((near, config.spread_neighbour), (far, config.spread_second)):
            if beside is not None:
                out[beside] = out.get(beside, 0.0) + share * score
    return out


def session_evidence(scores: Mapping[int, float], turns: Mapping[int, Turn]) -> dict[str, float]:
    """How well each session matches as a whole, as a share of the best: the sum of its best matches."""
    found: dict[str, list[float]] = {}
    for node, score in scores.items():
        session = turns[node].session_id
        if session is not None:
            found.setdefault(session, []).append(score)
    sums = {session: sum(sorted(values, reverse=True)[:_SESSION_BEST]) for session, values in found.items()}
    best = max(sums.values(), default=0.0)
    return {session: total / best for session, total in sums.items()} if best > 0 else {}


def weigh(
    scores: Mapping[int, float],
    turns: Mapping[int, Turn],
    sessions: Mapping[str, float],
    named: Set[str],
    config: Config,
) -> dict[int, float]:
    """Scores lifted by their session and by a named person, lowered for turns that ask or hardly say anything."""
    lifts = {session: config.session_evidence * share for session, share in sessions.items()}
    named_lift, short, asking = config.named_evidence, config.short_factor, config.question_factor
    out = {}
    for node, score in scores.items():
        turn = turns[node]
        lifted = score + lifts.get(turn.session_id or "", 0.0)
        if turn.who in named:
            lifted += named_lift
        if turn.term_count < _LONG:
            lifted *= (short if turn.term_count < _SHORT else 1.0) * (asking if turn.asks else 1.0)
        out[node] = lifted
    return out


def only_asks(turn: Turn) -> bool:
    """Whether a turn does little else than ask; a longer one tells something as well."""
    return turn.asks and turn.term_count < _LONG


def _after(turns: Mapping[int, Turn], node: int | None) -> int | None:
    return turns[node].after if node is not None and node in turns else None


def _before(turns: Mapping[int, Turn], node: int | None) -> int | None:
    return turns[node].before if node is not None and node in turns else None
