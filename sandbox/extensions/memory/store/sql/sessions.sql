-- touch_session: create a session, or move it on; one that was over continues
INSERT INTO sessions (user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, session_id, visibility, coalesce(project_id, x'')) DO UPDATE SET
    first_seen_at = min(first_seen_at, excluded.first_seen_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    last_node_id = excluded.last_node_id,
    episode_count = episode_count + excluded.episode_count,
    ended_at = NULL;

-- last_episodes: the last turns of some sessions of one home
SELECT s.session_id, s.last_node_id FROM json_each(:sessions) AS wanted
CROSS JOIN sessions AS s ON s.user_id = :user_id AND s.session_id = wanted.value
    AND s.visibility = :visibility AND s.project_id IS :project_id;

-- follow: add the edges from turns to the turns before them
INSERT INTO edges (source_id, target_id, relation, valid_from, created_at) VALUES (?, ?, ?, ?, ?);

-- pending: sessions with turns that wait to be learnt from, the longest untouched first; with :reread, also those that
-- only rules have read; :user_id NULL means all
SELECT {session_columns} FROM sessions AS s
WHERE (s.last_node_id > coalesce(s.consolidated_node_id, 0) OR (:reread AND s.consolidated_by = 'rules'))
  AND (:user_id IS NULL OR s.user_id = :user_id)
  AND (NOT :due OR s.retry_at IS NULL OR s.retry_at NOT BETWEEN :now + 1 AND :now + :longest_pause)
ORDER BY s.last_seen_at, s.user_id, s.session_id;

-- homes: a session of a project in each home of its turns
SELECT {session_columns} FROM sessions AS s
WHERE s.user_id = :user_id AND s.session_id = :session_id AND s.project_id IS :project_id ORDER BY s.id;

-- refreshed: the present state of a session
SELECT {session_columns} FROM sessions AS s WHERE s.id = :id AND s.user_id = :user_id AND s.session_id = :session_id;

-- endings: the last words in some sessions of a project; in this order, so that not every session of the user is read
SELECT s.session_id, substr(n.content, -:characters) AS words FROM json_each(:sessions) AS wanted
CROSS JOIN sessions AS s ON s.user_id = :user_id AND s.session_id = wanted.value AND s.project_id IS :project_id
CROSS JOIN nodes AS n ON n.id = s.last_node_id ORDER BY n.id;

-- unread: the turns of people and assistants in a session and home after a watermark, in order
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.id > :after AND n.id <= :last
  AND n.visibility = :visibility AND n.project_id IS :project_id
  AND n.type = 'episodic' AND n.role IN ('user', 'assistant')
ORDER BY n.event_time, n.id;

-- preceding: the last turns of people and assistants in a session up to a watermark, the latest first
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.id <= :after
  AND n.type = 'episodic' AND n.role IN ('user', 'assistant')
ORDER BY n.id DESC LIMIT :count;

-- mark: move the watermark, note the reader, and clear earlier problems
UPDATE sessions SET consolidated_at = :now, consolidated_node_id = :last, consolidated_by = :by,
    attempts = :attempts, retry_at = :retry_at, problem = :problem
WHERE id = :id;

-- fail: note that a session could not be read, and when to try again
UPDATE sessions SET attempts = attempts + 1, retry_at = :retry_at, problem = :problem WHERE id = :id;

-- learnt_by_rules: memories that rules learnt from this session alone, and that nobody has confirmed since. The user's
-- own facts were learnt from it for every project
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.source = 'rules'
  AND n.pinned = 0
  AND (n.visibility = :visibility AND n.project_id IS :project_id
    OR :visibility = 'project' AND n.visibility = 'user' AND n.project_id IS NULL AND EXISTS (
      SELECT 1 FROM edges AS e JOIN nodes AS t ON t.id = e.target_id
      WHERE e.source_id = n.id AND e.relation = 'derived_from'
        AND t.visibility = :visibility AND t.project_id IS :project_id))
  AND NOT EXISTS (SELECT 1 FROM changes AS c WHERE c.node_id = n.id AND c.event = 'confirmed')
  AND NOT EXISTS (
    SELECT 1 FROM edges AS e JOIN nodes AS t ON t.id = e.target_id
    WHERE e.source_id = n.id AND e.relation = 'derived_from' AND t.session_id IS NOT :session_id)
ORDER BY n.id;

-- troubles: sessions that the intended reader could not read, by kind of problem; without :reread rules are that reader
SELECT s.problem, count(*) FROM sessions AS s
WHERE s.problem IS NOT NULL AND (:reread OR s.last_node_id > coalesce(s.consolidated_node_id, 0))
GROUP BY s.problem ORDER BY s.problem;

-- end_session: mark a session as over, until a new turn
UPDATE sessions SET ended_at = :now
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND ended_at IS NULL;

-- listed: conversations of a project, of none or of all, with turns that a scope may see, the latest first; after one of
-- them, given by its last turn and id. Each comes with its first :characters
SELECT found.*, (
    SELECT substr(n.content, 1, :characters) FROM believed AS n
    WHERE n.user_id = :user_id AND n.session_id = found.session_id AND n.project_id IS found.project AND n.type = 'episodic'
      AND {condition}
    ORDER BY n.event_time, n.id LIMIT 1) AS opening
FROM (
    SELECT s.session_id, s.project_id AS project, count(*) AS turns, min(n.event_time) AS first, max(n.event_time) AS last,
        min(n.source) AS source, max(s.last_node_id > coalesce(s.consolidated_node_id, 0)) AS waits
    FROM sessions AS s JOIN believed AS n ON n.user_id = s.user_id AND n.session_id = s.session_id
        AND n.project_id IS s.project_id AND n.visibility = s.visibility AND n.type = 'episodic'
    WHERE s.user_id = :user_id AND (:all_projects OR s.project_id IS :project_id) AND {condition}
    GROUP BY s.session_id, s.project_id
    HAVING :last IS NULL OR max(n.event_time) < :last OR (max(n.event_time) = :last AND s.session_id > :id)
    ORDER BY last DESC, s.session_id LIMIT :limit OFFSET :offset) AS found
ORDER BY found.last DESC, found.session_id;
