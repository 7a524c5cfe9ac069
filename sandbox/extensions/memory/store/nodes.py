"""Versions of memories: adding, finding, retiring, reinforcing, merging."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.decay import DAY, fades_at, reinforced
from sandbox.extensions.memory.errors import TooManyFacts
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities, graph
from sandbox.extensions.memory.store.filters import Filter, visible, whose
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, NODE_COLUMNS, Draft, Node
from sandbox.extensions.memory.store.sql import load, quoted
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.trust import TRUST_ORDER

_SQL = load("nodes")
_UPDATED = "SELECT updated_at FROM nodes WHERE id = ?"
_VERSIONS = "SELECT max(version) FROM nodes WHERE user_id = ? AND public_id = ?"  # with those that were undone

_MOST = 20_000  # memories of a user that one night examines, the latest
_NEVER = 1 << 62  # later than any time at which a memory fades
_BELIEVED = dict.fromkeys(("retired_at", "retired_seq", "retired_by", "purge_at"))


class Added(NamedTuple):
    """The ids of a new node."""

    id: int
    public_id: str


def add(tx: Transaction, draft: Draft, *, previous: Node | None = None) -> Added:
    """Store one node; with ``previous``, as the next version of that memory."""
    return add_many(tx, [draft], previous=previous)[0]


def add_many(
    tx: Transaction,
    drafts: Sequence[Draft],
    *,
    previous: Node | None = None,
    waits: bool = True,
    generate: Callable[[int], Iterable[str]] | None = None,
) -> list[Added]:
    """Store nodes of one user, each with its line in ``changes``; if it ``waits``, also in the backlog."""
    if not drafts:
        return []
    first, first_seq = tx.reserve("nodes", len(drafts)), tx.reserve("changes", len(drafts))
    names = [previous.public_id] if previous else tx.free_ids("nodes", drafts[0].scope.user_id, len(drafts), generate)
    version, changed = 1, tx.now
    if previous is not None:
        version += tx.number(_VERSIONS, (previous.user_id, previous.public_id))
        changed = max(tx.now, tx.number(_UPDATED, (previous.id,)))  # if the clock was set back
    added = [Added(first + offset, name) for offset, name in enumerate(names)]
    rows = list(zip(added, drafts, range(first_seq, first_seq + len(drafts)), strict=True))
    tx.insert(_SQL.log_created, (_log_row(tx, node, draft, seq) for node, draft, seq in rows))
    tx.insert(_SQL.insert, (_row(tx, node, draft, seq, version, changed) for node, draft, seq in rows))
    if waits:
        tx.insert("INSERT INTO embedding_backlog (node_id) VALUES (?)", ((node.id,) for node in added))
    return added


def by_ids(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, Node]:
    """Nodes by internal id; those that do not exist are missing."""
    sql = f"SELECT {NODE_COLUMNS} FROM json_each(?) AS wanted JOIN nodes AS n ON n.id = wanted.value"
    return {row[0]: Node._make(row) for row in snapshot.plain(sql, (json.dumps(list(ids)),))}


def are_believed(snapshot: Snapshot, ids: Iterable[int]) -> bool:
    """Whether all of these nodes are there and believed: none was erased or forgotten meanwhile."""
    return snapshot.execute(_SQL.unbelieved, ids=list(ids)).fetchone() is None


def versions(snapshot: Snapshot, name: str, scope: Scope) -> list[Node]:
    """Every version of the memory with a public id that ``scope`` may see, newest first, undone ones last."""
    found = [Node._make(row) for row in snapshot.select(_SQL.versions, visible(scope), name=name)]
    return [node for node in found if node.user_id == found[0].user_id]


class Keyed(NamedTuple):
    """The first version of a memory with a key of its caller."""

    public_id: str
    session_id: str | None
    role: str | None
    content: str


def known_keys(
    snapshot: Snapshot, scope: Scope, source: str, keys: Iterable[str], session_id: str | None, *, whole: bool = False
) -> dict[str, Keyed]:
    """Memories that are stored under some of the caller's keys, in the scope's project, or in the session that alone
    sees them; or those of the ``whole`` session, in any project.
    """
    asked = {**whose(scope), "session_id": session_id, "source": source, "keys": keys, "whole": whole}
    return {key: Keyed(*row) for key, *row in snapshot.execute(_SQL.known_keys, asked)}


def of_source(snapshot: Snapshot, scope: Scope, session_id: str, source: str) -> list[Node]:
    """The turns of a session of the scope's project that come from a source, retired ones too."""
    asked = {**whose(scope), "session_id": session_id, "source": source}
    return [Node._make(row) for row in snapshot.execute(_SQL.of_source, asked)]


def count_forgotten(snapshot: Snapshot, user_id: str, public_ids: Iterable[str]) -> int:
    """How many of some memories of a user are forgotten."""
    return snapshot.number(_SQL.count_forgotten, {"user_id": user_id, "public_ids": list(public_ids)})


def said_before(snapshot: Snapshot, draft: Draft, now: int, *, alike: bool = False) -> Node | None:
    """The believed memory of the same home and words, under any type, category and subject unless ``alike``."""
    said = {"fingerprint": draft.fingerprint, "category": draft.category, "subject": draft.subject, "alike": alike}
    row = snapshot.execute(_SQL.said_before, {**home(draft, now), **said}).fetchone()
    return None if row is None else Node._make(row)


def was_rejected(snapshot: Snapshot, draft: Draft) -> bool:
    """Whether somebody forgot or corrected the content of a draft. It is not learnt again, unless the draft has more
    trust than the corrected memory had.
    """
    trusts = [trust for trust in TRUST_ORDER if may_change(trust, draft.trust)]
    parameters = {**home(draft, 0), "fingerprint": draft.fingerprint, "trusts": trusts}
    return snapshot.execute(_SQL.was_rejected, parameters).fetchone() is not None


def same_terms(snapshot: Snapshot, draft: Draft, now: int, limit: int) -> list[Node]:
    """Believed knowledge of the draft's home and type with the same search terms, the latest first."""
    asked = {"match": " ".join(map(quoted, draft.terms.split())), "terms": draft.terms, "limit": limit}
    rows = snapshot.execute(_SQL.same_terms, {**home(draft, now), **asked}) if draft.terms else ()
    return [Node._make(row) for row in rows]


def common(snapshot: Snapshot, terms: Iterable[str], user_id: str, least: int) -> frozenset[str]:
    """Those of some terms that at least so many memories of a user have."""
    found = snapshot.execute(_SQL.common, terms=set(terms), user_id=user_id, least=least)
    return frozenset(row["term"] for row in found)


def users(snapshot: Snapshot) -> list[str]:
    """All users with turns or knowledge, by name."""
    return [row["user_id"] for row in snapshot.execute(_SQL.users)]


def valid_knowledge(snapshot: Snapshot, user_id: str, now: int) -> list[Node]:
    """A user's knowledge that is valid at ``now``, without quarantined memories and insights, the oldest first."""
    rows = snapshot.execute(_SQL.valid_knowledge, user_id=user_id, now=now, left_out=INSIGHT, limit=_MOST)
    return [Node._make(row) for row in rows][::-1]


def own_knowledge(snapshot: Snapshot, filter_: Filter) -> list[Node]:
    """The user's own knowledge that a filter allows and the user may change, without insights, the oldest first."""
    rows = snapshot.select(_SQL.own_knowledge, filter_.condition(), left_out=INSIGHT, limit=_MOST)
    return [Node._make(row) for row in rows][::-1]


def still_valid(snapshot: Snapshot, ids: Iterable[int], now: int) -> set[int]:
    """Which nodes are valid knowledge."""
    return {row["id"] for row in snapshot.execute(_SQL.still_valid, ids=ids, now=now, left_out=INSIGHT)}


def changed(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, int]:
    """When each node was last changed, in milliseconds."""
    return {row["id"]: row["updated_at"] for row in snapshot.execute(_SQL.changed, ids=ids)}


def first_at(snapshot: Snapshot, user_id: str) -> int | None:
    """When the first memory of a user was stored, in milliseconds."""
    return snapshot.value(_SQL.first_at, user_id=user_id)


def insights(snapshot: Snapshot, ids: Iterable[int]) -> list[int]:
    """The nodes that are conclusions, not told."""
    if snapshot.execute(_SQL.concluded).fetchone() is None:
        return []
    return [row["id"] for row in snapshot.execute(_SQL.insights, ids=ids, category=INSIGHT)]


def update(tx: Transaction, node_id: int, **columns: object) -> None:
    """Set columns of a node, and the time of its last change."""
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    sql = f"UPDATE nodes SET {assigned}, updated_at = max(updated_at, :now) WHERE id = :id"
    tx.execute(sql, columns, id=node_id, now=tx.now)


def retire(tx: Transaction, node: Node, by: str, event: str, actor: str | None = None) -> None:
    """End a memory in memory time; it stays as history."""
    seq = tx.log(event, node.id, node.user_id, actor=actor, by=by)
    tx.execute(_SQL.retire, id=node.id, now=tx.now, seq=seq, by=by, into=None)


def forget(tx: Transaction, node: Node, actor: str | None) -> None:
    """Hide a memory, whether it was believed or retired for another reason."""
    seq = tx.log("forgotten", node.id, node.user_id, actor=actor)
    earlier = {"retired_at": node.retired_at or tx.now, "retired_seq": node.retired_seq or seq}
    update(tx, node.id, retired_by="forgotten", **earlier)


def restore(tx: Transaction, node: Node, actor: str | None = None) -> None:
    """Believe a retired memory again; its confidence starts again from the stored value."""
    seq = tx.log("restored", node.id, node.user_id, actor=actor, was=node.retired_by)
    keep_state(tx, node, seq)
    update(tx, node.id, **_BELIEVED, **_lasting(node, max(node.anchored_at, tx.now), pinned=bool(node.pinned)))
    requeue(tx, node)


def keep_state(tx: Transaction, node: Node, seq: int) -> None:
    """Record the state before a line of the log that may change the duration alone; a trigger records other changes."""
    tx.execute(_SQL.keep_state, id=node.id, seq=seq)


def last_recorded(snapshot: Snapshot) -> int | None:
    """When the last memory was recorded, in milliseconds."""
    return snapshot.value(_SQL.last_recorded)


def clock_was_ahead(snapshot: Snapshot, now: int) -> bool:
    """Whether the last night ran later than now."""
    return int(snapshot.meta("last_maintained_at") or 0) > now


def believe_again(tx: Transaction, limit: int = -1) -> int:
    """Undo retirements by a clock that was ahead; return how many. A night only records what has faded."""
    tx.execute(_SQL.not_maintained_later, now=str(tx.now))
    found = by_ids(tx, [row["id"] for row in tx.execute(_SQL.faded_ahead, now=tx.now, limit=limit)])
    for node in found.values():
        tx.log("restored", node.id, node.user_id, was=node.retired_by)
        update(tx, node.id, **_BELIEVED)
        requeue(tx, node)
    return len(found)


def requeue(tx: Transaction, node: Node) -> None:
    """Put a memory into the backlog, because the model may have changed while it was retired."""
    tx.execute(_SQL.requeue, id=node.id)


def end_validity(tx: Transaction, node: Node, until: int, actor: str | None, reason: str, by: Node) -> None:
    """End the validity of a memory because the world changed; it stays as history. The log can undo it."""
    before: dict[str, Any] = {"by": by.public_id, "was": node.valid_until}
    seq = tx.log("superseded", node.id, node.user_id, actor=actor, valid_until=until, reason=reason, **before)
    tx.execute(_SQL.end_validity, id=node.id, until=max(until, node.valid_from), now=tx.now, seq=seq)


def add_repetition(tx: Transaction, node: Node, draft: Draft) -> None:
    """Note that a memory was said again: if it fades, it lasts from now on, with the higher confidence and the longer
    duration of the two. Its importance is the higher one.
    """
    heard: dict[str, object] = {}
    if node.decay_rate > 0:
        sure, rate = max(draft.confidence, node.confidence), min(draft.decay_rate, node.decay_rate)
        anchor = max(node.anchored_at, draft.anchored_at, tx.now)
        fades = None if node.pinned else fades_at(sure, rate, anchor)
        heard = {"confidence": sure, "anchored_at": anchor, "decay_rate": rate, "fades_at": fades}
    if draft.importance > node.importance:
        heard["importance"] = draft.importance
    if heard:
        seq = tx.log("heard", node.id, node.user_id, actor=draft.scope.actor_id, session_id=draft.session_id)
        keep_state(tx, node, seq)
        update(tx, node.id, **heard)


def pin(tx: Transaction, node: Node, actor: str | None, *, pinned: bool) -> None:
    """Pin a memory, so that it neither fades nor is retired by a night; or unpin it."""
    tx.log("pinned" if pinned else "unpinned", node.id, node.user_id, actor=actor)
    anchored_at = node.anchored_at if pinned else max(node.anchored_at, tx.now)
    update(tx, node.id, pinned=pinned, **_lasting(node, anchored_at, pinned=pinned))


def rate(tx: Transaction, node: Node, importance: int, actor: str | None) -> None:
    """Set the importance that a person gives to a memory."""
    tx.log("rated", node.id, node.user_id, actor=actor, importance=importance)
    update(tx, node.id, importance=importance)


def attribute(tx: Transaction, node: Node, source: str) -> None:
    """Change the source of a memory, because another reader has read it, too."""
    tx.log("attributed", node.id, node.user_id, source=source)
    update(tx, node.id, source=source)


def keep_validity(tx: Transaction, node_id: int, until: int) -> None:
    """Give a corrected version the end of validity of the old one."""
    tx.execute(_SQL.end_validity, id=node_id, until=until, now=tx.now, seq=None)


def confirm(tx: Transaction, node: Node, actor: str | None, trust: str | None, decay_rate: float) -> None:
    """Give a memory full confidence, and from now on ``decay_rate``. A person's confirmation, as ``trust``, also raises
    its trust.
    """
    seq = tx.log("confirmed", node.id, node.user_id, actor=actor, trust=trust)
    keep_state(tx, node, seq)
    anchor = max(node.anchored_at, tx.now)
    fades = None if node.pinned else fades_at(1.0, decay_rate, anchor)
    lasts = {"confidence": 1.0, "anchored_at": anchor, "decay_rate": decay_rate, "fades_at": fades}
    update(tx, node.id, **lasts, **({} if trust is None else {"trust": trust, "quarantined": False}))


def reinforce(tx: Transaction, ids: Iterable[int], scope: Scope, now: int, *, once_in: str | None) -> None:
    """Count a recall at ``now`` of each live node, or only the first in the session ``once_in``."""
    counted = list(dict.fromkeys(ids))
    if once_in is not None:  # those that the session was not shown before, which this records
        shown = {"ids": counted, "user_id": scope.user_id, "session_id": once_in}
        counted = [row["node_id"] for row in tx.execute(_SQL.count_recalls, shown, now=tx.now)]
    parameters = {"ids": counted, "now": now}
    tx.execute(_SQL.recalled_lasting, parameters)
    for row in tx.execute(_SQL.fading_among, parameters).fetchall():
        confidence = reinforced(row["confidence"], row["access_count"] + 1)
        fades = fades_at(confidence, row["decay_rate"], max(row["anchored_at"], now))
        tx.execute(_SQL.recalled, id=row["id"], now=now, confidence=confidence, fades_at=fades)


def faded(snapshot: Snapshot, now: int, limit: int) -> list[int]:
    """Ids of believed memories that have faded at ``now``."""
    return [row["id"] for row in snapshot.execute(_SQL.faded, now=now, limit=limit)]


def reopen(tx: Transaction, node: Node, actor: str | None = None) -> None:
    """Undo the end of a validity: the memory is valid, and has no replacement."""
    tx.log("restored", node.id, node.user_id, actor=actor, was="superseded")
    update(tx, node.id, valid_until=None, closed_seq=None)
    graph.remove_replacing(tx, node.id)


def keeper_first(one: Node, other: Node) -> tuple[Node, Node]:
    """Of two memories that say the same, the one to keep and the one to merge: the more trusted stays, then a confirmed
    one, then a pinned one, then the older.
    """
    kept, gone = sorted((one, other), key=_rank, reverse=True)
    return kept, gone


def merge(tx: Transaction, kept: Node, gone: Node, actor: str | None) -> None:
    """Merge ``gone`` into ``kept``, which takes over its sources, entities and tags, and lasts as long as the
    longer-lasting one. From a less trusted memory it takes only turns with enough trust. The log holds what ``undo``
    needs.
    """
    trusts = [trust for trust in TRUST_ORDER if may_change(trust, kept.trust)]
    parameters = {"keeper": kept.id, "other": gone.id, "now": tx.now, "conflict": graph.CONFLICT, "trusts": trusts}
    edges = [row["id"] for row in tx.execute(_SQL.adopt_edges, parameters)]
    is_equal = may_change(gone.trust, kept.trust)
    links = [[row["entity_id"], row["role"]] for row in tx.execute(_SQL.adopt_entities, parameters)] if is_equal else []
    before = {"tags": len(json.loads(kept.tags)), "importance": kept.importance, "pinned": kept.pinned}
    taken: dict[str, Any] = {"into": kept.public_id, "edges": edges, "links": links, **before}
    seq = tx.log("merged", gone.id, gone.user_id, actor=actor, **taken)
    tx.log("united", kept.id, kept.user_id, actor=actor, other=gone.public_id)
    tx.execute(_SQL.retire, id=gone.id, now=tx.now, seq=seq, by="merged", into=kept.id)
    if is_equal:
        update(tx, kept.id, **_strength(kept, gone))


def unmerge(tx: Transaction, node: Node) -> None:
    """Undo what another memory took over from ``node``, except the duration; ``restore`` restores ``node``."""
    row = tx.execute(_SQL.merged, id=node.id).fetchone()
    detail, keeper = json.loads(row["detail"]), row["merged_into"]
    tx.log("parted", keeper, node.user_id, other=node.public_id)
    graph.remove_edges(tx, detail["edges"])
    entities.drop_links(tx, ((entity, keeper, role) for entity, role in detail["links"]))
    before = {name: detail[name] for name in ("importance", "pinned")}
    tx.execute(_SQL.weigh_as_before, before, keeper=keeper, part=node.id, now=tx.now)
    tx.execute(_SQL.part, id=node.id)
    _leave_tags(tx, keeper, node)


def kept_apart(snapshot: Snapshot, ids: Iterable[int]) -> set[int]:
    """The memories that somebody restored after another had replaced them."""
    return {row["node_id"] for row in snapshot.execute(_SQL.kept_apart, ids=ids)}


def check_facts(tx: Transaction, user_id: str, limit: int) -> None:
    """Raise ``TooManyFacts`` if assistants have stored more than ``limit`` facts of a user today (UTC)."""
    stored = tx.number(_SQL.stored_today, user_id=user_id, since=tx.now // DAY * DAY, learnt=LEARNT)
    if stored > limit:  # including the one that is being stored
        raise TooManyFacts(stored=stored - 1, limit=limit)


def home(draft: Draft, now: int) -> dict[str, object]:
    """The home of a draft, as parameters of the queries above."""
    return {**draft.home._asdict(), "session_id": draft.session_id, "type": draft.type, "now": now}


def _log_row(tx: Transaction, node: Added, draft: Draft, seq: int) -> tuple[object, ...]:
    by = (draft.scope.actor_id, draft.session_id, tx.call.batch, tx.call.interface)
    return (seq, tx.now, "created", node.id, draft.scope.user_id, *by)


def _row(tx: Transaction, node: Added, draft: Draft, seq: int, version: int, changed: int) -> tuple[object, ...]:
    scope = draft.scope
    tags = json.dumps(draft.tags) if draft.tags else "[]"
    return (
        *(node.id, node.public_id, version, draft.type, draft.category, draft.subject, tags),
        *(draft.content, draft.terms, draft.who, draft.term_count, draft.asks, draft.fingerprint),
        *(scope.user_id, scope.project_id, scope.agent_id, scope.actor_id, draft.session_id, scope.visibility),
        *(draft.event_time, draft.event_time if draft.valid_from is None else draft.valid_from, tx.now, seq, changed),
        *(draft.confidence, draft.anchored_at, draft.decay_rate, None if draft.pinned else draft.fades_at),
        *(draft.importance, draft.pinned),
        *(draft.trust, draft.quarantined, draft.source, draft.role, draft.speaker, draft.key),
        "{}" if draft.told is None else json.dumps({"told": draft.told}),
    )


def _leave_tags(tx: Transaction, keeper: int, node: Node) -> None:
    """Reduce a memory's tags to its own, which come first, and those of memories still merged into it."""
    tags = json.loads(tx.execute(_SQL.tags, id=keeper).fetchone()["tags"])
    own = tx.execute(_SQL.own_tags, id=keeper, part=node.id).fetchone()["count"]
    left = [tag for row in tx.execute(_SQL.tags_of_parts, id=keeper) for tag in json.loads(row["tags"])]
    mine = tags[:own] if own is not None else [tag for tag in tags if tag not in json.loads(node.tags)]
    update(tx, keeper, tags=dict.fromkeys([*mine, *left]))


def _rank(node: Node) -> tuple[int, bool, int, int]:
    return TRUST_ORDER.index(node.trust), node.decay_rate == 0, node.pinned, -node.id


def _strength(kept: Node, gone: Node) -> dict[str, object]:
    lasting = max(kept, gone, key=lambda node: _NEVER if node.fades_at is None else node.fades_at)
    pinned = max(kept.pinned, gone.pinned)
    return {
        "tags": dict.fromkeys([*json.loads(kept.tags), *json.loads(gone.tags)]),
        "importance": max(kept.importance, gone.importance),
        "pinned": pinned,
        "confidence": lasting.confidence,
        "anchored_at": lasting.anchored_at,
        "decay_rate": lasting.decay_rate,
        "fades_at": None if pinned else lasting.fades_at,
    }


def _lasting(node: Node, anchored_at: int, *, pinned: bool) -> dict[str, object]:
    """The columns of a node that lasts from a moment on."""
    fades = None if pinned else fades_at(node.confidence, node.decay_rate, anchored_at)
    return {"anchored_at": anchored_at, "fades_at": fades}
