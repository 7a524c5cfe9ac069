"""The full text tables, and what FTS5 knows of one as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("search")


@dataclass(frozen=True, slots=True)
class FullText:
    """A full text table, and which nodes are in it, as SQL."""

    table: str
    kind: str = "true"

    def sql(self, query: str) -> str:
        """A query of this table."""
        return query.replace("{fts}", self.table).replace("{kind}", self.kind)


EVERYTHING = FullText("nodes_fts")
KNOWLEDGE = FullText("knowledge_fts", "type <> 'episodic'")
"""Knowledge alone, so that looking for the few facts does not mean scoring every turn."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many rows there are, and how many terms in all of them."""

    rows: int = 0
    tokens: int = 0

    @classmethod
    def read(cls, snapshot: Snapshot, text: FullText) -> "Extent":
        """Those of a table: its record 1 tells the rows, and the tokens of each column (fts5_index.c)."""
        row = snapshot.execute(text.sql(_SQL.extent)).fetchone()
        rows, *tokens = _varints(row[0]) if row and row[0] else (0,)
        return cls(rows, sum(tokens))


def _varints(block: bytes) -> Iterator[int]:
    """Numbers of seven bits a byte, the highest first; what is below 128 is the last of one (SQLite's file format)."""
    value = 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            yield value
            value = 0
