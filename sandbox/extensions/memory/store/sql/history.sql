-- changes: changes that a scope may see, after one line of the log; or all changes of its user
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.interface, c.batch, c.detail, n.public_id
FROM changes AS c LEFT JOIN nodes AS n ON n.id = c.node_id
WHERE c.seq > :after AND ({seen} OR (:whole AND c.user_id = :user_id))
ORDER BY c.seq LIMIT :limit;

-- writes: changes of a user's own memories that a scope may see, by interface and event
SELECT coalesce(c.interface, 'earlier') || '.' || c.event, count(*)
FROM changes AS c LEFT JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND {seen} GROUP BY 1 ORDER BY 1;

-- writes_of: the same of one call between two lines of the log, by event, without links
SELECT c.event, count(*) FROM changes AS c LEFT JOIN nodes AS n ON n.id = c.node_id
WHERE c.seq > :since AND c.seq <= :until AND c.batch = :batch AND c.user_id = :user_id
  AND c.event NOT IN ('linked', 'unlinked', 'heard') AND {seen} GROUP BY 1 ORDER BY 1;

-- last_seq: the last line of the log
SELECT coalesce(max(seq), 0) FROM changes;

-- seen: changes of visible memories, of erased ones, whose category nobody knows, and of known entities
(({visible_nodes})
    OR (c.event IN ('erased', 'purged') AND n.id IS NULL AND c.user_id = :user_id AND :every_category
        AND (json_extract(c.detail, '$.visibility') = 'user'
             OR (json_extract(c.detail, '$.visibility') = 'project' AND json_extract(c.detail, '$.project') = :project_id)))
    OR (c.node_id IS NULL AND c.user_id = :user_id AND EXISTS (
        SELECT 1 FROM entities AS e
        WHERE {known_entities}
          AND e.public_id = coalesce(json_extract(c.detail, '$.into'), json_extract(c.detail, '$.context')))));

-- announced: the last line of the log that was announced in a conversation, and how often something was
SELECT max(told_seq), max(revision) FROM sessions
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- mark_announced: note that changes were announced in a conversation, unless later ones were meanwhile
UPDATE sessions SET told_seq = :seq, revision = :revision
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND coalesce(told_seq, 0) < :seq;

-- changed: knowledge that others than a conversation changed after a line of the log, the latest change first: its
-- first version, its current version, whether it replaced a memory, and whether it was replaced
SELECT {columns}, c.event, {believed} AS stands,
    (SELECT min(f.created_seq) FROM nodes AS f WHERE f.user_id = n.user_id AND f.public_id = n.public_id) AS first_seq,
    EXISTS (SELECT 1 FROM edges AS e WHERE e.source_id = n.id AND e.relation = 'supersedes') AS replaces,
    EXISTS (SELECT 1 FROM edges AS e WHERE e.target_id = n.id AND e.relation = 'supersedes') AS is_replaced
FROM changes AS c CROSS JOIN nodes AS it ON it.id = c.node_id CROSS JOIN nodes AS n ON n.id = (
    SELECT h.id FROM nodes AS h WHERE h.user_id = it.user_id AND h.public_id = it.public_id
    ORDER BY h.retired_seq IS NULL DESC, h.version DESC LIMIT 1)
WHERE c.seq > :after AND c.session_id IS NOT :session_id AND c.event IN (SELECT value FROM json_each(:events))
  AND it.type <> 'episodic' AND n.quarantined = 0 AND n.trust NOT IN (SELECT value FROM json_each(:foreign)) AND {visible}
ORDER BY c.seq DESC;

-- changes_of: the log of every version of a memory
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.interface, c.batch, c.detail, n.public_id
FROM json_each(:ids) AS wanted JOIN changes AS c ON c.node_id = wanted.value JOIN nodes AS n ON n.id = c.node_id
ORDER BY c.seq;
