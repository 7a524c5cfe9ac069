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
