-- users: who has entities
SELECT DISTINCT e.user_id FROM entities AS e ORDER BY e.user_id;

-- entities: those of a user from an id on, the oldest first
SELECT e.id, e.public_id, e.user_id, e.project_id, e.session_id, e.visibility, e.name, e.type, e.mention_count, e.summary,
    (SELECT json_group_array(w.name) FROM entity_names AS w WHERE w.entity_id = e.id) AS names
FROM entities AS e WHERE e.user_id = :user_id AND e.id > :after AND e.merged_into IS NULL ORDER BY e.id LIMIT :limit;

-- known: those of a user up to an id, the most mentioned first
SELECT e.id, e.public_id, e.user_id, e.project_id, e.session_id, e.visibility, e.name, e.type, e.mention_count, e.summary,
    (SELECT json_group_array(w.name) FROM entity_names AS w WHERE w.entity_id = e.id) AS names
FROM entities AS e WHERE e.user_id = :user_id AND e.id <= :upto AND e.merged_into IS NULL
ORDER BY e.mention_count DESC, e.id LIMIT :limit;

-- together: whether something speaks of both, or one of them speaks of the other
SELECT EXISTS (
    SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :one
    INTERSECT SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :other) AS together;

-- standing: which of two entities are part of no other
SELECT count(*) AS count FROM entities AS e WHERE e.id IN (:one, :other) AND e.merged_into IS NULL;

-- names: of everybody's entities that are part of no other
SELECT e.id, e.name FROM entities AS e WHERE e.merged_into IS NULL ORDER BY e.id;

-- mere_names: those of some entities, persons aside, that only turns speak of, by the one name there is
SELECT e.id FROM json_each(:ids) AS wanted JOIN entities AS e ON e.id = wanted.value
WHERE e.type <> 'person' AND NOT EXISTS (SELECT 1 FROM entity_knowledge AS k WHERE k.entity_id = e.id)
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = e.id AND l.role <> 'mentions')
  AND NOT EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = e.id AND w.name <> e.name)
  AND NOT EXISTS (SELECT 1 FROM entities AS part WHERE part.merged_into = e.id);

-- remove: entities, and with them their names and links
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids));
