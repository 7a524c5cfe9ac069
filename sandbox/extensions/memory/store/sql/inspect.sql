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
    (SELECT count(*) FROM entities AS e WHERE e.user_id = :user_id AND e.merged_into IS NULL AND {entities}) AS entities,
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}) AS sessions,
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}
        AND last_node_id > coalesce(consolidated_node_id, 0)) AS sessions_pending,
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}
        AND last_node_id > coalesce(consolidated_node_id, 0) AND ended_at IS NOT NULL) AS sessions_ended,
    (SELECT value FROM meta WHERE key = 'last_maintained_at') AS last_maintained_at;

-- note_checked: a write that tests whether writing is possible
INSERT OR REPLACE INTO meta (key, value) VALUES ('last_checked_at', :at);

-- operations: counts of operations by stage, operation and status
SELECT stage || '.' || operation || '.' || status, count(*) FROM operations WHERE user_id = :user_id GROUP BY 1 ORDER BY 1;

-- changes_of: the log of every version of a memory
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.interface, c.batch, c.detail, n.public_id
FROM json_each(:ids) AS wanted JOIN changes AS c ON c.node_id = wanted.value JOIN nodes AS n ON n.id = c.node_id
ORDER BY c.seq;

-- record_operation: count an operation that changed no memory
INSERT INTO operations (at, user_id, session_id, stage, operation, status, detail)
VALUES (:at, :user_id, :session_id, :stage, :operation, :status, :detail);

-- bound_operations: keep the latest ones of each user
DELETE FROM operations WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM operations) WHERE place > :keep);

-- bound_failures: keep the latest of a user
DELETE FROM operations WHERE user_id = :user_id AND status = :status AND id <= (
    SELECT id FROM operations WHERE user_id = :user_id AND status = :status ORDER BY id DESC LIMIT 1 OFFSET :keep);

-- failures: calls of a user that were answered with an error, those of a kind together, the latest first
SELECT stage, operation, json_extract(detail, '$.error') AS error, json_extract(detail, '$.client') AS client,
    count(*) AS count, max(at) AS latest
FROM operations WHERE user_id = :user_id AND status = :status
GROUP BY stage, operation, error, client ORDER BY max(id) DESC LIMIT :limit;

-- pending_sessions: sessions with turns that wait to be learnt from
SELECT count(*) FROM sessions WHERE last_node_id > coalesce(consolidated_node_id, 0);

-- countable: the number of nodes, and of knowledge among them
SELECT count(*), count(*) FILTER (WHERE type <> 'episodic') FROM nodes;

-- indexed: the numbers of rows in full text search
SELECT (SELECT count(*) FROM nodes_fts_docsize), (SELECT count(*) FROM knowledge_fts_docsize);

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

-- first_answers: how many items models gave in first answers, and how many were right
SELECT coalesce(sum(json_extract(detail, '$.items')), 0), coalesce(sum(json_extract(detail, '$.right')), 0) FROM operations
WHERE user_id = :user_id AND stage = 'learn' AND operation = 'first answers';
