"""The log of changes: all changes since a line, or for each memory the result of changes by others since the last block
of a conversation. And the state of memories and entities at a moment of memory time: for filters that look back, and
for the block that does not change during a conversation.

Changes are taken back here: the effects of some lines of the log, and those of memories that are erased or undone.
Memories that they replaced are valid again, unless a remaining memory replaced those as well, or replaced the gone
ones.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from sandbox.extensions.memory.errors import UnknownChange
from sandbox.extensions.memory.model import Change, Record, Scope
from sandbox.extensions.memory.reports import Outcome, UndoReport, UndoStep
from sandbox.extensions.memory.store import decisions, entities, graph, nodes, search
from sandbox.extensions.memory.store.decisions import EXPIRED, PROPOSED, REJECTED
from sandbox.extensions.memory.store.filters import Filter, visible, whose
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot, Transaction
from sandbox.extensions.memory.text.words import name_key
from sandbox.support.times import from_ms
from sandbox.support.trust import FOREIGN

_SQL = load("changes")

_STATE = (
    *("retired_at", "retired_seq", "retired_by", "confidence", "anchored_at", "decay_rate", "fades_at"),
    *("importance", "pinned", "trust", "quarantined", "source"),
)

_BROUGHT = ("created", "approved", "corrected", "restored", "reinstated", "put_back", "united")
_ENDED = ("superseded", "forgotten", "pruned", "undone")
_FOREVER = 2**63 - 1  # later than every time
_LOOKED_AT = 1_000  # lines of the log at most, the latest; a large import is not reported line by line
_ANNOUNCED_OTHERWISE = (EXPIRED, PROPOSED, REJECTED)


def records(snapshot: Snapshot, found: Sequence[Node], filter_: Filter) -> list[Record]:
    """The public values of nodes: in their present state, or in the state at the filter's moment."""
    if filter_.believed_seq is None:
        return [node.record(filter_.now) for node in found]
    rows = snapshot.execute(_SQL.states, ids=[node.id for node in found], seq=filter_.believed_seq)
    states = {row["node"]: row for row in rows}
    at = filter_.believed_at or filter_.now
    return [_stood(node, states.get(node.id), filter_).record(at) for node in found]


def _stood(node: Node, state: sqlite3.Row | None, filter_: Filter) -> Node:
    """A node as it was, or as it is if it was learnt later; valid by the rules of ``Filter``."""
    if state is None:
        return node
    stood, closed = node, state["closed_now"]
    if state["node_id"] is not None:
        stood, closed = node._replace(**{name: state[name] for name in _STATE}), state["closed_seq"]
        if not filter_.learnt_later:
            stood = stood._replace(valid_until=state["valid_until"])
    if closed is not None and closed > (filter_.believed_seq or 0) and not filter_.learnt_later:
        stood = stood._replace(valid_until=None)
    return stood


class EntityState(NamedTuple):
    """An entity, now or at a moment; ``gained`` are nodes that it got only by later merges."""

    aliases: tuple[str, ...]
    merged: tuple[str, ...]
    gained: frozenset[int]
    mentions: int
    first: int
    last: int
    summary: str | None


def apart(snapshot: Snapshot, entity_id: int, name: str, filter_: Filter) -> int:
    """The entity that a name meant before it was merged into another."""
    if filter_.believed_at is None:
        return entity_id
    asked = {"at": filter_.believed_at, "folded": name_key(name), "name": name}
    while row := snapshot.execute(_SQL.apart, asked, into=entity_id).fetchone():
        entity_id = row["entity_id"]
    return entity_id


def entity(snapshot: Snapshot, row: sqlite3.Row, filter_: Filter) -> EntityState | None:
    """An entity, or its state at the filter's moment; None if it was not known then. An agent with a list of categories
    sees names that a memory in its reach brought, and no summary, because a summary rests on memories of any category.
    """
    at = _FOREVER if filter_.believed_at is None else filter_.believed_at
    whole = {"into": row["id"], "at": at}
    gained_names, gained = set[str](), set[int]()
    for merge in snapshot.execute(_SQL.gained, whole):
        gained_names.update(json.loads(merge["names"]))
        gained.update(node for node, _ in json.loads(merge["links"]))
    if filter_.believed_at is None:
        count, first, last = search.met(snapshot, row["id"], filter_.mentions())
        summary = row["summary"]
    else:
        count, first, last = search.met(snapshot, row["id"], filter_.condition(), gained)
        if not count:
            return None
        summary = snapshot.value(_SQL.summary, user_id=row["user_id"], about=row["public_id"], at=at)
    first, last = row["first_seen"] if first is None else first, row["last_seen"] if last is None else last
    aliases = [each["name"] for each in snapshot.execute(_SQL.called, id=row["id"], gained=gained_names)]
    merged = [each["name"] for each in snapshot.execute(_SQL.merged, whole)]
    if filter_.allowed is not None:
        brought = {each["name"] for each in snapshot.select(_SQL.brought, filter_.mentions(), id=row["id"])}
        aliases, merged = ([each for each in told if each in brought] for told in (aliases, merged))
        summary = None
    return EntityState(tuple(aliases), tuple(merged), frozenset(gained), count, first, last, summary)


Beginning = tuple[int, int]
"""The last line of the log before a conversation, and its time (milliseconds)."""


def began(snapshot: Snapshot, scope: Scope) -> Beginning | None:
    """The beginning of a scope's conversation; None if it has no turn yet."""
    row = snapshot.execute(_SQL.began, whose(scope)).fetchone()
    return None if row is None else (row[0], row[1])


def known_then(snapshot: Snapshot, categories: Sequence[str], beginning: Beginning, filter_: Filter) -> list[Node]:
    """All memories of some categories that were known then, in the order of the categories and by age, without those of
    tools and pages and without those forgotten since.
    """
    seq, at = beginning
    then = replace(filter_, believed_seq=seq, world=at, learnt_later=False, quarantined=False)
    rows = snapshot.select(_SQL.fixed, then.condition(), categories=categories, foreign=FOREIGN)
    return [Node._make(row) for row in rows]


_ROWS_OF = {"linked": {"source", "target"}, "unlinked": {"source", "target"}, "merged": {"edges", "links"}}
"""Numbers of rows in the log, for undoing; they mean nothing outside the database."""


def change_from_row(row: sqlite3.Row) -> Change:
    """A row of ``changes`` joined with the public id of its node; for an erased node the log holds the id itself."""
    hidden = _ROWS_OF.get(row["event"], ())
    detail = {name: value for name, value in json.loads(row["detail"]).items() if name not in hidden}
    return Change(
        seq=row["seq"],
        at=from_ms(row["at"]),
        event=row["event"],
        id=row["public_id"] or detail.get("id"),
        actor=row["actor"],
        session=row["session_id"],
        detail=detail,
        interface=row["interface"],
        batch=row["batch"],
        reason=detail.get("reason"),
    )


def changes(snapshot: Snapshot, filter_: Filter, after: int, limit: int, *, whole: bool) -> tuple[Change, ...]:
    """The log for a scope, oldest first; with ``whole``, all changes of its user, in every project and session."""
    sql, parameters = _seen(_SQL.changes, filter_)
    rows = snapshot.execute(sql, parameters, after=after, limit=limit, whole=whole)
    return tuple(change_from_row(row) for row in rows)


def changes_of(snapshot: Snapshot, node_ids: Iterable[int]) -> tuple[Change, ...]:
    """The log of some versions of a memory, oldest first."""
    return tuple(change_from_row(row) for row in snapshot.execute(_SQL.changes_of, ids=node_ids))


def writes(snapshot: Snapshot, filter_: Filter) -> dict[str, int]:
    """The number of changes of its user that a scope may see, by interface and event."""
    return {row[0]: row[1] for row in snapshot.execute(*_seen(_SQL.writes, filter_))}


def writes_of(snapshot: Snapshot, filter_: Filter, batch: str, lines: tuple[int, int]) -> dict[str, int]:
    """The same of one call, whose lines are after the first of ``lines`` and not after the second, by event."""
    sql, parameters = _seen(_SQL.writes_of, filter_)
    between = {"batch": batch, "since": lines[0], "until": lines[1]}
    return {row[0]: row[1] for row in snapshot.execute(sql, {**parameters, **between})}


def last_seq(snapshot: Snapshot) -> int:
    """The last line of the log; 0 if it is empty."""
    return snapshot.number(_SQL.last_seq)


def _seen(sql: str, filter_: Filter) -> Condition:
    (nodes, parameters), (entities, _) = filter_.reach(), filter_.known_entities()
    seen = _SQL.seen.replace("{visible_nodes}", nodes).replace("{known_entities}", entities)
    return sql.replace("{seen}", seen), {**parameters, "every_category": filter_.allowed is None}


Kind = Literal["created", "updated", "merged", "removed"]


class Revision(NamedTuple):
    """The last line of the log that was announced in a conversation, and how often something was."""

    seq: int
    number: int = 0


class ChangesSince(NamedTuple):
    """The changes to announce in a conversation after the line ``since``, the latest first."""

    since: Revision
    until: int  # line of the log
    updates: tuple[tuple[Kind, Node], ...] = ()

    @property
    def revision(self) -> Revision:
        """The conversation's revision after they are announced."""
        return Revision(self.until, self.since.number + bool(self.updates))


def delta(snapshot: Snapshot, filter_: Filter, known: Revision | None) -> ChangesSince | None:
    """Changes by others than the scope's conversation since its last block: since the ``known`` revision, or the stored
    one, or its beginning. None at its beginning, or without a conversation.
    """
    scope = filter_.scope
    if scope.session_id is None:
        return None
    last = last_seq(snapshot)
    if known is not None and known.seq == last:
        return ChangesSince(known, last)
    since = max(filter(None, (known, _stored(snapshot, scope))), default=None)
    if since is None:
        return ChangesSince(Revision(last), last)
    asked = {"after": max(since.seq, last - _LOOKED_AT), "events": [*_BROUGHT, *_ENDED], "session_id": scope.session_id}
    seen, parameters = visible(scope)
    believed, more = filter_.condition()
    sql = _SQL.changed.replace("{visible}", seen).replace("{believed}", believed)
    found: dict[tuple[str, str], tuple[Node, sqlite3.Row, set[str]]] = {}
    for row in snapshot.execute(sql, {**parameters, **more, **asked}, foreign=FOREIGN):
        node = Node._make(row[: len(Node._fields)])
        found.setdefault((node.user_id, node.public_id), (node, row, set()))[2].add(row["event"])
    changed = [(_kind(node, row, events, since.seq), node) for node, row, events in found.values()]
    updates = tuple(
        (kind, node) for kind, node in changed if kind is not None and filter_.may_use(node.category or node.type)
    )
    return ChangesSince(since, last, updates)


def mark_announced(tx: Transaction, scope: Scope, revision: Revision) -> None:
    """Record that the changes were announced in a conversation (the column ``told_seq``)."""
    tx.execute(_SQL.mark_announced, whose(scope), seq=revision.seq, revision=revision.number)


def _stored(snapshot: Snapshot, scope: Scope) -> Revision | None:
    """The stored revision, or the end of the log when the conversation began."""
    seq, number = snapshot.execute(_SQL.announced, whose(scope)).fetchone()
    if seq is not None:
        return Revision(seq, number)
    beginning = began(snapshot, scope)
    return None if beginning is None else Revision(beginning[0], number or 0)


def _kind(node: Node, row: sqlite3.Row, events: set[str], since: int) -> Kind | None:
    """The overall change of a memory; None if there is none to announce here."""
    is_new = row["first_seq"] > since or "approved" in events
    if not row["stands"]:
        is_announced = (
            is_new or row["is_replaced"] or node.retired_by == "merged" or node.retired_by in _ANNOUNCED_OTHERWISE
        )
        return None if is_announced else "removed"
    if "united" in events:
        return "merged"
    return "created" if is_new and not row["replaces"] else "updated"


_UNDO = "undo"
"""The event of the first line in the log of an undo."""

# events that are undone together with the memory that caused them
_WITH_ITS_CAUSE = ("superseded", "corrected", "merged", "united")
_FIELDS = (
    ("retired_seq", "retired_by", "retired_at"),
    ("valid_until", "closed_seq"),
    ("decay_rate", "confidence", "anchored_at", "fades_at"),
    ("importance",),
    ("pinned",),
    ("trust", "quarantined"),
    ("source",),
)
"""Columns that change together."""

_CHANGED_SINCE = "it was changed once more since then"
_SET_FOR_ALL = "it is global, which only an administrator changes"
_NIGHT = """c.interface = 'night' AND c.batch = (
    SELECT batch FROM changes WHERE interface = 'night' AND user_id = :user_id AND event <> 'undo'
    ORDER BY seq DESC LIMIT 1)"""

_CHANGE = f"""(c.seq = :change OR c.batch IN (
    SELECT this.batch FROM changes AS this JOIN changes AS first ON first.batch = this.batch
    WHERE this.seq = :change AND first.event IN ('{_UNDO}', '{decisions.APPROVED}')))"""

_LEARNT_FROM = """c.event = 'created' AND n.session_id = :session AND n.project_id IS :project_id
    AND n.type <> 'episodic' AND n.source IN (SELECT value FROM json_each(:learnt))"""

_TURNS = """c.event = 'created' AND n.retired_seq IS NULL AND n.session_id = :session
    AND n.public_id IN (SELECT value FROM json_each(:turns))
    AND NOT EXISTS (SELECT 1 FROM changes AS before WHERE before.node_id = n.id AND before.event = 'undone')"""

_SOURCE = "c.event = 'created' AND n.source = :source AND c.at >= :since"
_INTERFACE = "c.interface = :interface AND c.at >= :since"


class Reinstated(NamedTuple):
    """The later state of a memory that stays: why it is retired (None: it is not), until when it is valid
    (milliseconds, None: still), and the line of the log for that. ``heirs`` are the memories that replace it then.
    """

    node: Node
    retired_by: str | None
    until: int | None
    closed_seq: int | None
    kept: tuple[int, ...]  # lines of the log that still say how its validity ended
    heirs: tuple[Node, ...]

    @property
    def holds_again(self) -> bool:
        """Whether it was retired or had ended, and is valid again."""
        stands = self.retired_by is None and self.until is None and not self.heirs
        return stands and (self.node.retired_by is not None or self.node.valid_until is not None)


def reinstated(snapshot: Snapshot, gone: Sequence[int]) -> list[Reinstated]:
    """The memories that change their state when some nodes are removed."""
    parameters = {"gone": gone}
    by: dict[int, list[int]] = defaultdict(list)
    for row in snapshot.execute(_SQL.replaced, parameters):
        by[row["stays"]].append(row["gone"])
    if not by:
        return []
    heirs: dict[int, list[int]] = defaultdict(list)
    for row in snapshot.execute(_SQL.heirs, parameters):
        heirs[row["gone"]].append(row["heir"])
    found = nodes.by_ids(snapshot, set(by).union(*by.values(), *heirs.values()))
    plans = []
    for id_, replacing in by.items():
        following = dict.fromkeys(heir for each in replacing for heir in heirs[each] if heir != id_)
        plan = _plan(snapshot, found[id_], [found[each] for each in replacing], [found[h] for h in following], gone)
        plans.append(plan)
    return plans


def reinstate(
    tx: Transaction,
    gone: Sequence[int],
    plans: Sequence[Reinstated],
    reason: str = "what stood between them was erased",
) -> None:
    """Give the remaining memories their planned states. Call it before the nodes are deleted or retired."""
    for row in tx.execute(_SQL.parts, gone=gone).fetchall():
        nodes.unmerge(tx, nodes.by_ids(tx, [row["id"]])[row["id"]])
    for plan in plans:
        node = plan.node
        tx.log("reinstated", node.id, node.user_id, was=node.retired_by or "superseded", kept=list(plan.kept))
        state = {"retired_by": plan.retired_by, "valid_until": plan.until, "closed_seq": plan.closed_seq}
        state |= {} if plan.retired_by else {"retired_at": None, "retired_seq": None}
        nodes.update(tx, node.id, merged_into=None, **state)
        if plan.retired_by is None:
            nodes.requeue(tx, node)
        now = nodes.by_ids(tx, [node.id])[node.id]
        for heir in plan.heirs:
            nodes.end_validity(tx, now, heir.valid_from, None, reason, heir)
            graph.add_edge(tx, heir.id, node.id, "supersedes", evidence=(heir.public_id,))


def _plan(
    snapshot: Snapshot, node: Node, replacing: Sequence[Node], heirs: Sequence[Node], gone: Sequence[int]
) -> Reinstated:
    until, seq, kept = _ending(snapshot, node, replacing, gone)
    others = snapshot.execute(_SQL.retiring, id=node.id, gone=gone).fetchone()
    retired_by = node.retired_by
    if retired_by == "merged" or (retired_by == "corrected" and others is None):
        retired_by = _retired_like({each.retired_by for each in replacing}, bool(heirs))
    taking_over = tuple(heir for heir in heirs if heir.valid_from >= node.valid_from)
    return Reinstated(node, retired_by, until, seq, kept, taking_over)


def _retired_like(ends: Collection[str | None], has_heirs: bool) -> str | None:
    """Why a memory stays retired without those that replaced it, if they were themselves corrected or forgotten."""
    if "corrected" in ends and has_heirs:
        return "corrected"
    return "forgotten" if "forgotten" in ends else None


def _ending(
    snapshot: Snapshot, node: Node, replacing: Sequence[Node], gone: Sequence[int]
) -> tuple[int | None, int | None, tuple[int, ...]]:
    """Until when a node is valid without the removed ones, the line of the log for that, and those in force."""
    lines: list[tuple[int, dict[str, object]]] = []
    for row in snapshot.execute(_SQL.endings, id=node.id).fetchall():
        detail = json.loads(row["detail"])
        if row["event"] == "superseded":
            lines.append((row["seq"], detail))
        elif row["event"] == "reinstated" or detail.get("was") == "superseded":
            lines = [line for line in lines if line[0] in detail.get("kept", ())]
    if not lines:
        return node.valid_until, None, ()
    named = [(detail["by"], seq) for seq, detail in lines if "by" in detail]
    left = {row["seq"] for row in snapshot.execute(_SQL.are_left, named=named, user_id=node.user_id, gone=gone)}
    by_them = {max(each.valid_from, node.valid_from) for each in replacing}
    kept = [
        (seq, detail)
        for seq, detail in lines
        if (seq in left if "by" in detail else detail["valid_until"] not in by_them)
    ]
    closings = [(int(str(detail["valid_until"])), seq) for seq, detail in kept]
    stated = lines[0][1].get("was")
    ends: list[tuple[int, int | None]] = [(max(until, node.valid_from), seq) for until, seq in closings]
    ends += [(int(str(stated)), None)] if stated is not None else []
    until, seq = min(ends, default=(None, None), key=lambda end: end[0])
    return until, seq, tuple(seq for seq, _ in kept)


@dataclass(frozen=True, slots=True)
class UndoSelection:
    """Which changes to undo: one; those of the last night; those by which the memory learnt from a session; those of
    a source or through an interface since a moment (milliseconds); or those that added some turns of a session, except
    turns that were undone before, because a person wanted them back.
    """

    change: int | None = None
    night: bool = False
    session: str | None = None
    source: str | None = None
    interface: str | None = None
    since: int = 0
    turns: Sequence[str] = ()

    @property
    def condition(self) -> str:
        """A SQL condition over ``changes AS c`` and their ``nodes AS n``."""
        if self.change is not None:
            return _CHANGE
        if self.night:
            return _NIGHT
        if self.turns:
            return _TURNS
        if self.session is not None:
            return _LEARNT_FROM
        return _SOURCE if self.source is not None else _INTERFACE


def undo(tx: Transaction, wanted: UndoSelection, scope: Scope) -> UndoReport:
    """Undo the wanted changes, the latest first, and return each step. If the report has no number, nothing was
    undone, and the transaction is to be rolled back. Raises ``UnknownChange``.
    """
    (seen, parameters), named = visible(scope), {name: getattr(wanted, name) for name in UndoSelection.__slots__}
    sql = _SQL.lines.replace("{visible}", seen).replace("{wanted}", wanted.condition)
    lines = tx.execute(sql, {**parameters, **named, "learnt": LEARNT}).fetchall()
    lines = [line for line in lines if line["event"] != _UNDO]
    if not lines and wanted.change is not None:
        raise UnknownChange(change=wanted.change)
    if not lines:
        return UndoReport(None, ())
    seq = tx.log(_UNDO, None, scope.user_id, actor=scope.actor_id, lines=len(lines))
    steps = _Undo(tx, scope)
    steps.take_back(lines)
    if wanted.session is not None:
        asked = {"user_id": scope.user_id, "session": wanted.session, "project_id": scope.project_id, "now": tx.now}
        tx.execute(_SQL.retire_summary, asked)
    is_changed = any(step.outcome != "kept" for step in steps.done)
    return UndoReport(seq if is_changed else None, tuple(steps.done))


@dataclass(slots=True)
class _Undo:
    tx: Transaction
    scope: Scope
    done: list[UndoStep] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)  # retired by this undo
    settled: set[int] = field(default_factory=set)  # already put into the state they have without the retired ones

    def take_back(self, lines: Sequence[sqlite3.Row]) -> None:
        found = nodes.by_ids(self.tx, {line["node_id"] for line in lines if line["node_id"] is not None})
        self._retire(lines)
        for line in lines:
            node, detail = found.get(line["node_id"]), json.loads(line["detail"])
            if line["event"] == "context_changed":
                self._rank(line, detail)
            elif node is None:
                self._part_entities(line, detail)
            elif node.visibility == "global" and not self.scope.administrator:
                self._tell(line, node, "kept", _SET_FOR_ALL)
            elif line["event"] in ("linked", "unlinked"):
                self._join(line, node, detail)
            elif node.id not in self.gone and not (node.id in self.settled and line["event"] in _WITH_ITS_CAUSE):
                self._restate(line, node, detail)

    def _retire(self, lines: Sequence[sqlite3.Row]) -> None:
        """Retire the memories that were added, and those built on them; revive what they had ended."""
        brought = {node: line for line in lines if (node := self._brought(line)) is not None}
        mine = nodes.by_ids(self.tx, brought)
        may = self.scope.administrator
        direct = [
            id for id, node in mine.items() if node.retired_by != "undone" and (may or node.visibility != "global")
        ]
        gone = list(direct)
        asked = {"insight": INSIGHT, "learnt": LEARNT}
        while built := self.tx.execute(_SQL.built_on, asked, gone=gone).fetchall() if gone else ():
            gone += [row["id"] for row in built]
        self.gone = set(gone)
        plans = reinstated(self.tx, gone)
        reinstate(self.tx, gone, plans, "what stood between them was undone")
        graph.remove_edges(self.tx, [row["id"] for row in self.tx.execute(_SQL.replaced_by, gone=gone)])
        for each in nodes.by_ids(self.tx, gone).values():
            if each.retired_by in (None, decisions.PROPOSED):
                nodes.retire(self.tx, each, by="undone", event="undone", actor=self.scope.actor_id)
                line = brought.get(each.id)
                self._tell(line, each, "retired", None if line else "it rests on an undone change")
        for plan in plans:
            self.settled.add(plan.node.id)
            if plan.holds_again:
                self._tell(None, plan.node, "believed again", "what replaced it is undone")

    def _brought(self, line: sqlite3.Row) -> int | None:
        """The version that a line of the log added: a new memory, or a correction."""
        if line["event"] == "created":
            return int(line["node_id"])
        if line["event"] != "corrected":
            return None
        return self.tx.value(_SQL.corrected_to, id=line["node_id"])

    def _restate(self, line: sqlite3.Row, node: Node, detail: dict[str, Any]) -> None:
        """Restore the state of a memory before one change."""
        node = nodes.by_ids(self.tx, [node.id])[node.id]
        if line["event"] == "merged" and node.retired_by == "merged":
            nodes.unmerge(self.tx, node)
            nodes.restore(self.tx, node, self.scope.actor_id)
            self._tell(line, node, "believed again")
        elif line["event"] == "parted":
            self._unite(line, node, detail["other"])
        elif line["event"] == "reinstated" and detail["was"] == "merged":
            keeper = self.tx.execute(_SQL.before, id=node.id, seq=line["seq"]).fetchone()["merged_into"]
            for kept in nodes.by_ids(self.tx, [keeper]).values():
                self._unite(line, kept, node.public_id)
        elif line["event"] == "pruned" and node.retired_by == "decayed":
            nodes.restore(self.tx, node, self.scope.actor_id)
            self._tell(line, node, "believed again")
        elif line["event"] != "united" and detail.get("was") != "merged":
            self._put_back(line, node)

    def _put_back(self, line: sqlite3.Row, node: Node) -> None:
        at = {"id": node.id, "seq": line["seq"]}
        before = self.tx.execute(_SQL.before, at).fetchone()
        if before is None:
            return
        now = self.tx.execute(_SQL.now, at).fetchone()
        after = self.tx.execute(_SQL.after, at).fetchone() or now
        changed = [names for names in _FIELDS if any(before[name] != after[name] for name in names)]
        mine = [names for names in changed if all(now[name] == after[name] for name in names)]
        if changed and not mine:
            self._tell(line, node, "kept", _CHANGED_SINCE)
            return
        mended = {name: before[name] for names in mine for name in names}
        values = {**dict(now), **mended}
        seq = self.tx.log("put_back", node.id, node.user_id, actor=self.scope.actor_id, undone=line["seq"])
        nodes.keep_state(self.tx, node, seq)
        purge_at = None if values["retired_seq"] is None else node.purge_at
        if values["retired_by"] == decisions.PROPOSED:
            purge_at = self.tx.now + decisions.WAITS
        nodes.update(self.tx, node.id, purge_at=purge_at, **mended)
        if line["event"] in ("superseded", "corrected"):
            graph.remove_replacing(self.tx, node.id)
        is_back = now["retired_seq"] is not None and values["retired_seq"] is None
        if is_back:
            nodes.requeue(self.tx, node)
        is_gone = now["retired_seq"] is None and values["retired_seq"] is not None
        self._tell(line, node, "believed again" if is_back else "retired" if is_gone else "as before")

    def _unite(self, line: sqlite3.Row, node: Node, other: str) -> None:
        """Merge another memory into a memory again from which it was separated, unless one is retired since then."""
        row = self.tx.execute(_SQL.head, user_id=node.user_id, name=other).fetchone()
        if row is None or (node.retired_seq or 0) > line["seq"]:
            self._tell(line, node, "kept", _CHANGED_SINCE)
            return
        nodes.merge(self.tx, node, nodes.by_ids(self.tx, [row["id"]])[row["id"]], self.scope.actor_id or _UNDO)
        self._tell(line, node, "merged")

    def _join(self, line: sqlite3.Row, node: Node, edge: dict[str, Any]) -> None:
        """Restore or remove an edge. A retired memory keeps its edges except those to the memories it replaced."""
        if "source" not in edge:
            self._link(line, node, edge["to"], edge["relation"])
            return
        if not self.gone.isdisjoint((edge["source"], edge["target"])) or edge["target"] in self.settled:
            return
        if line["event"] == "linked":
            graph.remove_edge(self.tx, edge["source"], edge["target"], edge["relation"], edge["predicate"])
            self._tell(line, node, "unlinked")
        elif len(nodes.by_ids(self.tx, [edge["source"], edge["target"]])) == len({edge["source"], edge["target"]}):
            weights = {"strength": edge["strength"], "confidence": edge["confidence"]}
            evidence = json.loads(edge["evidence"])
            ends, kind = (edge["source"], edge["target"]), edge["relation"]
            graph.add_edge(self.tx, *ends, kind, predicate=edge["predicate"], evidence=evidence, **weights)
            self._tell(line, node, "linked")

    def _link(self, line: sqlite3.Row, node: Node, name: str, role: str) -> None:
        """Restore or remove the link between a memory and an entity."""
        entity = self._entity(name)
        if entity is None or node.id in self.gone:
            return
        is_linked = (entity, node.id) in entities.linked_in(self.tx, [node.id], role)
        is_merged = entities.entity(self.tx, entity)["merged_into"] is not None
        if is_merged or is_linked != (line["event"] == "linked"):
            self._tell(line, node, "kept", _CHANGED_SINCE)
            return
        if is_linked:
            entities.unlink(self.tx, entity, node.id, role)
        else:
            entities.link_all(self.tx, {entity: {node.id: node.event_time}}, role)
        outcome: Literal["linked", "unlinked"] = "unlinked" if is_linked else "linked"
        entities.log_link(self.tx, outcome, node.id, self.scope, entity, role)
        self._tell(line, node, outcome)

    def _rank(self, line: sqlite3.Row, detail: dict[str, Any]) -> None:
        """Give a context its priority before a change."""
        context = self._entity(detail["context"])
        if context is None or detail.get("priority") is None or self._is_set_for_all(line, context):
            return
        if entities.entity(self.tx, context)["priority"] != detail["priority"]:
            self._tell(line, None, "kept", _CHANGED_SINCE)
            return
        entities.set_priority(self.tx, context, detail["was"], self.scope.actor_id)
        self._tell(line, None, "as before")

    def _part_entities(self, line: sqlite3.Row, detail: dict[str, Any]) -> None:
        """Split two entities again, or merge them."""
        if line["event"] not in ("entity_merged", "entity_split"):
            return
        part, into = (self._entity(detail[name]) for name in ("entity", "into"))
        if part is None or into is None or self._is_set_for_all(line, into):
            return
        if line["event"] == "entity_split":
            entities.merge(self.tx, part, into, self.scope.actor_id)
            self._tell(line, None, "merged")
            return
        last = self.tx.execute(load("entities").last, into=into).fetchone()
        if last is None or last["entity_id"] != part:
            self._tell(line, None, "kept", _CHANGED_SINCE)
            return
        entities.split(self.tx, into, self.scope.actor_id)
        self._tell(line, None, "split")

    def _entity(self, name: str) -> int | None:
        row = self.tx.select(_SQL.entity, visible(self.scope, "e"), name=name).fetchone()
        return None if row is None else int(row["id"])

    def _is_set_for_all(self, line: sqlite3.Row, entity: int) -> bool:
        if entities.entity(self.tx, entity)["visibility"] != "global" or self.scope.administrator:
            return False
        self._tell(line, None, "kept", _SET_FOR_ALL)
        return True

    def _tell(self, line: sqlite3.Row | None, node: Node | None, outcome: Outcome, reason: str | None = None) -> None:
        id, content = (None, None) if node is None else (node.public_id, node.content)
        seq, event = (None, None) if line is None else (line["seq"], line["event"])
        self.done.append(UndoStep(outcome, id, content, seq, event, reason))
