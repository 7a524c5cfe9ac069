-- insert_entity: store a new entity
INSERT INTO entities (id, public_id, user_id, project_id, session_id, visibility, name, type, first_seen, last_seen)
VALUES (:id, :public_id, :user_id, :project_id, :session_id, :visibility, :name, :type, :at, :at);

-- insert_name: store a name or alias of an entity that a node says, unless others see the entity, too
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id, name, stemmed, node_id)
SELECT :user_id, :folded, e.id, :name, :stemmed, :node FROM entities AS e
WHERE e.id = :id AND e.user_id = :user_id AND {in_entity_home};

-- at_home: an entity with exactly the audience of what a scope stores
SELECT 1 FROM entities AS e
WHERE e.id = :id AND e.user_id = :user_id AND {in_entity_home};

-- named: entities of a user with some folded names, the most mentioned first, contexts last
SELECT w.folded, e.id FROM entity_names AS w JOIN entities AS e ON e.id = w.entity_id
WHERE w.user_id = :user_id AND w.folded IN (SELECT value FROM json_each(:names)) AND e.merged_into IS NULL AND {condition}
ORDER BY e.type = 'context', e.mention_count DESC, e.id;

-- in_sentence: entities with a name among some stemmed runs of words, with all their names
SELECT e.id, other.stemmed FROM entity_names AS w
JOIN entities AS e ON e.id = w.entity_id
JOIN entity_names AS other ON other.entity_id = e.id
WHERE w.user_id = :user_id AND w.stemmed IN (SELECT value FROM json_each(:runs)) AND e.merged_into IS NULL AND {condition}
ORDER BY length(w.stemmed) DESC, e.mention_count DESC, e.id;

-- with_names: entities with one of some folded names, or with this stemmed name, with all their names; unordered,
-- because sorting here takes three times as long as finding
WITH found AS (
    SELECT w.entity_id FROM entity_names AS w
    WHERE w.user_id = :user_id AND w.folded IN (SELECT value FROM json_each(:names))
    UNION SELECT w.entity_id FROM entity_names AS w
    WHERE w.user_id = :user_id AND w.stemmed IN (SELECT value FROM json_each(:stems)))
SELECT e.id, e.type, e.name, e.mention_count,
    (SELECT json_group_array(w.name) FROM entity_names AS w WHERE w.entity_id = e.id) AS names
FROM found CROSS JOIN entities AS e ON e.id = found.entity_id
WHERE e.type <> 'context' AND e.merged_into IS NULL AND {condition};

-- having_words: persons with a name that begins or ends with one of some words, with all their names; unordered
WITH found AS (
    SELECT w.entity_id FROM json_each(:words) AS word CROSS JOIN entity_names AS w
    WHERE w.user_id = :user_id AND w.folded > word.value || ' ' AND w.folded < word.value || '!'
    UNION SELECT w.entity_id FROM json_each(:words) AS word CROSS JOIN entity_names AS w
    WHERE w.user_id = :user_id AND replace(w.folded, rtrim(w.folded, replace(w.folded, ' ', '')), '') = word.value)
SELECT e.id, e.type, e.name, e.mention_count,
    (SELECT json_group_array(w.name) FROM entity_names AS w WHERE w.entity_id = e.id) AS names
FROM found CROSS JOIN entities AS e ON e.id = found.entity_id
WHERE e.type = 'person' AND e.merged_into IS NULL AND {condition};

-- every_name: all names of all entities of a user
SELECT w.name, e.id FROM entity_names AS w JOIN entities AS e ON e.id = w.entity_id
WHERE w.user_id = :user_id AND e.type <> 'context' AND e.merged_into IS NULL AND {condition};

-- by_public_id: the entity of a user with a public id
SELECT e.id FROM entities AS e
WHERE e.user_id = :user_id AND e.public_id = :id AND e.merged_into IS NULL AND {condition};

-- known_of: the entities among some that a scope may know of, in their order
SELECT e.id FROM json_each(:ids) AS wanted CROSS JOIN entities AS e ON e.id = wanted.value
WHERE {condition} ORDER BY wanted.key;

-- aliases: all names of an entity
SELECT w.name FROM entity_names AS w WHERE w.entity_id = :id ORDER BY w.name;

-- link: link a node with an entity
INSERT INTO node_entities (entity_id, node_id, role) VALUES (?, ?, ?);

-- linked: the entities that are linked with some nodes in one role
SELECT l.entity_id, l.node_id FROM json_each(:nodes) AS wanted
CROSS JOIN node_entities AS l ON l.node_id = wanted.value AND l.role = :role;

-- unlink: remove the link between a node and an entity
DELETE FROM node_entities WHERE entity_id = :entity AND node_id = :node AND role = :role;

-- met_less: an entity is met one time less
UPDATE entities SET mention_count = max(0, mention_count - 1) WHERE id = :entity;

-- mentioned: update the number of mentions, the first and the last time of entities
UPDATE entities SET mention_count = mention_count + json_extract(met.value, '$[1]'),
    first_seen = min(first_seen, json_extract(met.value, '$[2]')), last_seen = max(last_seen, json_extract(met.value, '$[3]'))
FROM json_each(:met) AS met WHERE entities.id = json_extract(met.value, '$[0]');

-- entity: one entity
SELECT e.* FROM entities AS e WHERE e.id = :id;

-- entities_of: names of the entities linked with a node
SELECT DISTINCT e.name FROM node_entities AS l JOIN entities AS e ON e.id = l.entity_id
WHERE l.node_id = :id AND (:role IS NULL OR l.role = :role) AND e.merged_into IS NULL AND {condition} ORDER BY e.name;

-- roles: the roles in which some nodes are linked with some entities
SELECT l.node_id, l.role, e.name FROM json_each(:nodes) AS node
CROSS JOIN node_entities AS l ON l.node_id = node.value
JOIN entities AS e ON e.id = l.entity_id
WHERE l.entity_id IN (SELECT value FROM json_each(:entities)) ORDER BY node.key, e.id, l.role;

-- beginning_with: entities with stemmed names that begin with some words; a space sorts before an exclamation mark
SELECT w.stemmed, w.name, e.id FROM json_each(:firsts) AS first
CROSS JOIN entity_names AS w
    ON w.user_id = :user_id AND w.stemmed >= first.value AND w.stemmed < first.value || '!'
JOIN entities AS e ON e.id = w.entity_id
WHERE e.type <> 'context' AND e.merged_into IS NULL AND {condition}
ORDER BY e.id;

-- taught: names of entities that some nodes mention and are the first to tell
SELECT DISTINCT w.name FROM json_each(:nodes) AS said
CROSS JOIN node_entities AS l ON l.node_id = said.value
JOIN entity_names AS w ON w.entity_id = l.entity_id
WHERE w.node_id IN (SELECT value FROM json_each(:nodes));

-- saying: the latest 200 turns of a home that may contain a name; a private session is a home of its own
SELECT n.id, n.content, n.event_time FROM nodes_fts AS f CROSS JOIN nodes AS n ON n.id = f.rowid
WHERE nodes_fts MATCH :match AND n.type = 'episodic' AND n.user_id = :user_id
  AND n.visibility = :visibility AND (n.visibility <> 'session' OR n.session_id IS :session_id)
  AND n.project_id IS :project_id
ORDER BY f.rowid DESC LIMIT 200;

-- own_context: the context of a name in the home where a scope stores
SELECT e.id FROM entity_names AS w CROSS JOIN entities AS e ON e.id = w.entity_id
WHERE w.user_id = :user_id AND w.folded = :folded AND e.type = 'context' AND e.merged_into IS NULL
  AND {in_entity_home}
ORDER BY e.id LIMIT 1;

-- set_priority: set the priority of a context
UPDATE entities SET priority = coalesce(:priority, priority) WHERE id = :id;

-- describe: set the description of a context
UPDATE entities SET attributes = json_set(attributes, '$.description', :description)
WHERE id = :id AND :description IS NOT NULL;

-- known_contexts: contexts that a scope may know of, with the number of wanted memories in each
SELECT e.public_id, e.name, e.priority, json_extract(e.attributes, '$.description') AS description,
    (SELECT count(*) FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id
     WHERE l.entity_id = e.id AND l.role = 'belongs_to' AND {wanted}) AS memories
FROM entities AS e WHERE e.type = 'context' AND e.merged_into IS NULL AND {condition}
ORDER BY e.priority DESC, lower(e.name), e.id;

-- contexts_called: contexts with a name or a public id
SELECT e.id FROM entities AS e WHERE e.type = 'context' AND e.merged_into IS NULL AND {condition}
  AND (e.public_id IN (SELECT value FROM json_each(:ids)) OR EXISTS (
    SELECT 1 FROM entity_names AS w WHERE w.entity_id = e.id AND w.folded IN (SELECT value FROM json_each(:names))));

-- contexts_of: the contexts of some nodes, the highest priority first
SELECT l.node_id, e.name FROM json_each(:nodes) AS node
CROSS JOIN node_entities AS l ON l.node_id = node.value AND l.role = 'belongs_to'
JOIN entities AS e ON e.id = l.entity_id
WHERE e.merged_into IS NULL AND {condition} ORDER BY e.priority DESC, lower(e.name), e.id;

-- priorities: the highest priority of each node in a context with one, without nodes of some trusts
SELECT l.node_id, max(e.priority) FROM json_each(:nodes) AS node
CROSS JOIN node_entities AS l ON l.node_id = node.value AND l.role = 'belongs_to'
JOIN entities AS e ON e.id = l.entity_id JOIN nodes AS n ON n.id = l.node_id
WHERE e.priority > 0 AND n.trust NOT IN (SELECT value FROM json_each(:trusts)) GROUP BY l.node_id;

-- better_type: set the type of an entity whose type was unknown
UPDATE entities AS e SET type = :type WHERE e.id = :id AND e.type = :unknown AND e.type <> :type
  AND e.user_id = :user_id AND {in_entity_home};

-- add_names: copy names that an entity lacks
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id, name, stemmed, node_id)
SELECT w.user_id, w.folded, :into, w.name, w.stemmed, w.node_id FROM entity_names AS w WHERE w.entity_id = :entity
ORDER BY w.folded RETURNING folded;

-- add_links: copy links that an entity lacks
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role)
SELECT :into, l.node_id, l.role FROM node_entities AS l WHERE l.entity_id = :entity
ORDER BY l.node_id, l.role RETURNING node_id, role;

-- hide: mark an entity as merged into another
UPDATE entities SET merged_into = :into WHERE id = :entity;

-- grow: update an entity after a merge
UPDATE entities SET type = :type, mention_count = mention_count + :count,
    first_seen = min(first_seen, :first), last_seen = max(last_seen, :last)
WHERE id = :into;

-- note: record what a merge copied, and the other entity's former state
INSERT INTO entity_merges (entity_id, into_id, names, links, was, at, node_id, split_at)
VALUES (:entity, :into, :names, :links, :was, :now, :node, :split);

-- last: the latest valid merge into an entity
SELECT * FROM entity_merges WHERE into_id = :into AND split_at IS NULL ORDER BY id DESC LIMIT 1;

-- drop_name: remove a name of an entity
DELETE FROM entity_names WHERE entity_id = ? AND folded = ?;

-- shrink: restore an entity's state before a merge, with the mentions since
UPDATE entities SET type = :type, mention_count = max(0, mention_count - :count),
    summary = CASE WHEN :keeps_summary THEN summary END,
    (first_seen, last_seen) = (
        SELECT coalesce(min(n.event_time), first_seen), coalesce(max(n.event_time), last_seen)
        FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = :into)
WHERE id = :into;

-- mark_split: record an undone merge; the two are not merged again
UPDATE entity_merges SET split_at = :now WHERE id = :id;

-- kept_apart: whether two entities are known to be different: split before, or speakers in one session
SELECT EXISTS (
    SELECT 1 FROM entity_merges WHERE split_at IS NOT NULL
      AND (entity_id, into_id) IN (VALUES (:one, :other), (:other, :one))
) OR EXISTS (
    SELECT n.session_id FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = :one AND l.role = 'speaker' AND n.session_id IS NOT NULL
    INTERSECT
    SELECT n.session_id FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = :other AND l.role = 'speaker') AS apart;

-- said_in: the latest valid merge that rests on one of some nodes
SELECT * FROM entity_merges
WHERE split_at IS NULL AND node_id IN (SELECT value FROM json_each(:nodes)) ORDER BY id DESC LIMIT 1;

-- standing_after: valid merges after one
SELECT * FROM entity_merges WHERE split_at IS NULL AND id > :id ORDER BY id;

-- drop_merge: delete the record of a merge
DELETE FROM entity_merges WHERE id = :id;

-- since: entities of a user from an id on, the oldest first
SELECT {entity_columns} FROM entities AS e
WHERE e.user_id = :user_id AND e.id > :after AND e.merged_into IS NULL ORDER BY e.id LIMIT :limit;

-- until: entities of a user up to an id, the most mentioned first
SELECT {entity_columns} FROM entities AS e WHERE e.user_id = :user_id AND e.id <= :upto AND e.merged_into IS NULL
ORDER BY e.mention_count DESC, e.id LIMIT :limit;

-- together: whether a node mentions both, or one of them mentions the other
SELECT EXISTS (
    SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :one
    INTERSECT SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :other) AS together;

-- standing: which of two entities are not merged
SELECT count(*) AS count FROM entities AS e WHERE e.id IN (:one, :other) AND e.merged_into IS NULL;
