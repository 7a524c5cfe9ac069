"""Decide what a new statement does to known statements that cannot be true beside it."""

from collections.abc import Sequence

from sandbox.extensions.memory.authority import may_change, trust_rank
from sandbox.extensions.memory.ingest.claim_conflicts import find_conflicts
from sandbox.extensions.memory.ingest.conflicts.judge import WordingVerdict, judge
from sandbox.extensions.memory.ingest.conflicts.worded_claims import ParsedStatement, read
from sandbox.extensions.memory.store.memories import claims, graph, nodes
from sandbox.extensions.memory.store.rows import INSTRUCTION, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.words import name_key, terms

_JUDGED = 50  # statements that share the words of a claim with a new one and are compared with it, the latest first
_MARKED = 5  # possible conflicts that are stored for one statement

OTHER_VALUE = "another value of what has one at a time"
"""The reason in the log for most endings."""


def resolve_conflicts(
    tx: Transaction, added: int, draft: Draft, near: Sequence[int] = (), *, holds_now: bool = False
) -> None:
    """End the validity of statements that cannot be true beside a stored one, and store possible conflicts. A statement
    that is told late gets its place in time: each value is valid until the next one. If both statements have claims,
    the claims decide, otherwise the wording. The statement replaces the memories in ``near``. With ``holds_now`` it
    ends everything that began before now.
    """
    found = nodes.by_ids(tx, [added, *near])
    new = found.pop(added)
    for rival in found.values():
        _replace(tx, rival, new, draft, "near match, asked to supersede")
    placed = find_conflicts(tx, new, draft, holds_now=holds_now)
    for each in placed.ended:
        _end(tx, each.older, each.newer, each.until, draft, OTHER_VALUE)
    judged = [each for each in _judged(tx, new, draft) if each[1].id not in found]
    same = [rival for verdict, rival in judged if verdict == "supersedes"]
    later = [] if holds_now else [rival for rival in same if rival.valid_from > new.valid_from]
    following = min(later, key=lambda rival: rival.valid_from, default=None)
    for rival in same:
        if rival is following or rival not in later:
            _replace(tx, rival, new, draft, OTHER_VALUE, is_over=holds_now)
    possible = [rival for verdict, rival in judged if verdict == "possible conflict"]
    doubtful = [rival for rival in (*placed.doubtful, *possible) if _holds(rival, tx.now)]
    for rival in doubtful[:_MARKED]:
        _mark(tx, rival, new, draft)


def may_be_same_subject(draft: Draft, node: Node) -> bool:
    """Whether two statements may have the same subject: one has none, or the names are equal."""
    return draft.subject is None or node.subject is None or name_key(draft.subject) == name_key(node.subject)


def _judged(tx: Transaction, new: Node, draft: Draft) -> list[tuple[WordingVerdict, Node]]:
    """The verdict for each statement that may conflict with a stored one, the latest first."""
    reading = read(draft.content, draft.subject)  # a text that is too long to say one thing is ``apart``, too
    sought = [] if reading.apart else _sought(draft, reading)
    found = nodes.claiming(tx, draft, tx.now, sought, _JUDGED)
    rivals = [
        node
        for node in found
        if node.id != new.id
        and may_be_same_subject(draft, node)
        and (node.category == INSTRUCTION) == (draft.category == INSTRUCTION)
    ]
    judged = {node.id: (judge(read(node.content, node.subject), reading), node) for node in rivals}
    by_words = {node.id for node in _without_claims(tx, draft, rivals)}
    judged = {
        key: each for key, each in judged.items() if key in by_words or each[0] == "possible conflict"
    }  # if both have claims, their words raise at most a doubt
    return list(judged.values())


def _without_claims(tx: Transaction, draft: Draft, found: Sequence[Node]) -> Sequence[Node]:
    """The statements without claims; if the draft has none, all of them. Only the words of a favourite say of what."""
    is_claiming = any(claim.predicate != "favourite" for claim in draft.claims)
    claiming = claims.of_nodes(tx, [node.id for node in found]) if is_claiming else {}
    return [node for node in found if node.id not in claiming]


def _sought(draft: Draft, reading: ParsedStatement) -> list[tuple[list[str], list[str]]]:
    """Search terms for possible conflicts, claim by claim: all words of the first list, and one of the second."""
    sought = [
        (terms(" ".join(claim.needed).replace(" 's", "'s")), terms(" ".join(map(" ".join, claim.phrases))))
        for claim in reading.claims
    ]
    return [*sought, (draft.terms.split(), [])] if reading.claims or draft.term_count > 1 else []


def _replace(tx: Transaction, rival: Node, new: Node, draft: Draft, reason: str, *, is_over: bool = False) -> None:
    """The one that began earlier was valid until the other began; with ``is_over``, the rival ends. If the newer one
    has too little trust, both stay, as a possible conflict.
    """
    is_late = new.valid_from < rival.valid_from and not is_over
    older, newer = (new, rival) if is_late else (rival, new)
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
