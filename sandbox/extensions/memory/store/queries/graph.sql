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
SELECT e.target_id AS here, e.source_id AS there FROM edges AS e
WHERE e.target_id IN (SELECT value FROM json_each(:ids))
  AND (e.relation = 'supersedes' OR (e.relation = 'related_to' AND e.predicate = :conflict)) ORDER BY e.id;

-- conflicting: what some nodes may be in conflict with, whichever counts for more
SELECT e.source_id AS here, e.target_id AS there FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id, e.source_id FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND e.target_id IN (SELECT value FROM json_each(:ids));

-- insert_entity: a new canonical identity
INSERT INTO entities (id, public_id, user_id, project_id, session_id, visibility, name, type, first_seen, last_seen)
VALUES (:id, :public_id, :user_id, :project_id, :session_id, :visibility, :name, :type, :at, :at);

-- insert_name: a name or alias of an entity
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id, name, stemmed)
VALUES (:user_id, :folded, :id, :name, :stemmed);

-- named: entities of a user that go by some folded names, the most mentioned first
SELECT w.folded, e.id FROM entity_names AS w JOIN entities AS e ON e.id = w.entity_id
WHERE w.user_id = :user_id AND w.folded IN (SELECT value FROM json_each(:names)) AND e.merged_into IS NULL AND {condition}
ORDER BY e.mention_count DESC, e.id;

-- in_sentence: entities with a name among some stemmed runs of words, with every name they have
SELECT e.id, other.stemmed FROM entity_names AS w
JOIN entities AS e ON e.id = w.entity_id
JOIN entity_names AS other ON other.entity_id = e.id
WHERE w.user_id = :user_id AND w.stemmed IN (SELECT value FROM json_each(:runs)) AND e.merged_into IS NULL AND {condition}
ORDER BY length(w.stemmed) DESC, e.mention_count DESC, e.id;

-- aliases: everything an entity is called
SELECT w.name FROM entity_names AS w WHERE w.entity_id = :id ORDER BY w.name;

-- link: a node speaks of, or was said by, an entity
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role) VALUES (?, ?, ?);

-- mentioned: it was met again
UPDATE entities SET mention_count = mention_count + :count, last_seen = max(last_seen, :last), first_seen = min(first_seen, :first)
WHERE id = :id;

-- entity: one entity as it stands
SELECT e.* FROM entities AS e WHERE e.id = :id;

-- entities_of: names of the entities a node is linked with
SELECT DISTINCT e.name FROM node_entities AS l JOIN entities AS e ON e.id = l.entity_id WHERE l.node_id = :id ORDER BY e.name;

-- touch_session: open a session, or move it on; one that had ended goes on
INSERT INTO sessions (user_id, session_id, project_id, agent_id, actor_id, visibility, first_seen_at, last_seen_at,
    last_node_id, episode_count)
VALUES (:user_id, :session_id, :project_id, :agent_id, :actor_id, :visibility, :first, :last, :last_node, :count)
ON CONFLICT (user_id, session_id) DO UPDATE SET
    first_seen_at = min(first_seen_at, excluded.first_seen_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    last_node_id = excluded.last_node_id,
    episode_count = episode_count + excluded.episode_count,
    ended_at = NULL;

-- end_session: it is over, until something is said in it again
UPDATE sessions SET ended_at = :now WHERE user_id = :user_id AND session_id = :session_id AND ended_at IS NULL;

-- last_episode: the turn a session ends with so far
SELECT last_node_id FROM sessions WHERE user_id = :user_id AND session_id = :session_id;
