-- linked: which of some entities have links in which of some roles
SELECT entity.value, role.value FROM json_each(:roles) AS role CROSS JOIN json_each(:entities) AS entity
WHERE EXISTS (SELECT 1 FROM {links} AS l WHERE l.entity_id = entity.value AND l.role = role.value)
ORDER BY role.key, entity.key;

-- met: how many visible memories mention an entity, without some; their first and last time; a plan was told before its day
SELECT count(DISTINCT n.id) AS count, min(min(n.event_time, n.valid_from)) AS first, max(min(n.event_time, n.valid_from)) AS last
FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = :id AND n.id NOT IN (SELECT value FROM json_each(:but)) AND {condition};

-- of_entity: the latest nodes linked with an entity in one role, read from the end of the index
SELECT l.node_id FROM {links} AS l CROSS JOIN nodes AS n ON n.id = l.node_id
WHERE l.entity_id = :entity AND l.role = :role AND {condition} ORDER BY l.node_id DESC LIMIT :limit;

-- allowed: the nodes among some that a filter lets through
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE {condition};

-- recent: the latest by world time, read from the end of the index
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;

-- any_knowledge: whether there is anything but turns
SELECT 1 FROM knowledge_fts_docsize LIMIT 1;

-- always: wishes and pinned memories by the user's own word, shown for every question
SELECT {wanted} FROM nodes AS n
WHERE (n.pinned = 1 OR n.category = 'instruction') AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND {condition}
ORDER BY n.pinned DESC, n.importance DESC, n.confidence DESC, n.event_time, n.id LIMIT :limit;

-- everything: knowledge by the user's word without conclusions, the latest first
SELECT {wanted} FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND n.category IS NOT :left_out AND {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;

-- told: short turns in the user's own words that rules read outside projects, with the terms of what was learnt from
-- them, the latest first; without those from which something was learnt that is not believed any more
SELECT n.id, n.terms, group_concat(k.terms, ' '), n.content, n.asks
FROM sessions AS s CROSS JOIN nodes AS n INDEXED BY nodes_session
LEFT JOIN edges AS e ON e.target_id = n.id AND e.relation = 'derived_from' LEFT JOIN nodes AS k ON k.id = e.source_id
WHERE s.user_id = :user_id AND s.consolidated_by = 'rules'
    AND n.user_id = s.user_id AND n.session_id = s.session_id AND n.id <= s.consolidated_node_id
    AND s.visibility = 'user' AND n.visibility = 'user' AND n.project_id IS s.project_id AND n.type = 'episodic'
    AND n.role = 'user' AND n.trust IN ('user', 'confirmed') AND n.term_count <= :longest AND {condition}
GROUP BY n.id HAVING count(k.id) = count(k.id) FILTER (WHERE k.retired_seq IS NULL AND k.valid_until IS NULL)
ORDER BY n.event_time DESC, n.id DESC;

-- many: whether a user has more memories than so many
SELECT 1 FROM nodes AS n INDEXED BY nodes_lineage WHERE n.user_id = :user_id LIMIT 1 OFFSET :most;

-- weak: memories that will soon fade, the first to fade first
SELECT n.id FROM nodes AS n WHERE n.type <> 'episodic' AND n.fades_at IS NOT NULL AND n.fades_at > :at
    AND n.fades_at <= :at + min(:window, (n.fades_at - n.anchored_at) / 2) AND {condition}
ORDER BY n.fades_at, n.id LIMIT :limit;

-- fading: the nodes among some that will soon fade
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.fades_at > :at AND n.fades_at <= :at + min(:window, (n.fades_at - n.anchored_at) / 2);

-- seq_at: the last change recorded by a moment; clocks may jump
SELECT max(seq) FROM changes WHERE at <= :at;

-- selected: all wanted nodes, if there are at most so many
SELECT n.id FROM nodes AS n WHERE {kind} AND {condition} LIMIT :most;

-- in_time: so many nodes of a period, read from an index alone
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE n.event_time >= :after AND n.event_time < :before LIMIT :most;

-- said: analysed turns
SELECT n.id, n.event_time, n.who, n.terms
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE n.type = 'episodic';

-- has_category: whether any knowledge has a category
SELECT 1 FROM nodes AS n WHERE n.type <> 'episodic' AND n.category = :name LIMIT 1;
