-- said_in: the turns of a session of a project, in any state
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic';

-- unfounded: memories that were learnt in a session, or from erased nodes, and rest on no other node; a memory that was
-- told elsewhere and only repeated there stays. Sources that a memory took over in a merge do not count; a conclusion
-- from several turns is erased with any of them
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

-- counted: the numbers of turns and of memories among some nodes; versions of one memory count once
SELECT count(*) FILTER (WHERE n.type = 'episodic'),
    count(DISTINCT n.public_id) FILTER (WHERE n.type <> 'episodic')
FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value;

-- mentioned: the entities that some nodes mention
SELECT DISTINCT l.entity_id AS id FROM json_each(:gone) AS g CROSS JOIN node_entities AS l ON l.node_id = g.value;

-- erase: delete nodes, and by cascades and triggers their rows: full text, edges, links, vectors, summaries
DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:gone));

-- erase_session: delete a session
DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- erase_summaries: delete the summaries of a session
DELETE FROM summaries
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND kind = 'session';

-- unname_nodes: remove the session's name from nodes that stay, in this and in other projects
UPDATE nodes SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND (project_id IS :project_id
  OR project_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM sessions AS s
    WHERE s.user_id = :user_id AND s.session_id = :session_id AND s.project_id IS NULL));

-- unname_entities: remove the session's name from entities
UPDATE entities SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND visibility <> 'session';

-- erase_entities: delete entities that only the session knew
DELETE FROM entities
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND visibility = 'session';

-- unname_summaries: remove the session's name from summaries of entities
UPDATE summaries SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- is_left: whether another project has a session of that name
SELECT 1 FROM sessions WHERE user_id = :user_id AND session_id = :session_id;

-- erase_recalls: delete the records of recalls in sessions of that name
DELETE FROM recalls WHERE user_id = :user_id AND session_id = :session_id;

-- unname_changes: remove the session's name from the log
UPDATE changes SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id;

-- unname_changes_of: the same for the changes of some nodes
UPDATE changes SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND node_id IN (SELECT value FROM json_each(:gone));

-- unname_operations: remove the session's name from operations
UPDATE operations SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id;

-- has_samples: whether SQLite keeps samples of the values in indexes
SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4';

-- erase_samples: delete these samples, which may be names and keys
DELETE FROM sqlite_stat4;
