-- called: entities with stemmed names that begin with some words; a space sorts before an exclamation mark
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

-- own: the context of a name in the home where a scope stores
SELECT e.id FROM entity_names AS w CROSS JOIN entities AS e ON e.id = w.entity_id
WHERE w.user_id = :user_id AND w.folded = :folded AND e.type = 'context' AND e.merged_into IS NULL
  AND {in_entity_home}
ORDER BY e.id LIMIT 1;

-- set_priority: set the priority of a context
UPDATE entities SET priority = coalesce(:priority, priority) WHERE id = :id;

-- describe: set the description of a context
UPDATE entities SET attributes = json_set(attributes, '$.description', :description)
WHERE id = :id AND :description IS NOT NULL;

-- known: contexts that a scope may know of, with the number of wanted memories in each
SELECT e.public_id, e.name, e.priority, json_extract(e.attributes, '$.description') AS description,
    (SELECT count(*) FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id
     WHERE l.entity_id = e.id AND l.role = 'belongs_to' AND {wanted}) AS memories
FROM entities AS e WHERE e.type = 'context' AND e.merged_into IS NULL AND {condition}
ORDER BY e.priority DESC, lower(e.name), e.id;

-- contexts_called: contexts with a name or a public id
SELECT e.id FROM entities AS e WHERE e.type = 'context' AND e.merged_into IS NULL AND {condition}
  AND (e.public_id IN (SELECT value FROM json_each(:ids)) OR EXISTS (
    SELECT 1 FROM entity_names AS w WHERE w.entity_id = e.id AND w.folded IN (SELECT value FROM json_each(:names))));

-- of_nodes: the contexts of some nodes, the highest priority first
SELECT l.node_id, e.name FROM json_each(:nodes) AS node
CROSS JOIN node_entities AS l ON l.node_id = node.value AND l.role = 'belongs_to'
JOIN entities AS e ON e.id = l.entity_id
WHERE e.merged_into IS NULL AND {condition} ORDER BY e.priority DESC, lower(e.name), e.id;

-- priorities: the highest priority of each node in a context with one, without nodes of some trusts
SELECT l.node_id, max(e.priority) FROM json_each(:nodes) AS node
CROSS JOIN node_entities AS l ON l.node_id = node.value AND l.role = 'belongs_to'
JOIN entities AS e ON e.id = l.entity_id JOIN nodes AS n ON n.id = l.node_id
WHERE e.priority > 0 AND n.trust NOT IN (SELECT value FROM json_each(:trusts)) GROUP BY l.node_id;
