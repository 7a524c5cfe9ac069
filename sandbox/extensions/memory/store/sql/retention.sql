-- unused_for: valid memories of little importance that were not used for as many days as their category allows, without
-- pinned ones and those that the user told on purpose
SELECT n.id FROM json_each(:days) AS d CROSS JOIN believed AS n ON n.category = d.key
WHERE d.value > 0 AND n.type <> 'episodic' AND n.importance < :important AND {may_go}
  AND max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at) <= :now - d.value * :day
ORDER BY n.id;

-- beyond: the first to go of a user's knowledge above a limit
SELECT n.id FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {may_go}
ORDER BY n.importance, max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at), n.id
LIMIT max(0, (SELECT count(*) FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {holds}) - :most);

-- expire: put a memory away until it is purged
UPDATE nodes SET purge_at = :purge_at WHERE id = :id;

-- due: memories that were put away, or waited for consent, long enough
SELECT n.id FROM nodes AS n WHERE n.retired_by IN ('expired', 'proposed') AND n.purge_at <= :now ORDER BY n.id LIMIT :limit;
