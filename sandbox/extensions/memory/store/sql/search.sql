-- turns: nodes, who stands beside them, and whose they are where nothing but that decides who may see them
SELECT n.id,
    (SELECT e.source_id FROM edges AS e WHERE e.target_id = n.id AND e.relation = 'temporal' LIMIT 1),
    (SELECT e.target_id FROM edges AS e WHERE e.source_id = n.id AND e.relation = 'temporal' LIMIT 1),
    n.session_id, n.who, n.event_time,
    CASE WHEN n.type = 'episodic' AND n.visibility = 'user' AND n.quarantined = 0
        AND n.retired_seq IS NULL AND n.valid_until IS NULL AND n.fades_at IS NULL THEN n.user_id END,
    n.term_count, n.type = 'episodic', n.asks,
    EXISTS (SELECT 1 FROM edges AS e WHERE e.target_id = n.id AND e.relation IN ('supersedes', 'related_to'))
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- sequences: the numbers of the last node, of the last line of the log and of the last edge
SELECT coalesce(max(seq) FILTER (WHERE name = 'nodes'), 0), coalesce(max(seq) FILTER (WHERE name = 'changes'), 0),
    coalesce(max(seq) FILTER (WHERE name = 'edges'), 0)
FROM sqlite_sequence;

-- news: nodes that something happened to after they were stored, and nodes that were joined with others, since; more
-- than once, for SQLite would read whole indexes to have each once
SELECT node_id FROM changes WHERE seq > :change AND event <> 'created' AND node_id IS NOT NULL
UNION ALL SELECT source_id FROM edges WHERE id > :edge
UNION ALL SELECT target_id FROM edges WHERE id > :edge;

-- linked: which of some entities have links of which of some roles, role by role
SELECT entity.value, role.value FROM json_each(:roles) AS role CROSS JOIN json_each(:entities) AS entity
WHERE EXISTS (SELECT 1 FROM {links} AS l WHERE l.entity_id = entity.value AND l.role = role.value)
ORDER BY role.key, entity.key;

-- met: how often what may be seen speaks of an entity, the first and the last time
SELECT count(*) AS count, min(n.event_time) AS first, max(n.event_time) AS last
FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = :id AND {condition};

-- of_entity: the latest nodes linked with an entity in one role, read from the end of the index
SELECT l.node_id FROM {links} AS l CROSS JOIN nodes AS n ON n.id = l.node_id
WHERE l.entity_id = :entity AND l.role = :role AND {condition} ORDER BY l.node_id DESC LIMIT :limit;

-- recent: the latest by world time, read from the end of the index
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;

-- any_knowledge: whether there is anything but turns
SELECT 1 FROM knowledge_fts_docsize LIMIT 1;

-- always: what is eligible whatever the question is: the user's word alone
SELECT n.id FROM nodes AS n
WHERE (n.pinned = 1 OR n.category = 'instruction') AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND {condition}
ORDER BY n.pinned DESC, n.importance DESC, n.confidence DESC, n.event_time, n.id LIMIT :limit;

-- everything: what is known by the user's word and no conclusion, the latest first
SELECT n.id FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND n.category IS NOT :left_out AND {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;

-- weak: what is about to fade, first to fade first
SELECT n.id FROM nodes AS n WHERE n.type <> 'episodic' AND n.fades_at IS NOT NULL AND n.fades_at > :at
    AND n.fades_at <= :at + min(:window, (n.fades_at - n.anchored_at) / 2) AND {condition}
ORDER BY n.fades_at, n.id LIMIT :limit;

-- fading: those of some nodes that are about to fade
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.fades_at > :at AND n.fades_at <= :at + min(:window, (n.fades_at - n.anchored_at) / 2);

-- seq_at: the last change recorded by a moment
SELECT coalesce(max(seq), 0) FROM changes WHERE at <= :at;

-- selected: all that is wanted, where that is no more than some
SELECT n.id FROM nodes AS n WHERE {kind} AND {condition} LIMIT :most;
