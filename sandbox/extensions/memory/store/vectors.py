"""Vectors: a plain table is the truth, ``vec0`` and a matrix in memory are derived from it.

The matrix answers exactly (one product over all rows). While it is being read after a cold start, ``vec0`` answers from
one bit a dimension, its candidates scored by the vectors themselves. Both are brought up to date by the sequence number
of the last vector they hold, so that what another process wrote is seen; a count of removals rebuilds them.
"""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.ports import Vector
from sandbox.extensions.memory.store.connection import driver
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.search import Gate, Scored
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("vectors")

_READ_ROWS = 2048  # vectors read at a time
_COLD_ROWS = 20_000  # more than this is not read while a question waits
_SORTED_FIRST = 256  # of a ranking; the rest only if it is read that far
_BITS_CANDIDATES = 400  # nearest by bits, rescored: keeps .97 of the exact top 20 on conversations


@dataclass(frozen=True, slots=True)
class Waiting:
    """A node that has no vector yet, and the text to embed for it."""

    node_id: int
    text: str


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Vectors of one model in memory: rows of ``vectors``, shape (capacity, dimensions), the first ``size`` in use."""

    model_id: int
    last_seq: int
    removed: str | None
    size: int
    nodes: NDArray[np.int64]
    groups: NDArray[np.int32]
    vectors: Vector
    is_ascending: bool = True  # nodes are, as long as none was embedded late


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
    return model_number(connection, name) if active_model(connection) == name else None


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
    """The next nodes to embed. A turn is embedded with its speaker: who said it is half of what is asked for."""
    return [
        Waiting(row["node_id"], f"{row['speaker']}: {row['content']}" if row["speaker"] else row["content"])
        for row in connection.execute(_SQL.backlog, {"limit": limit})
    ]


def backlog_size(connection: sqlite3.Connection) -> int:
    """How many nodes wait to be embedded."""
    size: int = connection.execute("SELECT count(*) FROM embedding_backlog").fetchone()[0]
    return size


def store(tx: Transaction, model: str, vectors: Mapping[int, Vector]) -> None:
    """Keep the vectors of some nodes and take them off the backlog. Nodes that are gone are left out.

    Another process may have let another model take over since these were asked for: then this one is made known again.
    """
    model_id = model_number(tx.connection, model)
    if model_id is None:
        model_id = adopt_model(tx, model, len(next(iter(vectors.values()))))
    groups = _groups(tx, list(vectors))
    rows = ((node, model_id, groups[node], vectors[node].astype("<f4").tobytes()) for node in vectors if node in groups)
    tx.executemany(_SQL.insert, rows)
    tx.executemany("DELETE FROM embedding_backlog WHERE node_id = ?", ((node,) for node in vectors))
    if driver().has_vec:
        _derive(tx, model_id)


class VectorIndex:
    """Nearest nodes by cosine. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._matrix: _Matrix | None = None
        self._lock = threading.Lock()

    def is_cold(self, connection: sqlite3.Connection, model_id: int) -> bool:
        """Whether answering exactly would first have to read more vectors than a question should wait for."""
        matrix = self._matrix
        if matrix is not None and matrix.model_id == model_id:
            return False
        return int(connection.execute(_SQL.count, {"model_id": model_id}).fetchone()[0]) > _COLD_ROWS

    def warm(self, connection: sqlite3.Connection, model_id: int) -> None:
        """Read every vector that is not in memory yet."""
        self._current(connection, model_id)

    def nearest(self, gate: Gate, model_id: int, query: Vector, limit: int) -> Scored:
        """The nodes most similar to a unit vector, by cosine, that the gate lets through."""
        groups = _visible_groups(gate.connection, gate.filter)
        if not groups or not query.any():
            return []
        if self.is_cold(gate.connection, model_id) and _has_bits(gate.connection):
            ranked = _by_bits(gate.connection, model_id, query)
        else:
            ranked = _by_product(self._current(gate.connection, model_id), query, groups)
        return gate.first(ranked, limit)

    def cosines(
        self, connection: sqlite3.Connection, model_id: int, query: Vector, nodes: Iterable[int]
    ) -> dict[int, float]:
        """The cosine of a unit vector and each of some nodes, where they have one."""
        wanted = list(nodes)
        matrix = self._matrix
        if matrix is None or matrix.model_id != model_id:
            rows = connection.execute(_SQL.some, {"ids": json.dumps(wanted), "model_id": model_id})
            return {row[0]: float(np.frombuffer(row[1], "<f4") @ query) for row in rows}
        found, at = _rows_of(matrix, wanted)
        return dict(zip(found, np.einsum("ij,j->i", matrix.vectors[at], query).tolist(), strict=True))

    def _current(self, connection: sqlite3.Connection, model_id: int) -> _Matrix:
        with self._lock:
            self._matrix = _caught_up(connection, self._matrix, model_id)
            return self._matrix


def _caught_up(connection: sqlite3.Connection, matrix: _Matrix | None, model_id: int) -> _Matrix:
    """A matrix with every vector there is: the one given where nothing changed, else extended or read anew."""
    last, removed = connection.execute(_SQL.state).fetchone()
    if matrix is None or matrix.model_id != model_id or matrix.removed != removed:
        count = connection.execute(_SQL.count, {"model_id": model_id}).fetchone()[0]
        dimensions = connection.execute("SELECT dimensions FROM embedding_models WHERE id = ?", (model_id,)).fetchone()[
            0
        ]
        matrix = _empty(model_id, removed, max(count, 1), dimensions)
    if (last or 0) <= matrix.last_seq:
        return matrix
    rows = connection.execute(_SQL.since, {"seq": matrix.last_seq, "model_id": model_id})
    while chunk := rows.fetchmany(_READ_ROWS):
        matrix = _extended(matrix, chunk)
    return matrix


def _empty(model_id: int, removed: str | None, capacity: int, dimensions: int) -> _Matrix:
    return _Matrix(
        model_id,
        0,
        removed,
        0,
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.empty((capacity, dimensions), np.float32),
    )


def _extended(matrix: _Matrix, rows: Sequence[sqlite3.Row]) -> _Matrix:
    """The matrix with some rows more. Rows in use are never written again, so older views of it stay valid."""
    size = matrix.size + len(rows)
    nodes, groups, vectors = matrix.nodes, matrix.groups, matrix.vectors
    if size > len(nodes):
        capacity = max(size, len(nodes) + len(nodes) // 2)
        nodes, groups = np.resize(nodes, capacity), np.resize(groups, capacity)
        grown = np.empty((capacity, vectors.shape[1]), np.float32)
        grown[: matrix.size] = vectors[: matrix.size]
        vectors = grown
    nodes[matrix.size : size] = [row[1] for row in rows]
    groups[matrix.size : size] = [row[2] for row in rows]
    joined = np.frombuffer(b"".join([row[3] for row in rows]), "<f4")
    vectors[matrix.size : size] = joined.reshape(len(rows), -1)
    added = nodes[max(matrix.size - 1, 0) : size]
    is_ascending = matrix.is_ascending and bool((np.diff(added) > 0).all())
    return _Matrix(matrix.model_id, rows[-1][0], matrix.removed, size, nodes, groups, vectors, is_ascending)


def _by_product(matrix: _Matrix, query: Vector, groups: Sequence[int]) -> Iterator[tuple[int, float]]:
    """(node, cosine) of everything in some groups, best first; sorted only as far as it is read."""
    nodes, vectors = matrix.nodes[: matrix.size], matrix.vectors[: matrix.size]
    seen = np.isin(matrix.groups[: matrix.size], groups)
    if not seen.all():
        nodes, vectors = nodes[seen], vectors[seen]
    # einsum, not @: as fast on one core, and a threaded BLAS waits up to 8 ms for a busy machine's second core
    scores = np.einsum("ij,j->i", vectors, query)
    done, step = 0, _SORTED_FIRST
    while done < len(scores):
        upto = min(len(scores), done + step)
        best = np.argpartition(-scores, upto - 1)[:upto] if upto < len(scores) else np.arange(len(scores))
        best = best[np.argsort(-scores[best], kind="stable")][done:]
        best = best[scores[best] > 0]
        yield from zip(nodes[best].tolist(), scores[best].tolist(), strict=True)
        if done + len(best) < upto:
            return
        done, step = upto, step * 8


def _rows_of(matrix: _Matrix, nodes: Sequence[int]) -> tuple[list[int], NDArray[np.intp]]:
    """Those of some nodes that are in the matrix, and where."""
    known = matrix.nodes[: matrix.size]
    order = None if matrix.is_ascending else np.argsort(known, kind="stable")
    wanted = np.asarray(nodes, np.int64)
    at = np.minimum(np.searchsorted(known, wanted, sorter=order), max(matrix.size - 1, 0))
    at = at if order is None else order[at]
    there = known[at] == wanted if matrix.size else np.zeros(len(wanted), bool)
    return wanted[there].tolist(), at[there]


def _by_bits(connection: sqlite3.Connection, model_id: int, query: Vector) -> Iterator[tuple[int, float]]:
    """(node, cosine) of the nearest by ``vec0``, scored by their own vectors."""
    parameters = {"vector": query.astype("<f4").tobytes(), "limit": _BITS_CANDIDATES}
    ids = [row[0] for row in connection.execute(_SQL.vec_nearest, parameters)]
    rows = connection.execute(_SQL.some, {"ids": json.dumps(ids), "model_id": model_id}).fetchall()
    scored = [(row[0], float(np.frombuffer(row[1], "<f4") @ query)) for row in rows]
    return iter(sorted((pair for pair in scored if pair[1] > 0), key=lambda pair: -pair[1]))


def _has_bits(connection: sqlite3.Connection) -> bool:
    """Whether ``vec0`` can be used and holds every vector."""
    if not driver().has_vec:
        return False
    last = connection.execute(_SQL.state).fetchone()["last"]
    meta = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('vec_model', 'vec_seq')").fetchall())
    return meta.get("vec_model") == active_model(connection) and int(meta.get("vec_seq", 0)) >= (last or 0)


def _visible_groups(connection: sqlite3.Connection, filter_: Filter) -> list[int]:
    types = None if filter_.types is None else json.dumps(filter_.types)
    parameters = {"user_id": filter_.scope.user_id, "types": types}
    return [row[0] for row in connection.execute(_SQL.visible_groups, parameters)]


def _groups(tx: Transaction, node_ids: Sequence[int]) -> dict[int, int]:
    """The group of each node that exists; groups are made as they are met."""
    numbers: dict[tuple[str, str, str], int] = {}
    found = {}
    for row in tx.execute(_SQL.groups, {"ids": json.dumps(list(node_ids))}).fetchall():
        kind = (row["user_id"], row["visibility"], row["type"])
        if kind not in numbers:
            numbers[kind] = _group_number(tx, kind)
        found[row["node_id"]] = numbers[kind]
    return found


def _group_number(tx: Transaction, kind: tuple[str, str, str]) -> int:
    parameters = dict(zip(("user_id", "visibility", "type"), kind, strict=True))
    tx.execute(_SQL.insert_group, parameters)
    number: int = tx.execute(_SQL.group, parameters).fetchone()["id"]
    return number


def _derive(tx: Transaction, model_id: int) -> None:
    """Bring ``vec0`` up to date with the table, whoever wrote to it. Only for the model that answers."""
    row = tx.execute("SELECT name, dimensions FROM embedding_models WHERE id = ?", (model_id,)).fetchone()
    if row["dimensions"] % 8 or active_model(tx.connection) != row["name"]:
        return
    seq = _derived_upto(tx, row["name"])
    if seq is None:
        tx.execute("DROP TABLE IF EXISTS vec_nodes")
        tx.execute(_SQL.vec_create.format(dimensions=row["dimensions"]))
        _set_meta(tx, "vec_model", row["name"])
    tx.execute(_SQL.vec_insert, {"seq": seq or 0, "model_id": model_id})
    last = tx.execute(_SQL.state).fetchone()["last"] or 0
    _set_meta(tx, "vec_seq", str(last))


def _derived_upto(tx: Transaction, model: str) -> int | None:
    """The last vector that ``vec0`` holds; None where it holds none of this model."""
    exists = tx.execute("SELECT 1 FROM sqlite_master WHERE name = 'vec_nodes'").fetchone()
    meta = dict(tx.execute("SELECT key, value FROM meta WHERE key IN ('vec_model', 'vec_seq')").fetchall())
    return int(meta["vec_seq"]) if exists and meta.get("vec_model") == model and "vec_seq" in meta else None


def _activate(tx: Transaction, name: str) -> None:
    _set_meta(tx, "embedding_model", name)


def _count_removal(tx: Transaction) -> None:
    removed = tx.execute(_SQL.state).fetchone()["removed"]
    _set_meta(tx, "vectors_removed", str(int(removed or 0) + 1))


def _set_meta(tx: Transaction, key: str, value: str) -> None:
    tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
