-- gained_names: names of one entity that another has not
SELECT w.folded FROM entity_names AS w WHERE w.entity_id = :entity
  AND w.folded NOT IN (SELECT o.folded FROM entity_names AS o WHERE o.entity_id = :into) ORDER BY w.folded;

-- gained_links: links of one entity that another has not
SELECT l.node_id, l.role FROM node_entities AS l WHERE l.entity_id = :entity AND NOT EXISTS (
    SELECT 1 FROM node_entities AS o WHERE o.entity_id = :into AND o.role = l.role AND o.node_id = l.node_id)
ORDER BY l.node_id, l.role;

-- add_names: an entity is called as another is, too
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id, name, stemmed, node_id)
SELECT w.user_id, w.folded, :into, w.name, w.stemmed, w.node_id FROM entity_names AS w WHERE w.entity_id = :entity;

-- add_links: what speaks of one entity speaks of another
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role)
SELECT :into, l.node_id, l.role FROM node_entities AS l WHERE l.entity_id = :entity;

-- hide: an entity that is part of another
UPDATE entities SET merged_into = :into WHERE id = :entity;

-- grow: what an entity becomes by another
UPDATE entities SET type = :type, mention_count = mention_count + :count,
    first_seen = min(first_seen, :first), last_seen = max(last_seen, :last)
WHERE id = :into;

-- note: what an entity brought, and how the other was before
INSERT INTO entity_merges (entity_id, into_id, names, links, was, at, node_id)
VALUES (:entity, :into, :names, :links, :was, :now, :node);

-- note_apart: two that were never one, and shall not be
INSERT INTO entity_merges (entity_id, into_id, names, links, was, at, split_at)
VALUES (:entity, :into, :names, :links, :was, :now, :now);

-- last: the latest merge into an entity that stands
SELECT * FROM entity_merges WHERE into_id = :into AND split_at IS NULL ORDER BY id DESC LIMIT 1;

-- merged: names of what is part of an entity, in the order it was merged
SELECT e.name FROM entity_merges AS m JOIN entities AS e ON e.id = m.entity_id
WHERE m.into_id = :into AND m.split_at IS NULL ORDER BY m.id;

-- drop_name: an entity is not called so any more
DELETE FROM entity_names WHERE entity_id = ? AND folded = ?;

-- drop_link: a node does not speak of an entity after all
DELETE FROM node_entities WHERE entity_id = ? AND node_id = ? AND role = ?;

-- times: when an entity was met first and last, by what is linked with it
SELECT min(n.event_time) AS first, max(n.event_time) AS last
FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = :into;

-- shrink: what an entity was before another became part of it, and what it was since met in
UPDATE entities SET type = :type, mention_count = max(0, mention_count - :count), first_seen = :first, last_seen = :last,
    summary = CASE WHEN :keeps_summary THEN summary END
WHERE id = :into;

-- mark_split: a merge that was undone; these two are not taken for one again
UPDATE entity_merges SET split_at = :now WHERE id = :id;

-- told_apart: whether two entities are known to be two: split before, or both speaking in one session
SELECT EXISTS (
    SELECT 1 FROM entity_merges WHERE split_at IS NOT NULL
      AND (entity_id, into_id) IN (VALUES (:one, :other), (:other, :one))
) OR EXISTS (
    SELECT n.session_id FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = :one AND l.role = 'speaker' AND n.session_id IS NOT NULL
    INTERSECT
    SELECT n.session_id FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = :other AND l.role = 'speaker') AS apart;

-- by_id: one entity as it stands
SELECT * FROM entities WHERE id = :id;

-- said_in: the latest merge that stands and that one of some nodes says
SELECT * FROM entity_merges
WHERE split_at IS NULL AND node_id IN (SELECT value FROM json_each(:nodes)) ORDER BY id DESC LIMIT 1;

-- standing_after: merges that stand and came after one
SELECT * FROM entity_merges WHERE split_at IS NULL AND id > :id ORDER BY id;

-- drop_merge: it never was
DELETE FROM entity_merges WHERE id = :id;

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
