"""Merge an export into a memory in use, row by row: ids, versions, times and sources come with the memories.

Memories that exist here do not change, and text that was erased here stays erased. The rows are read twice: first to
decide which memories are new, then to store them with the rows that refer to them. Data that a night makes again, and
counts of use, are left out.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from sandbox.extensions.memory.store.erasing import tombstones
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.store.transfer.dump import Row, Unfit, fitting_into, unembedded

_SQL = load("merging")
_HOME = ("user_id", "session_id", "visibility", "project_id")
_MAYBE = ("session_id", "project_id", "merged_into")
_LOOKED_AT = (*_HOME, "public_id", "type", "source", "key", "fingerprint", "subject", "retired_seq", "valid_until")
_SEQUENCES = ("created_seq", "retired_seq", "closed_seq")

Values = dict[str, Any]


@dataclass(slots=True)
class Merged:
    """How many memories are new, existed here already, and stay erased."""

    new: int = 0
    known: int = 0
    erased: int = 0


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
    became: dict[int, int] = field(
        default_factory=dict
    )  # ids of entities that were merged into others, with the ids of these
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
        self.count = Merged(places.count(None), sum(map(bool, places)), places.count(0))
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
                return int(found["id"])
        return 0 if not self.erased and tombstones.is_erased(self.tx, said) else None

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
            moved = {
                "id": None,
                "last_node_id": last,
                "consolidated_node_id": read_to,
                "episode_count": count,
                "told_seq": None,
            }
            self._insert("sessions", {**row, **moved})

    def embedding_models(self, row: Values) -> None:
        self.models[row["id"]] = self._same("embedding_models", _SQL.same_model, row)

    def vector_groups(self, row: Values) -> None:
        self.groups[row["id"]] = self._same("vector_groups", _SQL.same_group, row)

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
