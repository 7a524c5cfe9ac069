"""Decide what a new statement does to known statements that cannot be true beside it."""

from collections.abc import Sequence

from sandbox.extensions.memory.authority import may_change, trust_rank
from sandbox.extensions.memory.ingest.claim_conflicts import find_conflicts
from sandbox.extensions.memory.store import graph, nodes
from sandbox.extensions.memory.store.rows import INSTRUCTION, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import is_denied, name_key

_JUDGED = 50  # statements with the words of a new one that are looked at, the latest first
_LONGEST = 60  # words of a statement, without function words
_MARKED = 5  # possible conflicts that are stored for one statement

OTHER_VALUE = "another value of what has one at a time"
"""The reason in the log for most endings."""


def resolve_conflicts(
    tx: Transaction, added: int, draft: Draft, near: Sequence[int] = (), *, holds_now: bool = False
) -> None:
    """End the validity of statements that cannot be true beside a stored one, and store possible conflicts. A statement
    that is told late gets its place in time: each value is valid until the next one. Claims decide; a denial in the
    same words is in doubt. The statement replaces the memories in ``near``. With ``holds_now`` it ends everything that
    began before now.
    """
    found = nodes.by_ids(tx, [added, *near])
    new = found.pop(added)
    for rival in found.values():
        _replace(tx, rival, new, draft, "near match, asked to supersede")
    placed = find_conflicts(tx, new, draft, holds_now=holds_now)
    for each in placed.ended:
        _end(tx, each.older, each.newer, each.until, draft, OTHER_VALUE)
    ended = {each.older.id for each in placed.ended} | found.keys()
    possible = {rival.id: rival for rival in (*placed.doubtful, *_denials(tx, new, draft)) if rival.id not in ended}
    doubtful = [rival for rival in possible.values() if _holds(rival, tx.now)]
    for rival in doubtful[:_MARKED]:
        _mark(tx, rival, new, draft)


def may_be_same_subject(draft: Draft, node: Node) -> bool:
    """Whether two statements may have the same subject: one has none, or the names are equal."""
    return draft.subject is None or node.subject is None or name_key(draft.subject) == name_key(node.subject)


def _denials(tx: Transaction, new: Node, draft: Draft) -> list[Node]:
    """The statements that deny a stored one in its words, or that it denies. A long one says more than one thing."""
    return [
        node
        for node in (nodes.same_terms(tx, draft, tx.now, _JUDGED) if draft.term_count <= _LONGEST else ())
        if node.id != new.id
        and may_be_same_subject(draft, node)
        and is_denied(node.content) != is_denied(draft.content)
        and (node.category == INSTRUCTION) == (draft.category == INSTRUCTION)
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
