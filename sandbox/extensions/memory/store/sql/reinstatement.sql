-- replaced: pairs of a removed node and a remaining one that it replaced, or that was merged into it
SELECT e.source_id AS gone, e.target_id AS stays FROM json_each(:gone) AS g
CROSS JOIN edges AS e ON e.source_id = g.value AND e.relation = 'supersedes'
WHERE e.target_id NOT IN (SELECT value FROM json_each(:gone))
UNION
SELECT n.merged_into, n.id FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.merged_into = g.value
WHERE n.id NOT IN (SELECT value FROM json_each(:gone))
ORDER BY 2, 1;

-- heirs: for each removed node the remaining ones that replaced it, directly or by way of other removed ones
WITH RECURSIVE above (origin, id) AS (
    SELECT value, value FROM json_each(:gone)
    UNION
    SELECT above.origin, e.source_id FROM above
    CROSS JOIN edges AS e ON e.target_id = above.id AND e.relation = 'supersedes'
    WHERE above.id IN (SELECT value FROM json_each(:gone)))
SELECT DISTINCT above.origin AS gone, n.id AS heir FROM above CROSS JOIN nodes AS n ON n.id = above.id
WHERE n.retired_seq IS NULL AND n.id NOT IN (SELECT value FROM json_each(:gone)) ORDER BY 1, 2;

-- retiring: the believed, remaining memories that replaced a node, except those that ended its validity
SELECT n.id FROM edges AS e CROSS JOIN nodes AS n ON n.id = e.source_id
WHERE e.target_id = :id AND e.relation = 'supersedes' AND n.retired_seq IS NULL
  AND n.id NOT IN (SELECT value FROM json_each(:gone)) AND n.public_id NOT IN (
    SELECT c.detail ->> 'by' FROM changes AS c
    WHERE c.node_id = :id AND c.event = 'superseded' AND c.detail ->> 'by' IS NOT NULL);

-- endings: the lines of the log about ends of a node's validity, and their undoing
SELECT c.seq, c.event, c.detail FROM changes AS c
WHERE c.node_id = :id AND c.event IN ('superseded', 'restored', 'reinstated') ORDER BY c.seq;

-- are_left: which lines of the log (memory, line) are about a memory that remains, as it was then or in a later version; a
-- proposal replaced nothing
SELECT DISTINCT wanted.value ->> 1 AS seq FROM json_each(:named) AS wanted
CROSS JOIN nodes AS n ON n.user_id = :user_id AND n.public_id = wanted.value ->> 0
WHERE n.id NOT IN (SELECT value FROM json_each(:gone))
  AND coalesce(n.retired_by, '') NOT IN ('proposed', 'approved', 'rejected')
  AND NOT EXISTS (SELECT 1 FROM nodes AS later WHERE later.user_id = n.user_id AND later.public_id = n.public_id
    AND later.version > n.version AND later.created_seq < wanted.value ->> 1);

-- reinstate: restore a node's state before it was replaced
UPDATE nodes SET retired_at = iif(:by IS NULL, NULL, retired_at), retired_seq = iif(:by IS NULL, NULL, retired_seq),
    retired_by = :by, merged_into = NULL, valid_until = :until, closed_seq = :seq, updated_at = :now
WHERE id = :id;

-- parts: removed nodes that were merged into a remaining one, the latest first
SELECT n.id, n.merged_into AS keeper FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value
WHERE n.merged_into IS NOT NULL AND n.merged_into NOT IN (SELECT value FROM json_each(:gone)) ORDER BY n.retired_seq DESC;
