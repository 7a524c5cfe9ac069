"""Vectors: a plain table is the truth, ``vec0`` and a matrix in memory are derived from it.

The matrix answers (``matrix.py``). While it is being read after a cold start, ``vec0`` answers from one bit a
dimension, its candidates scored by the vectors themselves. Both are brought up to date by the sequence number of the
last vector they hold, so that what another process wrote is seen; a count of removals rebuilds them.
"""

import json
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.extensions.memory.ports import Vector
from sandbox.extensions.memory.store.connection import driver
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.matrix import Matrix
from sandbox.extensions.memory.store.parts import Parts
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import text_of
from sandbox.extensions.memory.store.scored import Ids, Scored
from sandbox.extensions.memory.store.search import Gate
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("vectors")

_READ_ROWS = 2048  # vectors read at a time
_COLD_ROWS = 20_000  # more than this is not read while a question waits
_BITS_CANDIDATES = 400  # nearest by bits, rescored: keeps .97 of the exact top 20 on conversations
_BITS_WORK = 200_000_000  # candidates times vectors; vec0 needs 1.5 ms of processor time for a million


@dataclass(frozen=True, slots=True)
class Waiting:
    """A node that has no vector yet, and the text to embed for it."""

    node_id: int
    text: str


def model_number(connection: sqlite3.Connection, name: str) -> int | None:
    """The number of a model that has vectors here."""
    row = connection.execute(_SQL.model, {"name": name}).fetchone()
    return None if row is None else row["id"]


def active_model(connection: sqlite3.Connection) -> str | None:
    """The model whose vectors answer questions."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'embedding_model'").fetchone()
    return None if row is None else row["value"]


def answering_model(connection: sqlite3.Connection, name: str) -> int | None:
    """The number of a model, where it is the one whose vectors answer questions."""
    row = connection.execute(_SQL.answering_model, {"name": name}).fetchone()
    return None if row is None else row["id"]


def adopt_model(tx: Transaction, name: str, dimensions: int) -> int:
    """Make a model known; where it is another than the active one, everything waits to be embedded by it."""
    tx.execute(_SQL.insert_model, {"name": name, "dimensions": dimensions})
    number: int = tx.execute(_SQL.model, {"name": name}).fetchone()["id"]
    active = active_model(tx.connection)
    if active is None:
        _activate(tx, name)
    elif active != name:
        requeue_missing(tx, number)
    return number


def requeue_missing(tx: Transaction, model_id: int) -> None:
    """Whatever has no vector of a model waits to be embedded, whoever took it off the backlog for another model."""
    tx.execute(_SQL.requeue, {"model_id": model_id})


def switch_model(tx: Transaction, name: str) -> bool:
    """Let a model answer once nothing waits for it any more; the vectors of others go. True where it switched."""
    if active_model(tx.connection) == name or backlog_size(tx.connection):
        return False
    number = model_number(tx.connection, name)
    tx.execute("DELETE FROM vectors WHERE model_id <> ?", (number,))
    tx.execute("DELETE FROM embedding_models WHERE id <> ?", (number,))
    _count_removal(tx)
    _activate(tx, name)
    if driver().has_vec:
        _derive(tx, number or 0)
    return True


def backlog(connection: sqlite3.Connection, limit: int) -> list[Waiting]:
    """The next nodes to embed."""
    rows = connection.execute(_SQL.backlog, {"limit": limit})
    rows.row_factory = None  # plain tuples: all of an import are read
    return [Waiting(node_id, text_of(speaker, content)) for node_id, content, speaker in rows]


def backlog_size(connection: sqlite3.Connection) -> int:
    """How many nodes wait to be embedded."""
    size: int = connection.execute("SELECT count(*) FROM embedding_backlog").fetchone()[0]
    return size


def store(tx: Transaction, model: str, vectors: Mapping[int, Vector], *, derives: bool = True) -> None:
    """Keep the vectors of some nodes and take them off the backlog.

    Another process may have let another model take over since these were asked for: then this one is made known again.
    """
    model_id = model_number(tx.connection, model)
    if model_id is None:
        model_id = adopt_model(tx, model, len(next(iter(vectors.values()))))
    keep(tx, model_id, vectors, derives=derives)
    tx.execute(_SQL.off_backlog, (json.dumps(list(vectors)),))


def keep(tx: Transaction, model_id: int, vectors: Mapping[int, Vector], *, derives: bool = True) -> None:
    """Keep the vectors of some nodes that are not in the backlog. Nodes that are gone are left out. With ``derives``
    off, for a transaction others wait for, ``vec0`` is left to ``catch_up``.
    """
    groups = _groups(tx, list(vectors))
    tx.insert(
        _SQL.insert,
        ((node, model_id, groups[node], _blob(vector)) for node, vector in vectors.items() if node in groups),
    )
    if derives and driver().has_vec:
        _derive(tx, model_id)


def remove(tx: Transaction, node_ids: Sequence[int]) -> None:
    """Take the vectors of some nodes out of the table and out of every index over it."""
    ids = {"ids": json.dumps(list(node_ids))}
    if tx.execute(_SQL.remove, ids).rowcount:
        _count_removal(tx)
        if driver().has_vec and tx.execute("SELECT 1 FROM sqlite_master WHERE name = 'vec_nodes'").fetchone():
            tx.execute(_SQL.vec_remove, ids)


def is_behind(connection: sqlite3.Connection) -> bool:
    """Whether ``vec0`` holds vectors of the model that answers, and not all of them."""
    meta = _derived(connection)
    held = driver().has_vec and meta.get("vec_model") == active_model(connection)
    return held and int(meta["vec_seq"]) < _last(connection)


def catch_up(tx: Transaction) -> None:
    """Bring ``vec0`` up to date."""
    number = model_number(tx.connection, active_model(tx.connection) or "")
    if number is not None:
        _derive(tx, number)


class VectorIndex:
    """Nearest nodes by cosine. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._matrix: Matrix | None = None
        self._parts = Parts()
        self._lock = threading.Lock()

    def is_cold(self, connection: sqlite3.Connection, model_id: int) -> bool:
        """Whether answering from memory would first have to read more vectors than a question should wait for."""
        matrix = self._matrix
        if matrix is not None and matrix.model_id == model_id:
            return False
        return _last(connection) > _COLD_ROWS

    def warm(self, connection: sqlite3.Connection, model_id: int) -> None:
        """Read every vector that is not in memory yet."""
        self._current(connection, model_id)

    def nearest(self, gate: Gate, model_id: int, query: Vector, limit: int) -> Scored:
        """The nodes most similar to a unit vector, by cosine, that the gate lets through, best first."""
        groups = _visible_groups(gate.connection, gate.filter)
        if not groups or not query.any():
            return Scored.of({})
        if self.is_cold(gate.connection, model_id) and _has_bits(gate.connection):
            found = gate.first(_by_bits(gate.connection, model_id, query), limit)
        else:
            matrix = self._parts.of(self._current(gate.connection, model_id), groups)
            found = gate.first(matrix.nearest(query, groups), limit)
            if len(found) < limit and matrix.is_large:  # the gate lets few through: look at all
                found = gate.first(matrix.every(query, groups), limit)
        return found[found.values > 0]

    def alike(
        self, connection: sqlite3.Connection, filter_: Filter, model_id: int, queries: Vector, minimum: float
    ) -> list[Scored]:
        """For each of some unit vectors the nodes from a cosine with it on, of which the filter has looked at nothing
        but the type and whose they are. Reads every vector that is not in memory yet.
        """
        groups = _visible_groups(connection, filter_)
        matrix = self._parts.of(self._current(connection, model_id), groups)
        found = (matrix.nearest(query, groups) for query in queries)
        return [each[each.values >= minimum] for each in found]

    def cosines(self, connection: sqlite3.Connection, model_id: int, query: Vector, nodes: Ids) -> Scored:
        """The cosine of a unit vector and each of some nodes, where they have one."""
        matrix = self._matrix
        if matrix is not None and matrix.model_id == model_id:
            return matrix.cosines(query, nodes)
        return _by_rows(connection, model_id, query, nodes.tolist())

    def _current(self, connection: sqlite3.Connection, model_id: int) -> Matrix:
        with self._lock:
            self._matrix = _caught_up(connection, self._matrix, model_id)
            return self._matrix


def _caught_up(connection: sqlite3.Connection, matrix: Matrix | None, model_id: int) -> Matrix:
    """A matrix with every vector there is: the one given where nothing changed, else extended or read anew."""
    last, removed = connection.execute(_SQL.state).fetchone()
    if matrix is None or matrix.model_id != model_id or matrix.removed != removed:
        count, dimensions = connection.execute(_SQL.extent, {"model_id": model_id}).fetchone()
        matrix = Matrix.empty(model_id, removed, max(count, 1), dimensions)
    if (last or 0) <= matrix.last_seq:
        return matrix
    rows = connection.execute(_SQL.since, {"seq": matrix.last_seq, "model_id": model_id})
    rows.row_factory = None
    while chunk := rows.fetchmany(_READ_ROWS):
        matrix = matrix.extended(chunk)
    return matrix


def _by_bits(connection: sqlite3.Connection, model_id: int, query: Vector) -> Scored:
    """The nearest by ``vec0``, scored by their own vectors."""
    size = _last(connection) or 1
    limit = min(_BITS_CANDIDATES, max(20, _BITS_WORK // size))
    parameters = {"vector": query.astype("<f4").tobytes(), "limit": limit}
    ids = [row[0] for row in connection.execute(_SQL.vec_nearest, parameters)]
    return _by_rows(connection, model_id, query, ids)


def _by_rows(connection: sqlite3.Connection, model_id: int, query: Vector, ids: Sequence[int]) -> Scored:
    """Cosines of some nodes, from the table."""
    rows = connection.execute(_SQL.some, {"ids": json.dumps(ids), "model_id": model_id})
    return Scored.pairs([(row[0], float(np.frombuffer(row[1], "<f4") @ query)) for row in rows])


def _has_bits(connection: sqlite3.Connection) -> bool:
    """Whether ``vec0`` can be used and holds every vector."""
    if not driver().has_vec:
        return False
    last = connection.execute(_SQL.state).fetchone()["last"]
    meta = _derived(connection)
    return meta.get("vec_model") == active_model(connection) and int(meta.get("vec_seq", 0)) >= (last or 0)


def _blob(vector: Vector) -> bytearray:
    """A vector as it is stored, in the type that is bound ten times as fast as ``bytes``."""
    return bytearray(vector.astype("<f4", copy=False))


def _visible_groups(connection: sqlite3.Connection, filter_: Filter) -> list[int]:
    types = None if filter_.types is None else json.dumps(filter_.types)
    home = filter_.scope.visibility if filter_.in_home else None
    parameters = {"user_id": filter_.scope.user_id, "types": types, "home": home}
    return [row[0] for row in connection.execute(_SQL.visible_groups, parameters)]


def _groups(tx: Transaction, node_ids: Sequence[int]) -> dict[int, int]:
    """The group of each node that exists; groups are made as they are met."""
    found = {}
    for *kind, ids in tx.execute(_SQL.groups, {"ids": json.dumps(list(node_ids))}).fetchall():
        found.update(dict.fromkeys(json.loads(ids), _group_number(tx, *kind)))
    return found


def _group_number(tx: Transaction, user_id: str, visibility: str, type_: str) -> int:
    parameters = {"user_id": user_id, "visibility": visibility, "type": type_}
    tx.execute(_SQL.insert_group, parameters)
    number: int = tx.execute(_SQL.group, parameters).fetchone()["id"]
    return number


def _derive(tx: Transaction, model_id: int) -> None:
    """Bring ``vec0`` up to date with the table, whoever wrote to it. Only for the model that answers."""
    row = tx.execute("SELECT name, dimensions FROM embedding_models WHERE id = ?", (model_id,)).fetchone()
    if row["dimensions"] % 8 or active_model(tx.connection) != row["name"]:
        return
    seq = _derived_upto(tx, row["name"])
    if seq is None and _last(tx.connection) <= _COLD_ROWS:  # nobody would ask it
        return
    if seq is None:
        tx.execute("DROP TABLE IF EXISTS vec_nodes")
        tx.execute(_SQL.vec_create.format(dimensions=row["dimensions"]))
        _set_meta(tx, "vec_model", row["name"])
    tx.execute(_SQL.vec_insert, {"seq": seq or 0, "model_id": model_id})
    _set_meta(tx, "vec_seq", str(_last(tx.connection)))


def _last(connection: sqlite3.Connection) -> int:
    """The last vector."""
    return connection.execute(_SQL.state).fetchone()["last"] or 0


def _derived(connection: sqlite3.Connection) -> dict[str, str]:
    """Whose vectors ``vec0`` holds, and up to which."""
    return dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('vec_model', 'vec_seq')").fetchall())


def _derived_upto(tx: Transaction, model: str) -> int | None:
    """The last vector that ``vec0`` holds; None where it holds none of this model."""
    exists = tx.execute("SELECT 1 FROM sqlite_master WHERE name = 'vec_nodes'").fetchone()
    meta = _derived(tx.connection)
    return int(meta["vec_seq"]) if exists and meta.get("vec_model") == model and "vec_seq" in meta else None


def _activate(tx: Transaction, name: str) -> None:
    _set_meta(tx, "embedding_model", name)


def _count_removal(tx: Transaction) -> None:
    removed = tx.execute(_SQL.state).fetchone()["removed"]
    _set_meta(tx, "vectors_removed", str(int(removed or 0) + 1))


def _set_meta(tx: Transaction, key: str, value: str) -> None:
    tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
