"""Erase: unlike forgetting, this leaves no text, only hashes (``tombstones.py``), and cannot be undone.

Each version of a memory rests on its own turns and goes with them; memories that it had replaced are valid again
(``reinstatement.py``). Names go with their last text (``name_removal.py``).
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory.store import sessions
from sandbox.extensions.memory.store.changes import reinstatement
from sandbox.extensions.memory.store.changes.reinstatement import Reinstated
from sandbox.extensions.memory.store.entities import identity, name_removal
from sandbox.extensions.memory.store.erasing import erasure_selection, tombstones
from sandbox.extensions.memory.store.erasing.erasure_selection import ErasureSelection
from sandbox.extensions.memory.store.indexes import vectors
from sandbox.extensions.memory.store.memories import documents, nodes
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.transfer import exports

_SQL = load("erasure")


def would_erase(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> ErasureReport:
    """What ``erase`` would remove. Raises ``NotAdministrator``."""
    gone = _gone(snapshot, scope, selection)
    return _report(snapshot, scope, gone, reinstatement.reinstated(snapshot, gone))


def erase(tx: Transaction, scope: Scope, selection: ErasureSelection) -> ErasureReport:
    """Erase every version of the selected memories, in any home, with memories learnt from them alone, and with
    entities and names that nothing else mentions. The log records that memories were erased. Raises
    ``NotAdministrator`` if one of them is global.
    """
    gone = _gone(tx, scope, selection)
    plans = reinstatement.reinstated(tx, gone)
    report = _report(tx, scope, gone, plans)
    of_session = sessions.of_project(scope, selection.session)
    left = erasure_selection.homes(tx, scope, gone) if selection.session is None else [of_session]
    identity.take_back(tx, gone)
    for _, node in sorted(nodes.by_ids(tx, gone).items()):  # in the order of storing, which tells nothing
        home = {"id": node.public_id, "visibility": node.visibility, "project": node.project_id}
        tx.log("erased", node.id, node.user_id, **home)
    tombstones.add(tx, gone)
    reinstatement.undo(tx, gone, plans)
    name_removal.disinherit(tx, gone)
    for session in left:
        tx.execute(_SQL.erase_summaries, session)
        documents.erase_session(tx, session)
    erase_nodes(tx, gone)
    for session in left:
        if not erasure_selection.mend(tx, session):
            tx.execute(_SQL.erase_session, session)
            _forget_name(tx, {**session, "gone": json.dumps(gone)})
    if selection.is_all:
        erasure_selection.drop_user(tx, scope.user_id)
        tombstones.unname(tx, scope.user_id)
    erasure_selection.mark(tx)
    return report


def erase_nodes(tx: Transaction, gone: Sequence[int]) -> None:
    """Delete nodes with their dependent rows, and entities and names that nothing else mentions."""
    parameters = {"gone": json.dumps(gone)}
    met = [row["id"] for row in tx.execute(_SQL.mentioned, parameters)]
    vectors.remove(tx, gone)
    tx.execute(_SQL.erase, parameters)
    name_removal.unname(tx, met)
    if tx.execute(_SQL.has_samples).fetchone():
        tx.execute(_SQL.erase_samples)


def _forget_name(tx: Transaction, whose: dict[str, object]) -> None:
    """Remove the name of a session, because it may say as much as its turns."""
    for sql in (_SQL.erase_entities, _SQL.unname_nodes, _SQL.unname_entities, _SQL.unname_summaries):
        tx.execute(sql, whose)
    if tx.execute(_SQL.is_left, whose).fetchone():
        tx.execute(_SQL.unname_changes_of, whose)
        return
    for sql in (_SQL.erase_recalls, _SQL.unname_changes, _SQL.unname_operations):
        tx.execute(sql, whose)


def _report(snapshot: Snapshot, scope: Scope, gone: Sequence[int], plans: Sequence[Reinstated]) -> ErasureReport:
    turns, learnt = snapshot.execute(_SQL.counted, {"gone": json.dumps(gone)}).fetchone()
    report = erasure_selection.report(snapshot, gone, turns, learnt, sum(plan.holds_again for plan in plans))
    return replace(report, exports=exports.holding(snapshot, scope.user_id, gone))


def _gone(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> list[int]:
    """The nodes to erase, with everything learnt from them alone, step by step until nothing more follows."""
    whose = sessions.of_project(scope, selection.session)
    gone = erasure_selection.meant(snapshot, scope, selection)
    gone += [row["id"] for row in snapshot.execute(_SQL.said_in, whose)]
    learnt = {**whose, "learnt": json.dumps(LEARNT), "insight": INSIGHT}
    while follows := snapshot.execute(_SQL.unfounded, {**learnt, "gone": json.dumps(gone)}).fetchall():
        gone += [row["id"] for row in follows]
    if erasure_selection.are_global(snapshot, gone):
        check_audience(scope, "global")
    return gone
