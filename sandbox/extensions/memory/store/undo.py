"""Take changes back: the effects of some lines of the log, and those of memories that are erased or undone. Memories
that they replaced are valid again, unless a remaining memory replaced those as well, or replaced the gone ones.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from sandbox.extensions.memory.errors import UnknownChange
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import Outcome, UndoReport, UndoStep
from sandbox.extensions.memory.store import decisions, entities, entity_resolution, graph, nodes
from sandbox.extensions.memory.store.filters import visible
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("undo")

_UNDO = "undo"
"""The event of the first line in the log of an undo."""

# events that are undone together with the memory that caused them
_ENDED = ("superseded", "corrected", "merged", "united")
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
        seq = plan.closed_seq
        tx.log("reinstated", node.id, node.user_id, was=node.retired_by or "superseded", kept=list(plan.kept))
        tx.execute(_SQL.reinstate, id=node.id, by=plan.retired_by, until=plan.until, seq=seq, now=tx.now)
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
    """Until when a node is valid without the removed ones, the line of the log for that, and all lines that remain in
    force.
    """
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
            elif node.id not in self.gone and not (node.id in self.settled and line["event"] in _ENDED):
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
        elif line["event"] not in ("united", "erased", "possible_conflict") and detail.get("was") != "merged":
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
        values = {**dict(now), **{name: before[name] for names in mine for name in names}}
        seq = self.tx.log("put_back", node.id, node.user_id, actor=self.scope.actor_id, undone=line["seq"])
        nodes.keep_state(self.tx, node, seq)
        until = self.tx.now + decisions.WAITS if values["retired_by"] == decisions.PROPOSED else None
        self.tx.execute(_SQL.put_back, {**values, **at, "now": self.tx.now, "until": until})
        if line["event"] in ("superseded", "corrected"):
            graph.remove_edges(self.tx, graph.replacing(self.tx, node.id))
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
            entity_resolution.merge(self.tx, part, into, self.scope.actor_id)
            self._tell(line, None, "merged")
            return
        last = self.tx.execute(load("entity_resolution").last, into=into).fetchone()
        if last is None or last["entity_id"] != part:
            self._tell(line, None, "kept", _CHANGED_SINCE)
            return
        entity_resolution.split(self.tx, into, self.scope.actor_id)
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
