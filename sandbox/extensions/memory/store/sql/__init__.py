"""SQL in named files: every statement starts with ``-- name: purpose``. Callers fill the braces that are not below."""

import itertools
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sandbox.extensions.memory.store.rows import NODE_COLUMNS

HOLDS = (
    "(n.valid_until IS NULL OR n.valid_until > max(:now, n.updated_at)) AND (n.fades_at IS NULL OR n.fades_at > :now)"
)
"""Whether a node is valid and has not faded. What was recorded has happened, also if the clock was set back since."""

_FRAGMENTS = {
    "{columns}": NODE_COLUMNS,
    "{session_columns}": "s.id, s.user_id, s.session_id, s.project_id, s.agent_id, s.actor_id, s.visibility,"
    " coalesce(s.last_node_id, 0), coalesce(s.consolidated_node_id, 0), s.consolidated_by, s.attempts, s.retry_at,"
    " s.problem",
    "{entity_columns}": "e.id, e.public_id, e.user_id, e.project_id, e.session_id, e.visibility, e.name, e.type,"
    " e.mention_count AS mentions, e.summary,"
    " (SELECT json_group_array(w.name) FROM entity_names AS w WHERE w.entity_id = e.id) AS names",
    "{holds}": HOLDS,
    "{in_home}": "n.visibility = :visibility AND n.project_id IS :project_id"
    " AND (n.visibility <> 'session' OR n.session_id IS :session_id)",
    "{in_entity_home}": "e.visibility = :visibility"
    " AND (e.visibility IN ('user', 'global') OR e.project_id IS :project_id)"
    " AND (e.visibility <> 'session' OR e.session_id IS :session_id)",
    "{seen_with_entity}": "n.user_id = e.user_id AND (n.visibility = 'global'"
    " OR (n.visibility = 'user' AND e.visibility <> 'global')"
    " OR (n.visibility = e.visibility AND n.project_id IS e.project_id"
    " AND (n.visibility = 'project' OR n.session_id IS e.session_id)))",
}

_HEADER = re.compile(r"^-- (\w+): ", re.MULTILINE)


class Queries:
    """The statements of one file, as attributes."""

    def __init__(self, statements: dict[str, str]) -> None:
        self._statements = statements

    def __getattr__(self, name: str) -> str:
        try:
            return self._statements[name]
        except KeyError:
            raise AttributeError(f"no statement is named {name!r}; there are {sorted(self._statements)}") from None


@cache
def load(name: str) -> Queries:
    """The statements of ``name.sql``; each keeps its purpose as a comment, which makes traces readable."""
    text = Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")
    for name, sql in _FRAGMENTS.items():
        text = text.replace(name, sql)
    starts = [match.start() for match in _HEADER.finditer(text)] + [len(text)]
    blocks = [text[start:end].strip().rstrip(";") for start, end in itertools.pairwise(starts)]
    return Queries({match[1]: block for block in blocks if (match := _HEADER.match(block))})


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


def quoted(term: str) -> str:
    """A term as a quoted string in a full text query."""
    return '"' + term.replace('"', '""') + '"'
