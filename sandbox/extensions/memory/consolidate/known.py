"""What is known already and matters: shown to the reader of some turns, and compared with what they taught.

Candidates are found by algorithm, and bounded; a model judges only those.
"""

import sqlite3
from collections.abc import Collection, Sequence

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.consolidate.proposal import Known, KnownFact, Mention, Turn
from sandbox.extensions.memory.consolidate.support import NOBODY
from sandbox.extensions.memory.model import CognitiveType, Scope
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.store import claims, entities
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter, wide_enough
from sandbox.extensions.memory.store.rows import INSIGHT, Draft, Node
from sandbox.extensions.memory.text.words import name_key, terms
from sandbox.extensions.memory.times import from_ms

KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion", "procedural")

_FACTS, _ENTITIES = 20, 20  # shown to a reader at most
_ASKED = 1000  # characters of the turns that are searched with: the words of more are everybody's
_CANDIDATES = 4  # memories a statement is compared with
_NEAR, _SURELY_NEAR = 0.45, 0.7  # cosine from which one is a candidate, where they share a word and where they do not
_HALF = 0.5  # share of words from which one is a candidate however near it is


async def known_to(store: Store, recall: Recall, turns: Sequence[Turn], scope: Scope, now: int) -> Known:
    """What a reader of some turns should know: facts that fit what is said, and who is spoken of."""
    said = " ".join(turn.text for turn in turns if turn.role == "user")[:_ASKED]
    found = await recall.find(said, Filter(scope, now, types=KNOWLEDGE, quarantined=False), _FACTS)
    told = [each.node for each in found if each.node.visibility in wide_enough(scope)]
    facts = tuple(_fact(node) for node in told if node.category != INSIGHT)
    names = dict.fromkeys([each.subject for each in facts if each.subject] + [t.speaker for t in turns if t.speaker])

    def named(connection: sqlite3.Connection) -> tuple[Mention, ...]:
        ids = entities.named(connection, scope, map(name_key, list(names)[:_ENTITIES]))
        return tuple(_mention(connection, each[0]) for each in ids.values())

    return Known(facts, await store.read(named))


async def candidates(store: Store, recall: Recall, draft: Draft, scope: Scope, now: int) -> list[Node]:
    """Memories a statement may say again, change or correct, the nearest first. That they are about the same person
    makes them none, nor do claims that differ in what they claim.
    """
    filter_ = Filter(scope, max(now, draft.event_time), types=KNOWLEDGE, in_home=True)
    found = await recall.find(draft.content, filter_, 2 * _CANDIDATES)
    claimed = await store.read(lambda connection: claims.of_nodes(connection, [each.node.id for each in found]))
    near = [
        each.node
        for each in found
        if each.node.fingerprint != draft.fingerprint
        and each.node.category != INSIGHT
        and _may_meet(draft, each.node, each.similarity or 0.0, [kept.claim for kept in claimed.get(each.node.id, ())])
    ]
    return near[:_CANDIDATES]


def is_about_same(draft: Draft, node: Node) -> bool:
    """Whether a statement and a memory share a telling word beside the names of whom they are about."""
    return bool(_shared(draft, node))


def _may_meet(draft: Draft, node: Node, similarity: float, claimed: Collection[Claim]) -> bool:
    if draft.claims and claimed:
        return not _claimed(draft.claims).isdisjoint(_claimed(claimed))
    shared = _shared(draft, node)
    return similarity >= _SURELY_NEAR or shared >= _HALF or (shared > 0 and similarity >= _NEAR)


def _claimed(claimed: Collection[Claim]) -> set[tuple[str, str]]:
    return {(name_key(claim.subject), claim.predicate) for claim in claimed}


def _shared(draft: Draft, node: Node) -> float:
    """The share of the shorter one's telling words that the other has too; names of whom they are about left out."""
    about = NOBODY.union(*(terms(name) for name in (draft.subject, node.subject) if name))
    mine, theirs = set(draft.terms.split()) - about, set(node.terms.split()) - about
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def _fact(node: Node) -> KnownFact:
    return KnownFact(node.public_id, node.content, from_ms(node.valid_from), node.subject, node.told)


def _mention(connection: sqlite3.Connection, entity_id: int) -> Mention:
    row = entities.entity(connection, entity_id)
    others = tuple(name for name in entities.aliases(connection, entity_id) if name != row["name"])
    return Mention(row["name"], row["type"], others)
