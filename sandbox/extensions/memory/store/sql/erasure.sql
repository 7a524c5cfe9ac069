-- said_in: the turns of a session of a project, whatever became of them
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic';

-- unfounded: what was learnt in a session, or from what goes, and rests on nothing that stays; what was told by itself
-- and only heard again there stays. What a memory took over from one that became part of it is not what it rests on;
-- what was concluded of several turns together goes with any of them
SELECT n.id FROM nodes AS n
WHERE n.type <> 'episodic' AND n.id NOT IN (SELECT value FROM json_each(:gone))
  AND n.id IN (
    SELECT k.id FROM nodes AS k
    WHERE k.user_id = :user_id AND k.session_id = :session_id AND k.project_id IS :project_id
    UNION
    SELECT e.source_id FROM json_each(:gone) AS g
    CROSS JOIN edges AS e ON e.target_id = g.value AND e.relation = 'derived_from')
  AND (n.category IS :insight OR (n.visibility = 'session' AND n.session_id = :session_id AND n.project_id IS :project_id)
    OR (NOT EXISTS (
        SELECT 1 FROM edges AS e
        WHERE e.source_id = n.id AND e.relation = 'derived_from'
          AND e.target_id NOT IN (SELECT value FROM json_each(:gone))
          AND e.id NOT IN (
            SELECT adopted.value FROM nodes AS part CROSS JOIN changes AS c ON c.node_id = part.id AND c.event = 'merged'
            CROSS JOIN json_each(c.detail, '$.edges') AS adopted WHERE part.merged_into = n.id))
      AND ((n.session_id = :session_id AND n.project_id IS :project_id)
        OR n.source IN (SELECT value FROM json_each(:learnt))
        OR EXISTS (
            SELECT 1 FROM edges AS e
            WHERE e.source_id = n.id AND e.relation = 'derived_from' AND e.created_at = n.created_at))));

-- counted: how many turns and how many memories some nodes are, versions of one counted once
SELECT count(*) FILTER (WHERE n.type = 'episodic'),
    count(DISTINCT n.public_id) FILTER (WHERE n.type <> 'episodic')
FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value;

-- mentioned: who some nodes speak of
SELECT DISTINCT l.entity_id AS id FROM json_each(:gone) AS g CROSS JOIN node_entities AS l ON l.node_id = g.value;

-- erase: nodes, and by cascades and triggers what hangs on them: full text, edges, links, vectors, summaries
DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:gone));

-- erase_session: that it ever was
DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- erase_summaries: what it was about
DELETE FROM summaries
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND kind = 'session';

-- unname_nodes: what stays of what was told in it, there and for every project
UPDATE nodes SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND (project_id IS :project_id
  OR project_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM sessions AS s
    WHERE s.user_id = :user_id AND s.session_id = :session_id AND s.project_id IS NULL));

-- unname_entities: who was met in it
UPDATE entities SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND visibility <> 'session';

-- erase_entities: who was known in it alone
DELETE FROM entities
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND visibility = 'session';

-- unname_summaries: of whom was met in it
UPDATE summaries SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- is_left: whether a session of that name is known to another project
SELECT 1 FROM sessions WHERE user_id = :user_id AND session_id = :session_id;

-- erase_recalls: what context showed in sessions of that name
DELETE FROM recalls WHERE user_id = :user_id AND session_id = :session_id;

-- unname_changes: in which session things happened
UPDATE changes SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id;

-- unname_changes_of: the same, of some nodes
UPDATE changes SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND node_id IN (SELECT value FROM json_each(:gone));

-- unname_operations: in which session things were done
UPDATE operations SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id;

-- has_samples: whether SQLite keeps values as samples of what indexes hold
SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4';

-- erase_samples: which may be names and keys
DELETE FROM sqlite_stat4;
