-- better_type: set the type of an entity whose type was unknown
UPDATE entities AS e SET type = :type WHERE e.id = :id AND e.type = :unknown AND e.type <> :type
  AND e.user_id = :user_id AND {in_entity_home};

-- gained_names: names of one entity that another lacks
SELECT w.folded FROM entity_names AS w WHERE w.entity_id = :entity
  AND w.folded NOT IN (SELECT o.folded FROM entity_names AS o WHERE o.entity_id = :into) ORDER BY w.folded;

-- gained_links: links of one entity that another lacks
SELECT l.node_id, l.role FROM node_entities AS l WHERE l.entity_id = :entity AND NOT EXISTS (
    SELECT 1 FROM node_entities AS o WHERE o.entity_id = :into AND o.role = l.role AND o.node_id = l.node_id)
ORDER BY l.node_id, l.role;

-- add_names: copy names to an entity
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id, name, stemmed, node_id)
SELECT w.user_id, w.folded, :into, w.name, w.stemmed, w.node_id FROM entity_names AS w WHERE w.entity_id = :entity;

-- add_links: copy links to an entity
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role)
SELECT :into, l.node_id, l.role FROM node_entities AS l WHERE l.entity_id = :entity;

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

-- merged: names of the entities merged into an entity, in the order of the merges
SELECT e.name FROM entity_merges AS m JOIN entities AS e ON e.id = m.entity_id
WHERE m.into_id = :into AND m.split_at IS NULL ORDER BY m.id;

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

-- users: the users with entities
SELECT DISTINCT e.user_id FROM entities AS e ORDER BY e.user_id;

-- entities: entities of a user from an id on, the oldest first
SELECT {entity_columns} FROM entities AS e
WHERE e.user_id = :user_id AND e.id > :after AND e.merged_into IS NULL ORDER BY e.id LIMIT :limit;

-- known: entities of a user up to an id, the most mentioned first
SELECT {entity_columns} FROM entities AS e WHERE e.user_id = :user_id AND e.id <= :upto AND e.merged_into IS NULL
ORDER BY e.mention_count DESC, e.id LIMIT :limit;

-- together: whether a node mentions both, or one of them mentions the other
SELECT EXISTS (
    SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :one
    INTERSECT SELECT l.node_id FROM node_entities AS l WHERE l.entity_id = :other) AS together;

-- standing: which of two entities are not merged
SELECT count(*) AS count FROM entities AS e WHERE e.id IN (:one, :other) AND e.merged_into IS NULL;
