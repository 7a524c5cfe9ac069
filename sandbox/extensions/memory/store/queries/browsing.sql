-- listed: what stands now of memories, those that were stored last first; each with the first version there is of it
SELECT {columns}, first.id AS place, first.created_at AS first_stored
FROM nodes AS first CROSS JOIN nodes AS n ON n.user_id = first.user_id AND n.public_id = first.public_id
WHERE first.id < :before AND {kind}
  AND NOT EXISTS (
    SELECT 1 FROM nodes AS earlier WHERE earlier.user_id = first.user_id AND earlier.public_id = first.public_id
        AND earlier.version < first.version)
  AND {wanted}
ORDER BY first.id DESC LIMIT :limit;

-- counted: how many there are
SELECT count(*) FROM nodes AS n WHERE {kind} AND {wanted};

-- entities: whom and what a scope may know of, who was met first last
SELECT e.id AS place, e.public_id, e.name, e.type, e.first_seen, e.last_seen FROM entities AS e
WHERE e.id < :before AND e.merged_into IS NULL AND {condition}
ORDER BY e.id DESC LIMIT :limit;

-- entities_counted: how many there are
SELECT count(*) FROM entities AS e WHERE e.merged_into IS NULL AND {condition};

-- changes: what happened to memories a scope may see, after one line of the log
SELECT c.seq, c.at, c.event, c.actor, c.session_id, c.detail, n.public_id
FROM changes AS c CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.seq > :after AND {condition} ORDER BY c.seq LIMIT :limit;

-- used: what stands now of memories, those that were recalled last first
SELECT {columns} FROM nodes AS n WHERE {kind} AND {wanted}
ORDER BY n.last_accessed DESC NULLS LAST, n.id DESC LIMIT :limit;

-- own: what stands now of memories of a user, but for what everybody sees
SELECT {columns} FROM nodes AS n WHERE n.user_id = :user_id AND n.visibility <> 'global' AND {wanted} ORDER BY n.id;

-- last_change: the last line of the log about what a scope may see
SELECT c.seq FROM changes AS c CROSS JOIN nodes AS n ON n.id = c.node_id WHERE {condition} ORDER BY c.seq DESC LIMIT 1;
