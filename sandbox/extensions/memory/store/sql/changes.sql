-- states: the states of some versions at a line of the log: the first state that ended after it, else the present one
SELECT n.id AS node, n.closed_seq AS closed_now, p.*
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value LEFT JOIN past_states AS p ON p.id = (
    SELECT s.id FROM past_states AS s WHERE s.node_id = n.id AND s.seq > :seq ORDER BY s.seq, s.id LIMIT 1)
WHERE n.created_seq <= :seq;

-- apart: entities with a name that are merged today, and were separate at a moment
SELECT m.entity_id FROM entity_merges AS m
WHERE m.into_id = :into AND m.split_at IS NULL AND m.at > :at AND (
    EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = m.entity_id AND w.folded = :folded)
    OR EXISTS (SELECT 1 FROM entities AS e WHERE e.id = m.entity_id AND e.public_id = :name))
ORDER BY m.id LIMIT 1;

-- gained: nodes that an entity got only by merges after a moment
SELECT m.names, m.links FROM entity_merges AS m WHERE m.into_id = :into AND m.split_at IS NULL AND m.at > :at;

-- called: all names of an entity, without some
SELECT w.name FROM entity_names AS w
WHERE w.entity_id = :id AND w.folded NOT IN (SELECT value FROM json_each(:gained)) ORDER BY w.name;

-- brought: names of an entity that memories in a filter's reach brought
SELECT w.name FROM entity_names AS w CROSS JOIN nodes AS n ON n.id = w.node_id WHERE w.entity_id = :id AND {condition};

-- merged: names of the entities merged into an entity at a moment, in the order of the merges
SELECT e.name FROM entity_merges AS m JOIN entities AS e ON e.id = m.entity_id
WHERE m.into_id = :into AND m.at <= :at AND (m.split_at IS NULL OR m.split_at > :at) ORDER BY m.id;

-- summary: the summary of an entity at a moment, unless it rests on a memory forgotten since
SELECT s.content FROM summaries AS s
WHERE s.user_id = :user_id AND s.kind = 'entity' AND s.about = :about AND s.created_at <= :at
  AND (s.retired_at IS NULL OR s.retired_at > :at) AND NOT EXISTS (
    SELECT 1 FROM json_each(s.rests_on) AS r LEFT JOIN nodes AS n ON n.id = r.value
    WHERE n.id IS NULL OR EXISTS (
        SELECT 1 FROM nodes AS gone WHERE gone.user_id = n.user_id AND gone.public_id = n.public_id
            AND gone.retired_by = 'forgotten'))
ORDER BY s.version DESC LIMIT 1;

-- began: the last line of the log, and its time, when the first turn of a session was stored
SELECT n.created_seq - 1, n.created_at FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic'
ORDER BY n.id LIMIT 1;

-- fixed: all knowledge of some categories, in the order of the categories, each by age
SELECT {columns} FROM json_each(:categories) AS c CROSS JOIN nodes AS n
WHERE n.category = c.value AND n.type NOT IN ('episodic', 'procedural') AND n.trust NOT IN (SELECT value FROM json_each(:foreign))
  AND (n.fades_at IS NULL OR n.fades_at > :world) AND {condition}
ORDER BY c.key,
    (SELECT min(first.id) FROM nodes AS first WHERE first.user_id = n.user_id AND first.public_id = n.public_id), n.id;

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
             OR (json_extract(c.detail, '$.visibility') = 'project'
                 AND (:all_projects OR json_extract(c.detail, '$.project') = :project_id))))
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

-- head: the current version of a memory
SELECT n.id FROM nodes AS n WHERE n.user_id = :user_id AND n.public_id = :name AND n.retired_seq IS NULL;

-- entity: an entity that a scope sees, by its public id, merged or not
SELECT e.id FROM entities AS e WHERE e.user_id = :user_id AND e.public_id = :name AND {condition};

-- retire_summary: retire the summary of a conversation
UPDATE summaries SET retired_at = :now
WHERE kind = 'session' AND user_id = :user_id AND about = :session AND project_id IS :project_id AND retired_at IS NULL;
