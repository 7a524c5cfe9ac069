"""Decide what a new statement does to known statements that cannot be true beside it.

Claims decide, and no words are read: if two statements cannot both be true, the one that began earlier was valid until
the other began; a statement with several claims is valid until the last of them has ended. So the final beliefs do not
depend on the order of telling. A denial in the same words is in doubt; one that says that something is *no longer* so
ends what was known when it was told.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.authority import may_change, trust_rank
from sandbox.extensions.memory.claims.compare import Agreement, LinkedClaim, deciding, verdict
from sandbox.extensions.memory.claims.moments import begins
from sandbox.extensions.memory.lexicon import pattern, words
from sandbox.extensions.memory.store import claims, graph, nodes
from sandbox.extensions.memory.store.rows import INSTRUCTION, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import fold, is_denied, name_key, terms
from sandbox.extensions.memory.times import to_ms

_SOME_DAY = 1 << 62  # milliseconds: the day of a plan without one

_JUDGED = 50  # statements with the words of a new one that are looked at, the latest first
_LONGEST = 60  # words of a statement, without function words
_MARKED = 5  # possible conflicts that are stored for one statement


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

    def until(self, ender: "Claiming") -> int:
        """When it ends by a later statement: when that begins to hold, but what was called off when it is planned."""
        return ender.at[0] if self.is_plan and not self.is_affirmed else ender.since


def _find_conflicts(
    tx: Transaction, new: Node, draft: Draft, *, holds_now: bool
) -> tuple[list[tuple[Claiming, Claiming]], list[Node]]:
    """Compare a stored statement with others that have claims; if it ``holds_now``, after all begun before now. Returns
    the statements that end, each with the one that ends it, and those that perhaps cannot be true beside it.
    """
    if not draft.claims:
        return [], []
    said = _claiming(tx, new, claims.of_nodes(tx, [new.id])[new.id], claims.told(tx, [new.id])[new.id])
    if holds_now:
        said = said._replace(at=(max(said.since, tx.now), new.id))
    rivals = _about(tx, said, draft)
    last = _last(said, rivals)
    ended, doubtful = [] if last is None else [(said, last)], list[Node]()
    for rival in rivals:
        is_earlier = rival.at < said.at
        older, newer = (rival, said) if is_earlier else (said, rival)
        verdicts = {verdict(each, newer.claims) for each in deciding(older.claims)}
        ender = _ender(tx, rival, said, verdicts, draft) if is_earlier else None
        if ender is not None:
            ended.append((rival, ender))
        elif verdicts & {"exclude", "doubtful"} and (is_earlier or last is None):
            doubtful.append(rival.node)
    return ended, doubtful


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
    weighs = [(each.claim, each.claim.modality == "plan") for each in deciding(kept)]
    # that something is not planned for a time holds from when it is told
    starting = [begins(claim.time, is_plan=is_plan) for claim, is_plan in weighs if claim.is_affirmed or not is_plan]
    starts = [to_ms(start) for start in starting if start is not None]
    since = max([began, *starts])
    found = Claiming((since, node.id), since, node, kept)
    if not found.is_plan or not found.is_affirmed:
        return found._replace(at=(max(since, told), node.id)) if starts else found
    return found._replace(at=(began, node.id), since=since if starts else _SOME_DAY)


def resolve_conflicts(
    tx: Transaction, added: int, draft: Draft, near: Sequence[int] = (), *, holds_now: bool = False
) -> None:
    """End the validity of statements that cannot be true beside a stored one, and store possible conflicts. A statement
    that is told late gets its place in time: each value is valid until the next one. Claims decide; a denial in the
    same words is in doubt, but ends what is said to be no longer so. The statement replaces the memories in ``near``.
    With ``holds_now`` it ends everything that began before now.
    """
    found = nodes.by_ids(tx, [added, *near])
    new = found.pop(added)
    for rival in found.values():
        _replace(tx, rival, new, draft, "near match, asked to supersede")
    for rival in _ended_in_words(tx, draft):
        _replace(tx, rival, new, draft, "said to be no longer so")
        found[rival.id] = rival
    ended, in_doubt = _find_conflicts(tx, new, draft, holds_now=holds_now)
    for older, ender in ended:
        _end(tx, older.node, ender.node, older.until(ender), draft, "another value of what has one at a time")
    gone, denies = {older.node.id for older, _ in ended} | found.keys(), is_denied(draft.content)
    # a denial in the same words, or what it denies
    denials = (node for node in _in_words(tx, draft) if node.id != new.id and is_denied(node.content) != denies)
    possible = {rival.id: rival for rival in (*in_doubt, *denials) if rival.id not in gone}
    doubtful = [rival for rival in possible.values() if _holds(rival, tx.now)]
    for rival in doubtful[:_MARKED]:
        _mark(tx, rival, new, draft)


def may_be_same_subject(draft: Draft, node: Node) -> bool:
    """Whether two statements may have the same subject: one has none, or the names are equal."""
    return draft.subject is None or node.subject is None or name_key(draft.subject) == name_key(node.subject)


def _ended_in_words(tx: Transaction, draft: Draft) -> list[Node]:
    """The statements that a new one ends in their own words: *tests are no longer skipped in CI*. A clause behind
    another one, as in *if they are no longer needed*, ends nothing.
    """
    found = pattern("statements", "no_longer", re.IGNORECASE).search(draft.content)
    if found is None or not is_denied(draft.content):
        return []
    before, behind = draft.content[: found.start()], draft.content[found.end() :]
    if "," in before or not words("statements", "clause").isdisjoint(fold(before).split()):
        return []
    earlier = draft._replace(terms=" ".join(terms(f"{before} {behind}")))
    return [node for node in _in_words(tx, earlier) if not is_denied(node.content)]


def _in_words(tx: Transaction, draft: Draft) -> list[Node]:
    """The statements with the words of a draft that may have its subject. A long one says more than one thing."""
    return [
        node
        for node in (nodes.same_terms(tx, draft, tx.now, _JUDGED) if draft.term_count <= _LONGEST else ())
        if may_be_same_subject(draft, node) and (node.category == INSTRUCTION) == (draft.category == INSTRUCTION)
    ]


def _replace(tx: Transaction, rival: Node, new: Node, draft: Draft, reason: str) -> None:
    """The one that began earlier was valid until the other began. If the newer one has too little trust, both stay, as
    a possible conflict.
    """
    older, newer = (new, rival) if new.valid_from < rival.valid_from else (rival, new)
    if may_change(newer.trust, older.trust):
        _end(tx, older, newer, newer.valid_from, draft, reason)
    elif rival.retired_seq is None and _holds(older, newer.valid_from):
        _mark(tx, rival, new, draft)


def _end(tx: Transaction, older: Node, newer: Node, until: int, draft: Draft, reason: str) -> None:
    if older.retired_seq is None and newer.retired_seq is None and _holds(older, until):
        nodes.end_validity(tx, older, until, draft.scope.actor_id, reason, newer)
        call_off(tx, older, until)
        graph.add_edge(tx, newer.id, older.id, "supersedes", evidence=(newer.public_id,))


def call_off(tx: Transaction, plan: Node, until: int) -> None:
    """Make valid again what a memory, itself valid ``until`` a time in milliseconds, would have ended later."""
    ended = nodes.by_ids(tx, [there for _, there in graph.targets(tx, [plan.id], "supersedes")])
    for node in ended.values():
        if node.retired_seq is None and node.valid_until is not None and node.valid_until > until:
            nodes.reopen(tx, node)


def _mark(tx: Transaction, rival: Node, new: Node, draft: Draft) -> None:
    """Store a possible conflict. The statement with more trust, then the later one, has more weight."""
    second, first = sorted((rival, new), key=lambda node: (trust_rank(node.trust), node.valid_from, node.id))
    graph.add_edge(tx, first.id, second.id, "related_to", predicate=graph.CONFLICT)
    for node, other in ((rival, new), (new, rival)):
        tx.log(graph.CONFLICT, node.id, node.user_id, actor=draft.scope.actor_id, other=other.public_id)


def _holds(node: Node, at: int) -> bool:
    return node.valid_until is None or node.valid_until > at
