-- A conversation that is said in several homes is a session in each: what it teaches is seen where it was said. The same
-- name in two projects is two sessions, too. (x'' stands for no project, which no name is.)
DROP INDEX sessions_last_node;
DROP INDEX sessions_pending;
ALTER TABLE sessions RENAME TO sessions_of_users;
CREATE TABLE sessions (
    id                    INTEGER PRIMARY KEY,
    user_id               TEXT    NOT NULL,
    session_id            TEXT    NOT NULL,
    project_id            TEXT,
    agent_id              TEXT,
    actor_id              TEXT,
    visibility            TEXT    NOT NULL DEFAULT 'user',
    first_seen_at         INTEGER NOT NULL,
    last_seen_at          INTEGER NOT NULL,
    last_node_id          INTEGER REFERENCES nodes (id) ON DELETE SET NULL,
    episode_count         INTEGER NOT NULL DEFAULT 0,
    ended_at              INTEGER,
    consolidated_at       INTEGER,
    consolidated_node_id  INTEGER,                                     -- watermark: the last episode that was read
    consolidated_by       TEXT,                                        -- model id, or rules
    attempts              INTEGER NOT NULL DEFAULT 0,                  -- failed readings since the last success
    retry_at              INTEGER,                                     -- not before
    problem               TEXT                                         -- the kind of failure, never text
);
CREATE UNIQUE INDEX sessions_home ON sessions (user_id, session_id, visibility, coalesce(project_id, x''));
INSERT INTO sessions (user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count, ended_at, consolidated_at, consolidated_node_id, consolidated_by, attempts, retry_at, problem)
SELECT n.user_id, n.session_id, n.project_id, s.agent_id, s.actor_id, n.visibility, min(n.event_time), max(n.event_time),
    max(n.id), count(*), s.ended_at, s.consolidated_at, s.consolidated_node_id, s.consolidated_by, s.attempts, s.retry_at, s.problem
FROM nodes AS n JOIN sessions_of_users AS s ON s.user_id = n.user_id AND s.session_id = n.session_id
WHERE n.session_id IS NOT NULL AND n.type = 'episodic'
GROUP BY n.user_id, n.session_id, n.project_id, n.visibility;
INSERT OR IGNORE INTO sessions (user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count, ended_at, consolidated_at, consolidated_node_id, consolidated_by, attempts, retry_at, problem)
SELECT user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count, ended_at, consolidated_at, consolidated_node_id, consolidated_by, attempts, retry_at, problem
FROM sessions_of_users AS s
WHERE NOT EXISTS (SELECT 1 FROM sessions AS found WHERE found.user_id = s.user_id AND found.session_id = s.session_id);
DROP TABLE sessions_of_users;
CREATE INDEX sessions_last_node ON sessions (last_node_id);
CREATE INDEX sessions_pending ON sessions (user_id, session_id) WHERE last_node_id > coalesce(consolidated_node_id, 0);

-- The caller's own id is of a project, and of a session where that is all that sees it.
DROP INDEX nodes_key;
CREATE UNIQUE INDEX nodes_key ON nodes (user_id, source, key, coalesce(project_id, x''),
    iif(visibility = 'session', session_id, x'')) WHERE key IS NOT NULL AND version = 1;

-- Who said a name, and that two are one: a node. It goes with that, unless another that stays says it.
ALTER TABLE entity_names ADD COLUMN node_id INTEGER;
ALTER TABLE entity_merges ADD COLUMN node_id INTEGER;
