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
    retired_by = :by, merged_into = NULL, valid_until = :until, closed_seq = :seq, updated_at = max(updated_at, :now)
WHERE id = :id;

-- parts: removed nodes that were merged into a remaining one, the latest first
SELECT n.id, n.merged_into AS keeper FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value
WHERE n.merged_into IS NOT NULL AND n.merged_into NOT IN (SELECT value FROM json_each(:gone)) ORDER BY n.retired_seq DESC;

-- lines: the wanted lines of the log of a scope's user that the scope may see, the latest first
SELECT c.seq, c.event, c.node_id, c.detail FROM changes AS c LEFT JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND (n.id IS NULL OR {visible}) AND {wanted} ORDER BY c.seq DESC;

-- corrected_to: the valid next version of a memory
SELECT n.id FROM nodes AS o CROSS JOIN nodes AS n ON n.user_id = o.user_id AND n.public_id = o.public_id
WHERE o.id = :id AND n.version > o.version AND n.retired_by IS NOT 'undone' ORDER BY n.version LIMIT 1;

-- built_on: conclusions from undone memories, and memories learnt from them or told with them alone
SELECT DISTINCT n.id FROM json_each(:gone) AS g
CROSS JOIN edges AS b ON b.target_id = g.value AND b.relation = 'derived_from' CROSS JOIN nodes AS n ON n.id = b.source_id
WHERE (n.retired_seq IS NULL OR n.retired_by = 'proposed') AND n.id NOT IN (SELECT value FROM json_each(:gone))
  AND (n.category IS :insight OR ((n.source IN (SELECT value FROM json_each(:learnt)) OR b.created_at = n.created_at)
    AND NOT EXISTS (
      SELECT 1 FROM edges AS e CROSS JOIN nodes AS t ON t.id = e.target_id
      WHERE e.source_id = n.id AND e.relation = 'derived_from' AND t.retired_seq IS NULL
        AND t.id NOT IN (SELECT value FROM json_each(:gone)))));

-- replaced_by: the edges by which some nodes replaced others
SELECT e.id FROM json_each(:gone) AS g CROSS JOIN edges AS e ON e.source_id = g.value AND e.relation = 'supersedes';

-- before: a node's state before one line of the log
SELECT * FROM past_states WHERE node_id = :id AND seq = :seq ORDER BY id LIMIT 1;

-- after: its state after that line, if it has changed since; else its present state
SELECT * FROM past_states WHERE node_id = :id AND seq > :seq ORDER BY seq, id LIMIT 1;

-- now: a node's present state
SELECT retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq, confidence, anchored_at, decay_rate,
    fades_at, importance, pinned, trust, quarantined, source
FROM nodes WHERE id = :id;

-- put_back: restore a node's state
UPDATE nodes SET retired_at = :retired_at, retired_seq = :retired_seq, retired_by = :retired_by, valid_until = :valid_until,
    closed_seq = :closed_seq, confidence = :confidence, anchored_at = :anchored_at, decay_rate = :decay_rate,
    fades_at = :fades_at, importance = :importance, pinned = :pinned, trust = :trust, quarantined = :quarantined,
    source = :source, purge_at = iif(:retired_seq IS NULL, NULL, coalesce(:until, purge_at)), updated_at = max(updated_at, :now)
WHERE id = :id;

-- head: the current version of a memory
SELECT n.id FROM nodes AS n WHERE n.user_id = :user_id AND n.public_id = :name AND n.retired_seq IS NULL;

-- entity: an entity that a scope sees, by its public id, merged or not
SELECT e.id FROM entities AS e WHERE e.user_id = :user_id AND e.public_id = :name AND {condition};

-- retire_summary: retire the summary of a conversation
UPDATE summaries SET retired_at = :now
WHERE kind = 'session' AND user_id = :user_id AND about = :session AND project_id IS :project_id AND retired_at IS NULL;
