-- listed: the current versions of memories, in an order, each with its first version
SELECT {columns}, first.id AS place, first.created_at AS first_stored, {key} AS sort_key
FROM nodes AS first CROSS JOIN nodes AS n ON n.user_id = first.user_id AND n.public_id = first.public_id
WHERE {behind} AND {kind}
  AND NOT EXISTS (
    SELECT 1 FROM nodes AS earlier WHERE earlier.user_id = first.user_id AND earlier.public_id = first.public_id
        AND earlier.version < first.version)
  AND {condition}
ORDER BY {order} LIMIT :limit;

-- counted: the number of listed memories
SELECT count(*) FROM nodes AS n WHERE {kind} AND {condition};

-- entities: entities that a scope may know of, those with the highest key first, after a place
SELECT e.id AS place, e.public_id, e.name, e.type, e.first_seen, e.last_seen, {key} AS sort_key
FROM entities AS e
WHERE ({key}, e.id) < (:mentions, :place) AND e.merged_into IS NULL AND {condition}
ORDER BY sort_key DESC, e.id DESC LIMIT :limit;

-- entities_counted: the number of these entities
SELECT count(*) FROM entities AS e WHERE e.merged_into IS NULL AND {condition};

-- own: the current versions of a user's memories, without global ones
SELECT {columns} FROM nodes AS n WHERE n.user_id = :user_id AND n.visibility <> 'global' AND {condition} ORDER BY n.id;

-- last_change: the last line of the log for a scope
SELECT c.seq FROM changes AS c CROSS JOIN nodes AS n ON n.id = c.node_id WHERE {condition} ORDER BY c.seq DESC LIMIT 1;

-- said: turns of a session that a scope may see, in order
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.session_id = :session AND (:all_projects OR n.project_id IS :project_id)
  AND n.type = 'episodic' AND {condition}
ORDER BY n.event_time, n.id LIMIT :limit OFFSET :offset;

-- said_counted: the number of these turns, and of those before the turn with an id
SELECT count(*) AS turns, coalesce(sum((n.event_time, n.id) < (
    SELECT t.event_time, t.id FROM nodes AS t WHERE t.user_id = :user_id AND t.public_id = :around LIMIT 1)), 0) AS earlier
FROM believed AS n
WHERE n.user_id = :user_id AND n.session_id = :session AND (:all_projects OR n.project_id IS :project_id)
  AND n.type = 'episodic' AND {condition};

-- kinds: wanted knowledge, counted by kind
SELECT n.type, n.category, n.subject, n.trust, count(*) AS memories FROM nodes AS n
WHERE n.type <> 'episodic' AND {condition} GROUP BY 1, 2, 3, 4;

-- quarters: turns by the quarter of an hour in which they were said, and knowledge by that in which it was learnt or retired
SELECT at - (at % 900000 + 900000) % 900000 AS quarter, sum(said), sum(learnt), sum(retired) FROM (
    SELECT n.event_time AS at, 1 AS said, 0 AS learnt, 0 AS retired
    FROM believed AS n WHERE n.type = 'episodic' AND {condition}
    UNION ALL SELECT n.created_at, 0, 1, 0 FROM nodes AS n WHERE n.type <> 'episodic' AND {condition}
    UNION ALL SELECT n.retired_at, 0, 0, 1
    FROM nodes AS n WHERE n.type <> 'episodic' AND n.retired_at IS NOT NULL AND {condition})
GROUP BY quarter ORDER BY quarter;

-- happened: changes of knowledge that a scope may see, between two moments, in the order of the log
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.interface, c.batch, c.detail, n.public_id, n.id AS node
FROM changes AS c CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.at >= :since AND c.at < :until AND c.seq > :after AND n.type <> 'episodic' AND {condition}
  AND c.event NOT IN ('linked', 'unlinked', 'heard')
ORDER BY c.seq LIMIT :limit;

-- projects: the projects with something of a user that no other scope sees, by name
SELECT s.project_id FROM sessions AS s WHERE s.user_id = :user_id AND s.visibility = 'project'
UNION SELECT n.project_id FROM nodes AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.visibility = 'project'
ORDER BY 1;

-- joined: claims that join some entities with others, or with the user, and the user with others if that is asked for, in
-- wanted memories, the latest first
SELECT c.subject_id, c.value_id, c.predicate, c.affirmed, n.public_id, n.valid_from
FROM json_each(:entities) AS e CROSS JOIN claims AS c ON c.subject_id = e.value CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.value_id IS NOT NULL AND {condition}
UNION
SELECT c.subject_id, c.value_id, c.predicate, c.affirmed, n.public_id, n.valid_from
FROM json_each(:entities) AS e CROSS JOIN claims AS c ON c.value_id = e.value CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE (c.subject = '' OR c.subject_id IS NOT NULL) AND {condition}
UNION
SELECT c.subject_id, c.value_id, c.predicate, c.affirmed, n.public_id, n.valid_from
FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE :of_user AND c.user_id = :user_id AND c.subject = '' AND c.value_id IS NOT NULL AND {condition}
ORDER BY 6 DESC, 5 LIMIT :limit;

-- together: entities that the same knowledge mentions as some entities, the most frequent first
SELECT here.entity_id AS one, there.entity_id AS other, count(*) AS memories, max(n.public_id) AS public_id
FROM json_each(:entities) AS e CROSS JOIN entity_knowledge AS here ON here.entity_id = e.value AND here.role = 'mentions'
CROSS JOIN nodes AS n ON n.id = here.node_id
CROSS JOIN node_entities AS there ON there.node_id = n.id AND there.role = 'mentions' AND there.entity_id <> here.entity_id
WHERE {condition} GROUP BY 1, 2 ORDER BY memories DESC, 2 LIMIT :limit;

-- wholes: the entities that some entities were merged into, if a scope may know of them
WITH RECURSIVE whole (id, of) AS (
    SELECT value, value FROM json_each(:entities)
    UNION SELECT e.merged_into, whole.of FROM whole CROSS JOIN entities AS e ON e.id = whole.id WHERE e.merged_into IS NOT NULL)
SELECT whole.of, e.id, e.public_id, e.name, e.type FROM whole CROSS JOIN entities AS e ON e.id = whole.id
WHERE e.merged_into IS NULL AND {condition};

-- parts: the entities that were merged into some entities
WITH RECURSIVE part (id) AS (
    SELECT value FROM json_each(:entities)
    UNION SELECT e.id FROM part CROSS JOIN entities AS e INDEXED BY entities_merged ON e.merged_into = part.id)
SELECT id FROM part;

-- held: what a user has that a scope sees, by kind and name. Its nodes are read once, in the order of the table: in that
-- of an index over users it takes twice as long
WITH own AS MATERIALIZED (
    SELECT n.id, n.type, n.retired_by, n.retired_seq IS NULL AS believed FROM nodes AS n
    WHERE n.id IN (SELECT id FROM nodes WHERE user_id = :user_id) AND {nodes})
SELECT 'nodes' AS kind, type AS name, count(*) AS count FROM own WHERE believed GROUP BY type
UNION ALL SELECT 'retired', retired_by, count(*) FROM own WHERE NOT believed GROUP BY retired_by
UNION ALL SELECT 'edges', e.relation, count(*) FROM own CROSS JOIN edges AS e ON e.source_id = own.id GROUP BY e.relation
UNION ALL SELECT 'edges', 'entity', count(*) FROM own CROSS JOIN claims AS c ON c.node_id = own.id
    WHERE own.believed AND c.value_id IS NOT NULL AND (c.subject = '' OR c.subject_id IS NOT NULL) HAVING count(*) > 0
UNION ALL SELECT 'counts', 'orphan_nodes', count(*) FROM own
    WHERE NOT EXISTS (SELECT 1 FROM edges WHERE source_id = own.id)
        AND NOT EXISTS (SELECT 1 FROM edges WHERE target_id = own.id)
        AND NOT EXISTS (SELECT 1 FROM node_entities WHERE node_id = own.id)
UNION ALL SELECT 'counts', 'vectors', count(*) FROM own CROSS JOIN vectors AS v ON v.node_id = own.id
UNION ALL SELECT 'counts', 'embedding_backlog', count(*) FROM own CROSS JOIN embedding_backlog AS b ON b.node_id = own.id
ORDER BY kind, name;

-- counts: all other counts
SELECT
    (SELECT count(*) FROM entities AS e WHERE e.merged_into IS NULL AND {entities}) AS entities,
    count(*) AS sessions, count(*) FILTER (WHERE s.last_node_id > coalesce(s.consolidated_node_id, 0)) AS sessions_pending,
    count(*) FILTER (WHERE s.last_node_id > coalesce(s.consolidated_node_id, 0) AND s.ended_at IS NOT NULL) AS sessions_ended
FROM sessions AS s WHERE s.user_id = :user_id AND {sessions};

-- operations: counts of operations by stage, operation and status
SELECT stage || '.' || operation || '.' || status, count(*) FROM operations WHERE user_id = :user_id GROUP BY 1 ORDER BY 1;

-- pending_sessions: sessions with turns that wait to be learnt from
SELECT count(*) FROM sessions WHERE last_node_id > coalesce(consolidated_node_id, 0);

-- spending: what models cost for a user
SELECT step, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens
FROM spending WHERE user_id = :user_id GROUP BY step ORDER BY step;

-- spending_by_day: the same for the latest days with costs
SELECT date(86400 * day, 'unixepoch') AS day, step, model, calls, prompt_tokens, completion_tokens
FROM spending WHERE user_id = :user_id AND day IN (
    SELECT DISTINCT day FROM spending WHERE user_id = :user_id ORDER BY day DESC LIMIT :days)
ORDER BY spending.day DESC, step, model;

-- violations: answers of models that broke the rules, by kind
SELECT operation, count(*) FROM operations
WHERE user_id = :user_id AND stage = 'learn' AND status = 'refused' GROUP BY operation ORDER BY operation;

-- answer_quality: how many items models gave, and how many were right
SELECT coalesce(sum(json_extract(detail, '$.items')), 0), coalesce(sum(json_extract(detail, '$.right')), 0) FROM operations
WHERE user_id = :user_id AND stage = 'learn' AND operation = 'answers';
