-- unspoken: delete entities that no node mentions, with all their names
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = entities.id);

-- doubtful: names of some entities for which no remaining node stands; a context has its name from any memory in it
SELECT w.user_id, w.entity_id AS id, w.folded, w.name FROM json_each(:ids) AS wanted
CROSS JOIN entity_names AS w ON w.entity_id = wanted.value
WHERE (w.node_id IS NULL OR NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = w.node_id))
  AND w.entity_id NOT IN (SELECT e.id FROM entities AS e WHERE e.type = 'context');

-- narrow: give entities that nobody sees with a node any more the home of the widest node that mentions them
UPDATE entities AS e SET (visibility, project_id, session_id) = (
    SELECT n.visibility, n.project_id, n.session_id FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = e.id ORDER BY n.visibility <> 'user', n.visibility <> 'project', n.id LIMIT 1)
WHERE id IN (SELECT value FROM json_each(:ids)) AND type <> 'context' AND NOT EXISTS (
    SELECT 1 FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = e.id AND {seen_with_entity});

-- saying: a node that mentions an entity, contains all terms of a name, and is seen by everybody who sees the entity
SELECT f.rowid FROM nodes_fts AS f CROSS JOIN node_entities AS l ON l.node_id = f.rowid AND l.entity_id = :id
CROSS JOIN nodes AS n ON n.id = f.rowid JOIN entities AS e ON e.id = l.entity_id
WHERE nodes_fts MATCH :match AND {seen_with_entity} LIMIT 1;

-- spelling: such a node with a name as it is written, for names without terms
SELECT n.id FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id JOIN entities AS e ON e.id = l.entity_id
WHERE l.entity_id = :id AND {seen_with_entity} AND (n.speaker = :name OR n.subject = :name OR instr(n.content, :name) > 0) LIMIT 1;

-- stand: note that a node stands for a name
UPDATE entity_names SET node_id = :node WHERE user_id = :user_id AND folded = :folded AND entity_id = :id;

-- drop: delete a name
DELETE FROM entity_names WHERE user_id = :user_id AND folded = :folded AND entity_id = :id;

-- drop_summaries: delete summaries that may contain the name
DELETE FROM summaries WHERE kind = 'entity' AND (user_id, about) IN (SELECT user_id, public_id FROM entities WHERE id = :id);

-- rename: give an entity one of its remaining names
UPDATE entities SET name = (SELECT w.name FROM entity_names AS w WHERE w.entity_id = :id ORDER BY w.node_id, w.folded LIMIT 1)
WHERE id = :id AND EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = :id)
  AND NOT EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = :id AND w.name = entities.name);

-- nameless: entities without a name
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = entities.id);

-- recount: update the number and the times of mentions
UPDATE entities SET mention_count = met.count, first_seen = met.first, last_seen = met.last
FROM (SELECT l.entity_id AS id, count(*) AS count, min(n.event_time) AS first, max(n.event_time) AS last
    FROM json_each(:ids) AS wanted CROSS JOIN node_entities AS l ON l.entity_id = wanted.value
    CROSS JOIN nodes AS n ON n.id = l.node_id GROUP BY l.entity_id) AS met
WHERE entities.id = met.id;

-- untype: forget what entities are of which no remaining claim tells, and which do not speak
UPDATE entities SET type = :unknown WHERE id IN (SELECT value FROM json_each(:ids)) AND type <> 'context'
  AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.subject_id = entities.id)
  AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.value_id = entities.id)
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = entities.id AND l.role = 'speaker');

-- gained: the recorded names that entities copied to others
SELECT m.id, m.names, (SELECT json_group_array(w.folded) FROM entity_names AS w WHERE w.entity_id = m.into_id) AS left
FROM entity_merges AS m WHERE m.entity_id IN (SELECT value FROM json_each(:ids)) OR m.into_id IN (SELECT value FROM json_each(:ids));

-- note: update the record to the remaining names
UPDATE entity_merges SET names = :names WHERE id = :id;

-- heirs: remaining versions of memories of which an earlier version is erased, the first ones first, with that
-- version's tags
SELECT n.id, g.tags AS gone_tags
FROM json_each(:gone) AS wanted CROSS JOIN nodes AS g ON g.id = wanted.value AND g.type <> 'episodic'
CROSS JOIN nodes AS n ON n.user_id = g.user_id AND n.public_id = g.public_id AND n.version > g.version
WHERE n.id NOT IN (SELECT value FROM json_each(:gone)) ORDER BY n.version, n.id;

-- inherited: the content of a version, and what remaining versions before it have in common with it
SELECT n.tags, n.subject, n.content,
    (SELECT json_group_array(tag.value) FROM nodes AS e CROSS JOIN json_each(e.tags) AS tag
     WHERE e.user_id = n.user_id AND e.public_id = n.public_id AND e.version < n.version
       AND e.id NOT IN (SELECT value FROM json_each(:gone))) AS earlier_tags,
    EXISTS (SELECT 1 FROM nodes AS e
     WHERE e.user_id = n.user_id AND e.public_id = n.public_id AND e.version < n.version AND e.subject IS n.subject
       AND e.id NOT IN (SELECT value FROM json_each(:gone))) AS had_subject
FROM nodes AS n WHERE n.id = :id;

-- said_by_sources: the remaining sources of a version
SELECT t.content, t.speaker FROM edges AS e CROSS JOIN nodes AS t ON t.id = e.target_id
WHERE e.source_id = :id AND e.relation = 'derived_from' AND t.id NOT IN (SELECT value FROM json_each(:gone));

-- disinherit: a version without what it inherited
UPDATE nodes SET tags = :tags, subject = :subject, who = iif(:subject IS NULL, '', who) WHERE id = :id;

-- leave: remove remaining versions from contexts that only erased versions were in
DELETE FROM node_entities WHERE role = 'belongs_to' AND (entity_id, node_id) IN (
    SELECT l.entity_id, n.id FROM json_each(:gone) AS wanted CROSS JOIN nodes AS g ON g.id = wanted.value AND g.type <> 'episodic'
    CROSS JOIN node_entities AS l ON l.node_id = g.id AND l.role = 'belongs_to'
    CROSS JOIN nodes AS n ON n.user_id = g.user_id AND n.public_id = g.public_id AND n.version > g.version
    WHERE n.id NOT IN (SELECT value FROM json_each(:gone)) AND NOT EXISTS (
        SELECT 1 FROM nodes AS e CROSS JOIN node_entities AS k ON k.node_id = e.id AND k.entity_id = l.entity_id
            AND k.role = 'belongs_to'
        WHERE e.user_id = g.user_id AND e.public_id = g.public_id AND e.version < n.version
            AND e.id NOT IN (SELECT value FROM json_each(:gone))));

-- links: the entities that a node mentions, with all names
SELECT l.entity_id AS id, l.role,
    (SELECT json_group_array(w.folded) FROM entity_names AS w WHERE w.entity_id = l.entity_id) AS names
FROM node_entities AS l WHERE l.node_id = :id;

-- unlink: remove the link between a node and an entity
DELETE FROM node_entities WHERE node_id = :node AND entity_id = :id AND role = :role;
