"""Compare the claims of a new statement with those of others: which does it end, which end it, and which are in doubt?

The module reads no words. If two statements cannot both be true, the one that began earlier was valid until the other
began; a statement with several claims is valid until the last of them has ended. So the final beliefs do not depend on
the order of telling.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.claims.compare import Agreement, LinkedClaim, deciding, verdict
from sandbox.extensions.memory.claims.moments import begins
from sandbox.extensions.memory.store import claims
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.times import to_ms

_SOME_DAY = 1 << 62  # milliseconds: the day of a plan without one


class Claiming(NamedTuple):
    """A statement with its claims, valid ``since`` a time in milliseconds. A statement with a later ``at`` ends those
    with an earlier one; if two began at the same time, ``at`` puts the one that was stored later behind. A plan, and
    what holds since an earlier time (*in Denver since May*), have their place by the time when they were told.
    """

    at: tuple[int, int]
    since: int
    node: Node
    claims: tuple[LinkedClaim, ...]

    @property
    def is_plan(self) -> bool:
        """Whether it only says what is to come."""
        return all(each.claim.modality == "plan" for each in deciding(self.claims))

    @property
    def is_affirmed(self) -> bool:
        """Whether it says that something is so."""
        return all(each.claim.is_affirmed for each in deciding(self.claims))


class Ended(NamedTuple):
    """A statement that was valid until a newer one began, in milliseconds."""

    older: Node
    newer: Node
    until: int


class ClaimConflicts(NamedTuple):
    """The result for a new statement: which statements end, and which perhaps cannot be true beside it."""

    ended: tuple[Ended, ...] = ()
    doubtful: tuple[Node, ...] = ()


def find_conflicts(tx: Transaction, new: Node, draft: Draft, *, holds_now: bool) -> ClaimConflicts:
    """Compare a stored statement with others that have claims. With ``holds_now`` it comes after everything that began
    before now.
    """
    if not draft.claims:
        return ClaimConflicts()
    said = _claiming(tx, new, claims.of_nodes(tx, [new.id])[new.id], claims.told(tx, [new.id])[new.id])
    if holds_now:
        said = said._replace(at=(max(said.since, tx.now), new.id))
    rivals = _about(tx, said, draft)
    last = _last(said, rivals)
    ended = [] if last is None else [Ended(new, last.node, last.since)]
    doubtful = []
    for rival in rivals:
        is_earlier = rival.at < said.at
        older, newer = (rival, said) if is_earlier else (said, rival)
        verdicts = {verdict(each, newer.claims) for each in deciding(older.claims)}
        ender = _ender(tx, rival, said, verdicts, draft) if is_earlier else None
        if ender is not None:
            ended.append(Ended(rival.node, ender.node, ender.since))
        elif verdicts & {"exclude", "doubtful"} and (is_earlier or last is None):
            doubtful.append(rival.node)
    return ClaimConflicts(tuple(ended), tuple(doubtful))


def _ender(tx: Transaction, rival: Claiming, said: Claiming, verdicts: set[Agreement], draft: Draft) -> Claiming | None:
    """The statement that ends an earlier one: the new one, or, if that ends only some of its claims, the last of
    several.
    """
    if "exclude" not in verdicts:
        return None
    others = (
        [] if verdicts == {"exclude"} else [each for each in _about(tx, rival, draft) if each.node.id != said.node.id]
    )
    return _last(rival, [said, *others])


def _last(statement: Claiming, others: Iterable[Claiming]) -> Claiming | None:
    """The statement with which the last claim of ``statement`` ended; None while one of its claims is valid."""
    later = sorted(
        (other for other in others if other.at > statement.at and may_change(other.node.trust, statement.node.trust)),
        key=lambda other: other.at,
    )
    enders = [
        next((other for other in later if verdict(claim, other.claims) == "exclude"), None)
        for claim in deciding(statement.claims)
    ]
    return None if None in enders else max(filter(None, enders), key=lambda ender: ender.at)


def _about(tx: Transaction, statement: Claiming, draft: Draft) -> Sequence[Claiming]:
    """Statements in the same place as a draft whose claims may conflict with ``statement``."""
    found = claims.about(tx, draft, statement.claims)
    ids = [node.id for node in found]
    claimed, told = claims.of_nodes(tx, ids), claims.told(tx, ids)
    others = (_claiming(tx, node, claimed[node.id], told[node.id]) for node in found if node.id != statement.node.id)
    return [other for other in others if not _may_both_hold(*sorted((statement, other), key=lambda each: each.at))]


def _may_both_hold(earlier: Claiming, later: Claiming) -> bool:
    """Whether one is a fact and the other a plan without a day, or a plan whose day had not come when the fact was told
    after it.
    """
    if earlier.is_plan == later.is_plan or not (earlier.is_affirmed and later.is_affirmed):
        return False
    return later.since < earlier.since if earlier.is_plan else later.since == _SOME_DAY


def _claiming(tx: Transaction, node: Node, kept: tuple[LinkedClaim, ...], told: int) -> Claiming:
    began = node.valid_from
    if node.created_at > tx.now:  # by a clock that was ahead
        began = min(began, claims.recorded_by(tx, node.id))
    starting = [begins(each.claim.time, is_plan=each.claim.modality == "plan") for each in deciding(kept)]
    starts = [to_ms(start) for start in starting if start is not None]
    since = max([began, *starts])
    found = Claiming((since, node.id), since, node, kept)
    if not found.is_plan or not found.is_affirmed:
        return found._replace(at=(max(since, told), node.id)) if starts else found
    return found._replace(at=(began, node.id), since=since if starts else _SOME_DAY)
