"""Statements enter the graph: stored once, corrected as a new version, superseded when the world changed."""

from collections import Counter
from collections.abc import Sequence

from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store import graph, nodes
from sandbox.extensions.memory.store.nodes import Added
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.words import name_key, statement_words

_SAME_WORDS = 0.6  # "Ann lives in Berlin" and "Ann lives in Leipzig now" are near, though their vectors are not


def near_matches(draft: Draft, found: Sequence[Recollection], threshold: float) -> list[Node]:
    """Which of some recollections are near to a statement: nominated by similarity, never about another subject."""
    return [
        each.node
        for each in found
        if _may_be_same_subject(draft, each.node)
        and ((each.similarity or 0.0) >= threshold or _common_words(draft, each.node) >= _SAME_WORDS)
    ]


def save(tx: Transaction, draft: Draft, rival_id: int | None = None) -> tuple[str, bool]:
    """Store a statement; the public id and whether it is new. ``rival_id`` is superseded, where it is still believed.

    The same statement is not stored twice, nor the same key.
    """
    if draft.key is not None:
        known = nodes.known_keys(tx.connection, draft.scope.user_id, draft.source, [draft.key])
        if known:
            return known[draft.key], False
    same = nodes.same_statement(tx.connection, draft, tx.now)
    if same is not None:
        return nodes.by_ids(tx.connection, [same])[same].public_id, False
    added = nodes.add(tx, draft)
    _link_subject(tx, added, draft)
    if rival_id is not None:
        _supersede(tx, added, rival_id, draft)
    return added.public_id, True


def correct(tx: Transaction, draft: Draft, old: Node) -> str:
    """The next version of a memory: it never was as the old one said."""
    added = nodes.add(tx, draft, previous=old)
    _link_subject(tx, added, draft)
    nodes.retire(tx, old, by="corrected", event="corrected", actor=draft.scope.actor_id)
    graph.add_edge(tx, added.id, old.id, "supersedes")
    return added.public_id


def _supersede(tx: Transaction, added: Added, rival_id: int, draft: Draft) -> None:
    """Close the validity of whichever of the two began earlier, and join them."""
    found = nodes.by_ids(tx.connection, [rival_id, added.id])
    rival, new = found[rival_id], found[added.id]
    if rival.retired_seq is not None:
        return
    older, newer = (new, rival) if new.event_time < rival.event_time else (rival, new)
    nodes.end_validity(tx, older, newer.valid_from, draft.scope.actor_id, reason="near match, asked to supersede")
    graph.add_edge(tx, newer.id, older.id, "supersedes", evidence=(newer.public_id,))


def _link_subject(tx: Transaction, added: Added, draft: Draft) -> None:
    if draft.subject is not None:
        entity_id = graph.resolve(tx, draft.subject, "concept", draft.event_time, draft.scope)
        graph.link(tx, entity_id, {added.id: draft.event_time}, "mentions")


def _may_be_same_subject(draft: Draft, node: Node) -> bool:
    return draft.subject is None or node.subject is None or name_key(draft.subject) == name_key(node.subject)


def _common_words(draft: Draft, node: Node) -> float:
    """The share of the longer statement's words, small ones included, that the other has too."""
    mine, theirs = Counter(statement_words(draft.content)), Counter(statement_words(node.content))
    return (mine & theirs).total() / max(mine.total(), theirs.total(), 1)
