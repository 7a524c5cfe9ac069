-- words: every match with its bm25 (positive, higher is better), best first; read only as far as needed
SELECT rowid, -bm25(nodes_fts, 1.0, :who) AS score FROM nodes_fts WHERE nodes_fts MATCH :match ORDER BY score DESC;

-- features: what spreading needs to know
SELECT n.id, n.session_id, n.who, n.asks, n.term_count
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- of_entities: the latest nodes linked with some entities, mentions before own words
SELECT n.id FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id
WHERE l.entity_id IN (SELECT value FROM json_each(:entities)) AND {condition}
GROUP BY n.id ORDER BY min(l.role = 'speaker'), n.event_time DESC, n.id DESC LIMIT :limit;

-- always: what is eligible whatever the question is
SELECT n.id FROM nodes AS n
WHERE (n.pinned = 1 OR n.category = 'instruction') AND n.type <> 'episodic' AND {condition}
ORDER BY n.pinned DESC, n.importance DESC, n.event_time, n.id LIMIT :limit;

-- weak: what fades, first to fade first
SELECT n.id FROM nodes AS n WHERE n.type <> 'episodic' AND n.fades_at IS NOT NULL AND {condition}
ORDER BY n.fades_at, n.id LIMIT :limit;

-- seq_at: the last change recorded by a moment
SELECT coalesce(max(seq), 0) FROM changes WHERE at <= :at;
