-- turns: nodes with their neighbouring turns, and their owners if only the owner decides who sees them
SELECT n.id,
    (SELECT e.source_id FROM edges AS e WHERE e.target_id = n.id AND e.relation = 'temporal' LIMIT 1),
    (SELECT e.target_id FROM edges AS e WHERE e.source_id = n.id AND e.relation = 'temporal' LIMIT 1),
    n.session_id, n.who, n.event_time,
    CASE WHEN n.type = 'episodic' AND n.visibility = 'user' AND n.quarantined = 0
        AND n.retired_seq IS NULL AND n.valid_until IS NULL AND n.fades_at IS NULL THEN n.user_id END,
    n.term_count, n.type = 'episodic', n.asks,
    n.trust IN ('user', 'confirmed'),
    EXISTS (SELECT 1 FROM edges AS e WHERE e.target_id = n.id AND e.relation IN ('supersedes', 'related_to'))
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- sequences: the last node, the last line of the log and the last edge
SELECT coalesce(max(seq) FILTER (WHERE name = 'nodes'), 0), coalesce(max(seq) FILTER (WHERE name = 'changes'), 0),
    coalesce(max(seq) FILTER (WHERE name = 'edges'), 0)
FROM sqlite_sequence;

-- news: nodes that changed after they were stored, and nodes with new edges, since; with repetitions, because SQLite
-- would read whole indexes to remove these
SELECT node_id FROM changes WHERE seq > :change AND event <> 'created' AND node_id IS NOT NULL
UNION ALL SELECT source_id FROM edges WHERE id > :edge
UNION ALL SELECT target_id FROM edges WHERE id > :edge;
