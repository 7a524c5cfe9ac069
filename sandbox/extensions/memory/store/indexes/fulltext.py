"""The full text tables."""

from typing import NamedTuple


class FullText(NamedTuple):
    """A full text table, and a SQL condition for its nodes."""

    table: str
    kind: str = "true"

    def sql(self, query: str) -> str:
        """A query of this table."""
        return query.replace("{fts}", self.table).replace("{kind}", self.kind)


EVERYTHING = FullText("nodes_fts")
KNOWLEDGE = FullText("knowledge_fts", "type <> 'episodic'")
"""Knowledge alone, so that a search for the few facts need not score every turn."""
