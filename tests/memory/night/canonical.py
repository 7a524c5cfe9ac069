"""The contents of a memory in a form that can be compared: without ids and clocks."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.memory.store import raw

_NODES = """SELECT user_id, visibility, type, content, category, subject, tags, importance, pinned, trust, source,
    version, retired_by, round(confidence, 6), retired_seq IS NULL, valid_until IS NULL FROM nodes"""
_EDGES = """SELECT a.user_id, e.relation, e.predicate, a.content, b.content, round(e.strength, 3), e.confidence,
    json_array_length(e.evidence)
    FROM edges AS e JOIN nodes AS a ON a.id = e.source_id JOIN nodes AS b ON b.id = e.target_id"""
_MERGED = "SELECT a.content, b.content FROM nodes AS a JOIN nodes AS b ON b.id = a.merged_into"
_ENTITIES = "SELECT user_id, name, type, mention_count, summary FROM entities"
_LINKS = """SELECT e.name, l.role, n.content FROM node_entities AS l JOIN entities AS e ON e.id = l.entity_id
    JOIN nodes AS n ON n.id = l.node_id"""
_SUMMARIES = """SELECT s.kind, coalesce(e.name, s.about), s.content, s.made_by,
    (SELECT group_concat(content, '|') FROM (SELECT n.content FROM json_each(s.rests_on) AS r JOIN nodes AS n
        ON n.id = r.value ORDER BY n.content))
    FROM summaries AS s LEFT JOIN entities AS e ON e.public_id = s.about AND e.user_id = s.user_id
    WHERE s.retired_at IS NULL"""
_VECTORS = "SELECT e.name FROM entity_vectors AS v JOIN entities AS e ON e.id = v.entity_id"
_PROFILE = "SELECT p.field, p.value, p.is_told, n.content FROM profile_values AS p JOIN nodes AS n ON n.id = p.node_id"
GRAPH = (_NODES, _EDGES, _MERGED, _ENTITIES, _LINKS, _SUMMARIES, _VECTORS, _PROFILE)

_TABLES = (
    "nodes edges entities entity_names node_entities entity_vectors vectors summaries summary_sources changes sessions"
    " recalls spending checked_pairs night_marks profile_values"
).split()


def graph(folder: Path) -> dict[str, list[Any]]:
    """The graph of the memory in a folder."""
    with closing(raw.connect(folder)) as connection:
        return {sql: sorted(map(repr, connection.execute(sql))) for sql in GRAPH}


def everything(folder: Path) -> str:
    """Every row except counters of recalls, to compare one memory before and after."""
    with closing(raw.connect(folder)) as connection:
        return json.dumps({name: [*map(repr, connection.execute(f"SELECT * FROM {name}"))] for name in _TABLES})
