"""Store statements: each once, a correction as a new version, a supersession if the world changed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.claims.compare import over
from sandbox.extensions.memory.errors import ArgumentsDisagree, SimilarMemory
from sandbox.extensions.memory.ingest.conflict_resolution import call_off, may_be_same_subject, resolve_conflicts
from sandbox.extensions.memory.ingest.telling_apart import may_be_of_another, name_other_codes
from sandbox.extensions.memory.model import OnSimilar
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.store import claims, decisions, entities, graph, nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.nodes import Added
from sandbox.extensions.memory.store.rows import ON_PURPOSE, Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.words import statement_words
from sandbox.extensions.memory.times import to_ms

_LOOKED_AT = 10  # search results that are examined for near matches
_SIMILAR = 0.85  # cosine from which two statements are near matches
_SAME_WORDS = 0.6  # "Ann lives in Berlin" and "Ann lives in Leipzig now" are near matches, though their vectors differ


async def rivals(recall: Recall, draft: Draft, filter_: Filter, on_similar: OnSimilar) -> list[Node]:
    """Believed knowledge of the same type that is a near match of a statement, the nearest first: by similarity, or by
    the share of the words that both have, if no codes in them differ. None if ``on_similar`` is ``keep``. Raises
    ``SimilarMemory`` if it is ``refuse``. To be superseded, a statement has to be nearer than to be refused, because a
    person who likes rain may also like cats, and must not say the same of something else.
    """
    if on_similar == "keep":
        return []
    words = _SIMILAR if on_similar == "supersede" else _SAME_WORDS
    near = [
        each.node
        for each in await recall.find(draft.content, replace(filter_, types=(draft.type,)), _LOOKED_AT)
        if may_be_same_subject(draft, each.node)
        and may_change(draft.trust, each.node.trust)
        and each.node.fingerprint != draft.fingerprint
        and not name_other_codes(draft.content, each.node.content)
        and ((each.similarity or 0.0) >= _SIMILAR or _common_words(draft, each.node) >= words)
    ]
    if near and on_similar == "refuse":
        raise SimilarMemory(ids=", ".join(node.public_id for node in near))
    return [node for node in near if node.home == draft.home and not may_be_of_another(draft.content, node.content)]


def save(tx: Transaction, draft: Draft, rivals: Sequence[Node] = (), sources: Sequence[Node] = ()) -> tuple[str, bool]:
    """Store a statement; return the public id and whether it is new. It supersedes other values of its claims, and
    those ``rivals`` that are still believed; possible conflicts are stored. ``sources`` are the turns it rests on. The
    same statement is stored once. Raises ``ArgumentsDisagree`` if another statement has the key, unless it has less
    trust: then it is replaced.
    """
    versions = of_key(tx, draft)
    if versions and versions[0].fingerprint != draft.fingerprint:
        if not may_change(versions[0].trust, draft.trust):
            replace_less_trusted(tx, versions[0], draft, sources)
        elif draft.fingerprint not in {each.fingerprint for each in versions}:
            raise ArgumentsDisagree(argument="key", value=draft.key, expected="another statement has it")
        return versions[0].public_id, False
    known = versions[0] if versions else nodes.said_before(tx, draft, tx.now, alike=True) or claims.same(tx, draft)
    if draft.waits_for:
        return (propose(tx, draft, sources), True) if known is None else (known.public_id, False)
    if known is None:
        return add(tx, draft, rivals, sources).public_id, True
    if may_change(known.trust, draft.trust):
        add_repetition(tx, known, draft, sources)
    else:
        replace_less_trusted(tx, known, draft, sources)
    return known.public_id, False


def add(tx: Transaction, draft: Draft, rivals: Sequence[Node] = (), sources: Sequence[Node] = ()) -> Added:
    """Store a new statement, and resolve its conflicts."""
    added = _store(tx, draft)
    _derive(tx, added.id, [node.id for node in sources])
    resolve_conflicts(tx, added.id, draft, [rival.id for rival in rivals])
    return added


def propose(tx: Transaction, draft: Draft, sources: Sequence[Node] = ()) -> str:
    """Store a proposal that waits for the user's consent; return its public id. One that needs two statements is
    believed at the second one, if that is from another conversation.
    """
    waits = decisions.propose(tx, draft, sources)
    entities.link_stated(tx, waits.id, draft)
    is_second = waits.retired_by == decisions.PROPOSED and waits.session_id != draft.session_id
    if draft.waits_for == "twice" and is_second:
        approve(tx, waits, draft, sources, None)
    return waits.public_id


def approve(tx: Transaction, waits: Node, draft: Draft, sources: Sequence[Node], actor: str | None) -> None:
    """Believe a proposal from now on, in the words of a draft."""
    decisions.decide(tx, waits, decisions.APPROVED, actor)
    added = _store(tx, draft._replace(key=None), waits)
    _derive(tx, added.id, [node.id for node in sources])
    resolve_conflicts(tx, added.id, draft)


def add_repetition(tx: Transaction, known: Node, draft: Draft, sources: Sequence[Node] = ()) -> None:
    """Add the sources of a repetition to a known memory, and let the memory last anew. A learnt memory that the user
    repeats on purpose counts as told. A repetition with less trust changes nothing.
    """
    if not may_change(draft.trust, known.trust):
        return
    _derive(tx, known.id, [node.id for node in sources])
    nodes.add_repetition(tx, known, draft)
    entities.link_stated(tx, known.id, draft)
    if known.is_learnt and draft.source in ON_PURPOSE:
        nodes.attribute(tx, known, draft.source)
    claims.fill_profile(tx, known.id, draft.scope.user_id, draft.fills)


def replace_less_trusted(tx: Transaction, known: Node, draft: Draft, sources: Sequence[Node]) -> Added:
    """Replace a known memory of less trust by the same statement of more trust: with the new words, scope and contexts,
    and with the new sources only.
    """
    importance = max(known.importance, draft.importance)
    added = _store(
        tx, draft._replace(key=None, importance=importance, pinned=bool(known.pinned)), known, keeps_place=False
    )
    nodes.retire(tx, known, by="corrected", event="corrected", actor=draft.scope.actor_id)
    graph.add_edge(tx, added.id, known.id, "supersedes")
    _derive(tx, added.id, [node.id for node in sources])
    resolve_conflicts(tx, added.id, draft)
    return added


def _store(tx: Transaction, draft: Draft, previous: Node | None = None, *, keeps_place: bool = True) -> Added:
    """Store a version with its entities, profile fields and claims, and with the contexts of the version before."""
    added = nodes.add(tx, draft, previous=previous)
    if draft.subject is not None:
        entities.mention(tx, [Mention(draft.subject)], added.id, draft.event_time, draft.scope)
    entities.link_named(tx, {added.id: (draft.content, draft.event_time)}, draft.scope)
    entities.link_stated(tx, added.id, draft, previous if keeps_place else None)
    claims.fill_profile(tx, added.id, draft.scope.user_id, draft.fills)
    claims.put(tx, added.id, draft)
    if (until := over(draft.claims)) is not None:
        nodes.keep_validity(tx, added.id, to_ms(until))
    return added


def of_key(snapshot: Snapshot, draft: Draft) -> Sequence[Node]:
    """The versions of the memory that is stored under the same key, the newest first; none if there is no such one."""
    if draft.key is None:
        return ()
    known = nodes.known_keys(snapshot, draft.scope, draft.source, [draft.key], draft.session_id)
    return nodes.versions(snapshot, known[draft.key].public_id, draft.scope) if known else ()


def _derive(tx: Transaction, node_id: int, source_ids: Sequence[int]) -> None:
    for source_id in source_ids:
        graph.add_edge(tx, node_id, source_id, "derived_from")


def correct(
    tx: Transaction, draft: Draft, old: Node, sources: Sequence[Node] = (), *, holds_now: bool = False
) -> Added:
    """Store the next version of a memory that was never true. Its sources are the turns that corrected it, and its
    session. ``holds_now``: the correction is true of today, not of the time when the memory was first told.
    """
    added = _store(tx, draft, old)
    call_off(tx, old, tx.now)
    if old.valid_until is not None:
        nodes.keep_validity(tx, added.id, old.valid_until)
    nodes.retire(tx, old, by="corrected", event="corrected", actor=draft.scope.actor_id)
    graph.add_edge(tx, added.id, old.id, "supersedes")
    if sources or draft.session_id is not None:
        _derive(tx, added.id, [node.id for node in sources])
    else:  # without other sources it keeps those of the old version
        _derive(tx, added.id, [there for _, there in graph.targets(tx, [old.id], "derived_from")])
    resolve_conflicts(tx, added.id, draft, holds_now=holds_now and old.valid_until is None)
    return added


def forget(tx: Transaction, node: Node, actor: str | None) -> None:
    """Hide a memory. What it was to replace on a later day stays valid."""
    call_off(tx, node, tx.now)
    nodes.forget(tx, node, actor)


def _common_words(draft: Draft, node: Node) -> float:
    """The share of common words in the longer statement; function words count."""
    mine, theirs = Counter(statement_words(draft.content)), Counter(statement_words(node.content))
    return (mine & theirs).total() / max(mine.total(), theirs.total(), 1)
