"""Write everything in a database row by row, with the JSON Schema of the rows; restore it into an empty one, or merge
it into a memory in use: the same ids, versions, times, order and sources.

Derived data (full text, indexes of vectors) is left out and made again. In a merge, memories that exist here do not
change, text that was erased here stays erased, and counts of use are left out. Its rows are read twice: first to decide
which memories are new, then to store them with the rows that refer to them.
"""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import erasing
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite import migrate
from sandbox.extensions.memory.store.sqlite.connection import errors, open_file
from sandbox.extensions.memory.store.sqlite.migrate import SCHEMA_VERSION
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("transfer")


VERSION = SCHEMA_VERSION  # of the rows' format

# A row comes after the rows it refers to, except for `merged_into` and `rests_on`.
TABLES = (
    *("meta", "changes", "nodes", "past_states", "edges", "entities", "entity_names"),
    *("node_entities", "entity_merges", "claims", "profile_values", "sessions", "summaries", "recalls"),
    *("operations", "spending", "checked_pairs", "night_marks", "nights", "erased_keys"),
    *("embedding_models", "vector_groups", "vectors", "entity_vectors", "documents", "document_vectors"),
)
BYTES = "base64"  # bytes in JSON are an object with this key

Row = tuple[str, dict[str, Any]]
"""The name of a table, and values by column."""

_SCHEMAS: dict[str, dict[str, Any]] = {  # of values in columns of a type
    **{kind: {"type": name} for kind, name in (("INTEGER", "integer"), ("REAL", "number"), ("TEXT", "string"))},
    "BLOB": {
        "type": "object",
        "properties": {BYTES: {"type": "string", "contentEncoding": "base64"}},
        "required": [BYTES],
        "additionalProperties": False,
    },
}
_HOME = ("user_id", "session_id", "visibility", "project_id")
_MAYBE = ("session_id", "project_id", "merged_into")
_LOOKED_AT = (*_HOME, "public_id", "type", "source", "key", "fingerprint", "subject", "retired_seq", "valid_until")
_SEQUENCES = ("created_seq", "retired_seq", "closed_seq")


class Unfit(Exception):
    """A row does not fit the database; the message is a phrase that follows its place."""


def rows(snapshot: Snapshot) -> Iterator[Row]:
    """Every row of every table, in the form of JSON."""
    for table in TABLES:
        for row in snapshot.execute(f"SELECT * FROM {_kept(table)}"):
            values = {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118 (a row is no dict)
            yield table, {name: _plain(value) for name, value in values.items()}


def count(snapshot: Snapshot) -> int:
    """How many these are."""
    return sum(snapshot.number(f"SELECT count(*) FROM {_kept(table)}") for table in TABLES)


def _kept(table: str) -> str:
    """A table, without what is said there of derived data."""
    return "meta WHERE key NOT GLOB 'vec_*'" if table == "meta" else table


def is_empty(tx: Transaction) -> bool:
    """Whether nothing was ever stored."""
    return tx.execute(_SQL.unless_empty).fetchone() is None


def fitting(tx: Transaction, dumped: Iterable[Row]) -> Iterator[Row]:
    """Rows in the form of their tables. Raises :class:`Unfit`, and the errors of ``dumped``."""
    columns = {table: {row["name"] for row in tx.execute(_SQL.columns, name=table)} for table in TABLES}
    for table, values in dumped:
        if table not in columns or not values or not values.keys() <= columns[table]:
            raise Unfit("is of a table, or has a column, that this version does not know")
        yield table, {name: _value(value) for name, value in values.items()}


def restore(tx: Transaction, fitting: Iterable[Row]) -> int:
    """Store every row in an empty database, or nothing; return the count of memories. Raises :class:`Unfit`."""
    tx.execute("PRAGMA defer_foreign_keys = ON")  # until the end, because a row may refer to a later one
    for table, values in fitting:
        sql = f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        with fitting_into(table):
            tx.execute(sql, list(values.values()))
    check_whole(tx)
    tx.execute(_SQL.forget_ids)
    tx.execute(_SQL.take_ids)
    unembedded(tx)
    return tx.number("SELECT count(*) FROM nodes")


@contextmanager
def fitting_into(table: str) -> Iterator[None]:
    """Store a row in this context. Raises :class:`Unfit` if the table refuses it."""
    try:
        yield
    except errors() as error:
        raise Unfit(f"does not fit the table {table} ({type(error).__name__})") from None


def check_whole(tx: Transaction) -> None:
    """Raise :class:`Unfit` if a row refers to one that is missing."""
    if tx.execute("PRAGMA foreign_key_check").fetchone():
        raise Unfit("refers to a row that is not in the file; the file is not whole")


def unembedded(tx: Transaction) -> None:
    """Put every node without a vector into the backlog."""
    tx.execute(_SQL.unembedded)


def holds_of_others(snapshot: Snapshot, scope: Scope) -> bool:
    """Whether it contains memories of another user than the scope's, or global ones."""
    return snapshot.execute(_SQL.of_others, user_id=scope.user_id).fetchone() is not None


def known(snapshot: Snapshot, filter_: Filter) -> Iterator[Node]:
    """The scope's knowledge now, by category."""
    return map(Node._make, snapshot.select(_SQL.known, filter_.condition()))


def turns(snapshot: Snapshot, filter_: Filter) -> Iterator[Node]:
    """The turns of the conversations that a scope sees, one conversation after the other."""
    return map(Node._make, snapshot.select(_SQL.turns, filter_.condition()))


def _plain(value: Any) -> Any:
    return {BYTES: b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        try:
            return b64decode(value[BYTES], validate=True)
        except (KeyError, TypeError, ValueError):
            raise Unfit("holds a value that is neither text, nor a number, nor bytes") from None
    if value is not None and not isinstance(value, str | int | float):
        raise Unfit("holds a value that is neither text, nor a number, nor bytes")
    return value


def row_schemas() -> dict[str, dict[str, Any]]:
    """The schema of a row of each exported table. A row leaves out columns without a value."""
    with (
        TemporaryDirectory(prefix="memory-schema-") as folder,
        closing(open_file(Path(folder) / "made.db")) as connection,
    ):
        migrate.migrate(connection, 0, Path(folder) / "made.db")
        return {table: _row_schema(connection, table) for table in TABLES}


def _row_schema(connection: Any, table: str) -> dict[str, Any]:
    columns = connection.execute(f"SELECT name, type, \"notnull\" FROM pragma_table_info('{table}')").fetchall()
    return {
        "type": "object",
        "properties": {name: _SCHEMAS.get(kind, {}) for name, kind, _ in columns},
        "required": [name for name, _, is_required in columns if is_required],
        "additionalProperties": False,
    }


Values = dict[str, Any]


@dataclass(slots=True)
class Merged:
    """How many memories are new, existed here already, and stay erased; how many known ones stay forgotten, and how
    many say something else here, or have ended in one place alone.
    """

    new: int = 0
    known: int = 0
    erased: int = 0
    forgotten: int = 0
    changed: int = 0


def merge(tx: Transaction, dumped: Callable[[], Iterable[Row]], *, erased: bool) -> Merged:
    """Store what is new among rows in the form of their tables; with ``erased``, also what was erased here. Foreign
    keys are checked at the end. Raises ``Unfit``, and ``KeyError`` if a row lacks a value that its table needs.
    """
    tx.execute("PRAGMA defer_foreign_keys = ON")
    merge = _Merge(tx, erased)
    for table, values in dumped():
        if table == "nodes":
            merge.look(values)
    merge.decide()
    for table, values in dumped():
        if (store := getattr(merge, table, None)) is not None:
            with fitting_into(table):
                store(values)
    merge.finish()
    return merge.count


@dataclass(slots=True)
class _Merge:
    """Ids here by ids in the export; one method for each table that is stored."""

    tx: Transaction
    erased: bool  # whether erased memories are wanted again
    count: Merged = field(default_factory=Merged)
    known: dict[int, int] = field(default_factory=dict)  # memories that exist here
    new: dict[int, int] = field(default_factory=dict)
    met: dict[int, int] = field(default_factory=dict)  # entities
    came: set[int] = field(default_factory=set)  # ids here of new ones
    became: dict[int, int] = field(default_factory=dict)  # entities that were merged, with the ids of the others
    named: Counter[int] = field(default_factory=Counter)
    said: Counter[tuple[Any, ...]] = field(default_factory=Counter)  # turns by home
    seqs: dict[int, int] = field(default_factory=dict)
    models: dict[int, int] = field(default_factory=dict)
    groups: dict[int, int] = field(default_factory=dict)
    kept: dict[int, int] = field(default_factory=dict)  # documents
    lineages: dict[tuple[str, str], Values] = field(default_factory=dict)
    versions: list[tuple[int, tuple[str, str]]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)  # ids of versions in the export

    def look(self, row: Values) -> None:
        """Read a version of a memory: the key is that of the first version, all else that of the last."""
        lineage = (row["user_id"], row["public_id"])
        said = {name: row.get(name) for name in _LOOKED_AT}
        self.lineages[lineage] = said | {"key": self.lineages.get(lineage, said)["key"]}
        self.versions.append((row["id"], lineage))
        self.seen.add(row["id"])

    def decide(self) -> None:
        """Decide which memories are new."""
        here = {lineage: self._here(said) for lineage, said in self.lineages.items()}
        places = list(here.values())
        wanted = [found for lineage, found in here.items() if found and self.lineages[lineage]["retired_seq"] is None]
        forgotten = self.tx.number(_SQL.forgotten, ids=wanted)
        self.count = Merged(places.count(None), sum(map(bool, places)), places.count(0), forgotten, self.count.changed)
        for id, lineage in self.versions:
            if (found := here[lineage]) is None:
                self.new[id] = self.tx.reserve("nodes")
            elif found:
                self.known[id] = found

    def _here(self, said: Values) -> int | None:
        """The same memory here; 0 if it was erased, None if there is none."""
        is_current = said["retired_seq"] is None and said["valid_until"] is None
        ways = (
            (_SQL.same_id, True),
            (_SQL.same_key, said["key"] is not None),
            (_SQL.same_statement, is_current and said["fingerprint"] is not None),
        )
        for sql, fits in ways:
            if fits and (found := self.tx.execute(sql, said).fetchone()) is not None:
                are_believed = found["retired_seq"] is None and said["retired_seq"] is None
                differs = any(found[name] != said[name] for name in ("fingerprint", "valid_until"))
                self.count.changed += are_believed and differs
                return int(found["id"])
        return 0 if not self.erased and erasing.is_erased(self.tx, said) else None

    def changes(self, row: Values) -> None:
        if row.get("node_id") in self.new:
            self.seqs[row["seq"]] = seq = self.tx.reserve("changes")
            moved: Values = {"seq": seq, "node_id": self.new[row["node_id"]]}
            if row["event"] in ("linked", "unlinked"):
                edge = json.loads(row["detail"])
                ends = {end: self._node(edge[end]) for end in ("source", "target") if end in edge}
                moved["detail"] = json.dumps({**edge, **ends})
            self._insert("changes", {**row, **moved})

    def nodes(self, row: Values) -> None:
        if row["id"] not in self.new:
            return
        moved = {name: self._seq(row[name]) for name in _SEQUENCES if name in row}
        part_of = {"merged_into": self._node(row.get("merged_into"))}
        self._insert("nodes", {**row, **moved, **part_of, "id": self.new[row["id"]]})
        if row["type"] == "episodic":
            self.said[self._home(row)] += 1

    def past_states(self, row: Values) -> None:
        if self._is_new(row["node_id"]):
            moved = {name: self._seq(row[name]) for name in ("seq", *_SEQUENCES) if name in row}
            part_of = {"merged_into": self._node(row.get("merged_into"))}
            self._insert("past_states", {**row, **moved, **part_of, "id": None, "node_id": self.new[row["node_id"]]})

    def edges(self, row: Values) -> None:
        source, target = self._node(row["source_id"]), self._node(row["target_id"])
        is_new = [self._is_new(row[end]) for end in ("source_id", "target_id")]
        if source and target and any(is_new):
            self._insert("edges", {**row, "id": None, "source_id": source, "target_id": target})

    def entities(self, row: Values) -> None:
        found = self.tx.execute(_SQL.same_entity, {**dict.fromkeys(_MAYBE), **row}).fetchone()
        if found is not None:
            self.met[row["id"]] = found["id"]
            self.tx.execute(_SQL.seen, row, id=found["id"])
            return
        self.met[row["id"]] = id = self.tx.reserve("entities")
        self.came.add(id)
        if "merged_into" in row:
            self.became[id] = row["merged_into"]
        self._insert("entities", {**row, "id": id, "merged_into": None, "summary": None, "mention_count": 0})

    def entity_names(self, row: Values) -> None:
        self._insert("entity_names", {**row, "entity_id": self.met[row["entity_id"]]})

    def node_entities(self, row: Values) -> None:
        if self._is_new(row["node_id"]):
            entity = self.met[row["entity_id"]]
            self._insert("node_entities", {**row, "entity_id": entity, "node_id": self.new[row["node_id"]]})
            self.named[entity] += 1

    def entity_merges(self, row: Values) -> None:
        entity, into = self.met[row["entity_id"]], self.met[row["into_id"]]
        if {entity, into} <= self.came:
            links = [[self.new[node], role] for node, role in json.loads(row["links"]) if node in self.new]
            moved = {"id": None, "entity_id": entity, "into_id": into, "links": json.dumps(links)}
            self._insert("entity_merges", {**row, **moved})

    def claims(self, row: Values) -> None:
        if self._is_new(row["node_id"]):
            who = {name: self.met.get(row.get(name, 0)) for name in ("subject_id", "value_id")}
            self._insert("claims", {**row, **who, "id": None, "node_id": self.new[row["node_id"]]})

    def profile_values(self, row: Values) -> None:
        if self._is_new(row["node_id"]):
            self._insert("profile_values", {**row, "node_id": self.new[row["node_id"]]})

    def sessions(self, row: Values) -> None:
        if not (count := self.said[self._home(row)]):
            return
        last = self._node(row.get("last_node_id"))
        asked = {**dict.fromkeys(_MAYBE), **row, "last_node_id": last or 0, "count": count}
        if self.tx.execute(_SQL.same_session, asked).fetchone() is None:
            read_to = self._node(row.get("consolidated_node_id"))
            moved = {"last_node_id": last, "consolidated_node_id": read_to, "episode_count": count}
            self._insert("sessions", {**row, **moved, "id": None, "told_seq": None})

    def embedding_models(self, row: Values) -> None:
        self.models[row["id"]] = self._same("embedding_models", load("vectors").model, row)

    def vector_groups(self, row: Values) -> None:
        self.groups[row["id"]] = self._same("vector_groups", load("vectors").group, row)

    def vectors(self, row: Values) -> None:
        if self._is_new(row["node_id"]):
            model, group = self.models[row["model_id"]], self.groups[row["group_id"]]
            moved = {"seq": None, "node_id": self.new[row["node_id"]], "model_id": model, "group_id": group}
            self._insert("vectors", {**row, **moved})

    def documents(self, row: Values) -> None:
        if (id := self._insert("documents", {**row, "id": None})) is not None:
            self.kept[row["id"]] = id

    def document_vectors(self, row: Values) -> None:
        if row["document_id"] in self.kept:
            self._insert("document_vectors", {**row, "document_id": self.kept[row["document_id"]]})

    def finish(self) -> None:
        """The result, after all rows."""
        for id, into in self.became.items():
            self.tx.execute("UPDATE entities SET merged_into = ? WHERE id = ?", (self.met[into], id))
        for id, count in self.named.items():
            self.tx.execute(_SQL.met, id=id, count=count)
        self.tx.execute(_SQL.unnamed, ids=sorted(self.came))
        unembedded(self.tx)

    def _same(self, table: str, sql: str, row: Values) -> int:
        found = self.tx.execute(sql, row).fetchone()
        return int(found["id"]) if found else self._insert(table, {**row, "id": None}) or 0

    def _node(self, there: int | None) -> int | None:
        return None if there is None else self.new.get(there) or self.known.get(there)

    def _is_new(self, there: int) -> bool:
        if there not in self.seen:
            raise Unfit("refers to a row that is not in the file; the file is not whole")
        return there in self.new

    def _seq(self, there: int) -> int:
        if there not in self.seqs:  # its line is not in the file
            self.seqs[there] = self.tx.reserve("changes")
        return self.seqs[there]

    @staticmethod
    def _home(row: Values) -> tuple[Any, ...]:
        return tuple(row.get(name) for name in _HOME)

    def _insert(self, table: str, row: Values) -> int | None:
        """Store a new row; return its id, or None if there is such a row."""
        sql = f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        cursor = self.tx.execute(sql, list(row.values()))
        return cursor.lastrowid if cursor.rowcount else None
