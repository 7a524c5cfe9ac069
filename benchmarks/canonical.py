"""A memory's graph in canonical form, to compare two: no ids, no clocks, nothing of the order things were stored in."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.store.sqlite.connection import driver

_NODE = "concat_ws('|', n.type, n.session_id, n.key, n.version, n.content)"
_OTHER = _NODE.replace("n.", "m.")

_TABLES = {
    "nodes": f"""SELECT {_NODE}, n.category, n.subject, n.tags, n.user_id, n.visibility, n.project_id, n.event_time,
        n.valid_from, n.valid_until, n.retired_by, n.confidence, n.decay_rate, n.importance, n.pinned, n.trust,
        n.quarantined, n.source FROM nodes AS n""",
    "edges": f"""SELECT {_NODE}, e.relation, e.predicate, round(e.strength, 4), e.confidence, {_OTHER}
        FROM edges AS e JOIN nodes AS n ON n.id = e.source_id JOIN nodes AS m ON m.id = e.target_id""",
    "entities": """SELECT e.user_id, e.name, e.type, e.mention_count, e.summary, e.merged_into IS NOT NULL,
        (SELECT json_group_array(w.name) FROM (SELECT name FROM entity_names WHERE entity_id = e.id ORDER BY name) AS w)
        FROM entities AS e""",
    "links": f"""SELECT e.name, l.role, {_NODE} FROM node_entities AS l JOIN entities AS e ON e.id = l.entity_id
        JOIN nodes AS n ON n.id = l.node_id""",
    "sessions": """SELECT s.user_id, s.session_id, s.episode_count, s.consolidated_by,
        s.consolidated_node_id IS NOT NULL AND s.consolidated_node_id >= s.last_node_id FROM sessions AS s""",
    "summaries": "SELECT s.user_id, s.kind, s.version, s.content, s.retired_at IS NULL FROM summaries AS s",
    "vectors": f"SELECT {_NODE}, v.vector FROM vectors AS v JOIN nodes AS n ON n.id = v.node_id",
    "full text": "SELECT count(*) FROM nodes_fts_docsize UNION ALL SELECT count(*) FROM knowledge_fts_docsize",
}


def canonical(folder: Path) -> dict[str, list[str]]:
    """The rows of each part of the graph in ``folder``, sorted, as text."""
    connection = driver().module.connect(f"file:{folder / 'memory.db'}?mode=ro", uri=True)
    try:
        return {name: sorted(map(_line, connection.execute(sql))) for name, sql in _TABLES.items()}
    finally:
        connection.close()


def differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, tuple[list[str], list[str]]]:
    """What only one of two graphs has, by part."""
    return {
        name: (sorted(set(one[name]) - set(other[name])), sorted(set(other[name]) - set(one[name])))
        for name in one
        if one[name] != other[name]
    }


def _line(row: sqlite3.Row | tuple[Any, ...]) -> str:
    return json.dumps([value.hex() if isinstance(value, bytes) else value for value in tuple(row)], ensure_ascii=False)
