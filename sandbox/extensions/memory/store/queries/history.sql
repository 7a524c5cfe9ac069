-- changes: what happened that a scope may see, after one line of the log: to its memories, to those that are erased, and to
-- its entities; or to everything of its user
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.interface, c.batch, c.detail, n.public_id
FROM changes AS c LEFT JOIN nodes AS n ON n.id = c.node_id
WHERE c.seq > :after AND (({visible_nodes})
    OR (:whole AND c.user_id = :user_id)
    OR (c.event IN ('erased', 'purged') AND n.id IS NULL AND c.user_id = :user_id
        AND (json_extract(c.detail, '$.visibility') = 'user'
             OR (json_extract(c.detail, '$.visibility') = 'project' AND json_extract(c.detail, '$.project') = :project_id)))
    OR (c.node_id IS NULL AND c.user_id = :user_id AND EXISTS (
        SELECT 1 FROM entities AS e
        WHERE e.user_id = c.user_id AND e.public_id = json_extract(c.detail, '$.into') AND {visible_entities})))
ORDER BY c.seq LIMIT :limit;
