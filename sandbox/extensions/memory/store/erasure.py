"""Erasing, which nothing undoes: unlike what is forgotten, not a word of it stays, only hashes (``tombstones.py``)."""

import json
import sqlite3
from collections.abc import Sequence

from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory.store import tombstones, vectors
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import LEARNT
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("erasure")


def would_erase(connection: sqlite3.Connection, user_id: str, session_id: str) -> ErasureReport:
    """What ``erase_session`` would take along."""
    return _report(connection, _of_session(connection, {"user_id": user_id, "session_id": session_id}))


def erase_session(tx: Transaction, user_id: str, session_id: str) -> ErasureReport:
    """Every version of what was said in a session, of what was learnt from that alone, and whom nothing else speaks of.
    The log keeps that it went.
    """
    whose = {"user_id": user_id, "session_id": session_id}
    gone = _of_session(tx.connection, whose)
    report = _report(tx.connection, gone)
    parameters = {"gone": json.dumps(gone)}
    entities = [dict(row) for row in tx.execute(_SQL.mentioned, parameters)]
    for node in gone:
        tx.log("erased", node, user_id, session_id=session_id)
    tombstones.bury(tx, gone)
    vectors.remove(tx, gone)
    for statement in (_SQL.erase_session, _SQL.erase_recalls, _SQL.erase_summaries):
        tx.execute(statement, whose)
    tx.execute(_SQL.erase, parameters)
    tx.executemany(_SQL.unmention, entities)
    tx.execute(_SQL.forget_unspoken, {"ids": json.dumps([entity["id"] for entity in entities])})
    return report


def _report(connection: sqlite3.Connection, gone: Sequence[int]) -> ErasureReport:
    return ErasureReport(*connection.execute(_SQL.counted, {"gone": json.dumps(gone)}).fetchone())


def _of_session(connection: sqlite3.Connection, whose: dict[str, str]) -> list[int]:
    """What is learnt may itself be learnt from: until nothing more follows."""
    gone = [row["id"] for row in connection.execute(_SQL.said_in, whose)]
    learnt = {**whose, "learnt": json.dumps(LEARNT)}
    while follows := connection.execute(_SQL.unfounded, {**learnt, "gone": json.dumps(gone)}).fetchall():
        gone += [row["id"] for row in follows]
    return gone
