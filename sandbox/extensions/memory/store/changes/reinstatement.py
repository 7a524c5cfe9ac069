"""Undo the effects of memories that are erased or taken back: memories that they replaced are valid again, unless a
remaining memory replaced those as well, or replaced the erased ones.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.store.memories import facts, graph, nodes
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("reinstatement")


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


def undo(
    tx: Transaction,
    gone: Sequence[int],
    plans: Sequence[Reinstated],
    reason: str = "what stood between them was erased",
) -> None:
    """Give the remaining memories their planned states. Call it before the nodes are deleted or retired."""
    for row in tx.execute(_SQL.parts, gone=gone).fetchall():
        facts.unmerge(tx, nodes.by_ids(tx, [row["id"]])[row["id"]])
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
