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
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}) AS sessions,
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}
        AND last_node_id > coalesce(consolidated_node_id, 0)) AS sessions_pending,
    (SELECT count(*) FROM sessions AS s WHERE s.user_id = :user_id AND {sessions}
        AND last_node_id > coalesce(consolidated_node_id, 0) AND ended_at IS NOT NULL) AS sessions_ended;

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

-- first_answers: how many items models gave in first answers, and how many were right
SELECT coalesce(sum(json_extract(detail, '$.items')), 0), coalesce(sum(json_extract(detail, '$.right')), 0) FROM operations
WHERE user_id = :user_id AND stage = 'learn' AND operation = 'first answers';
