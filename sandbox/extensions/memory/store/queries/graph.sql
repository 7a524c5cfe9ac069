-- add_edge: a typed, directed relation; adding it again changes nothing
INSERT OR IGNORE INTO edges (source_id, target_id, relation, predicate, strength, valid_from, evidence, created_at)
VALUES (:source, :target, :relation, :predicate, :strength, :now, :evidence, :now);

-- neighbours: nodes one edge away over some relations, in either direction
SELECT e.source_id AS here, e.target_id AS there, e.strength FROM edges AS e
WHERE e.relation IN (SELECT value FROM json_each(:relations)) AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id, e.source_id, e.strength FROM edges AS e
WHERE e.relation IN (SELECT value FROM json_each(:relations)) AND e.target_id IN (SELECT value FROM json_each(:ids));

-- targets: where the edges of one relation lead from some nodes
SELECT e.source_id AS here, e.target_id AS there FROM edges AS e
WHERE e.relation = :relation AND e.source_id IN (SELECT value FROM json_each(:ids)) ORDER BY e.id;

-- sources: where the edges of one relation come from
SELECT e.target_id AS here, e.source_id AS there FROM edges AS e
WHERE e.relation = :relation AND e.target_id IN (SELECT value FROM json_each(:ids)) ORDER BY e.id;

-- prevailing: what counts for more than some nodes: what replaced them, and what they may be in conflict with
SELECT e.target_id AS here, e.source_id AS there, e.relation FROM edges AS e
WHERE e.target_id IN (SELECT value FROM json_each(:ids))
  AND (e.relation = 'supersedes' OR (e.relation = 'related_to' AND e.predicate = :conflict)) ORDER BY e.id;

-- conflicting: what some nodes may be in conflict with, whichever counts for more
SELECT e.source_id AS here, e.target_id AS there FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id, e.source_id FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND e.target_id IN (SELECT value FROM json_each(:ids));

-- touch_session: open a session, or move it on; one that had ended goes on
INSERT INTO sessions (user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, session_id, visibility, coalesce(project_id, x'')) DO UPDATE SET
    first_seen_at = min(first_seen_at, excluded.first_seen_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    last_node_id = excluded.last_node_id,
    episode_count = episode_count + excluded.episode_count,
    ended_at = NULL;

-- last_episodes: the turns some sessions of one home end with so far
SELECT s.session_id, s.last_node_id FROM json_each(:sessions) AS wanted
CROSS JOIN sessions AS s ON s.user_id = :user_id AND s.session_id = wanted.value
    AND s.visibility = :visibility AND s.project_id IS :project_id;

-- follow: turns that were said after others
INSERT INTO edges (source_id, target_id, relation, valid_from, created_at) VALUES (?, ?, ?, ?, ?);
