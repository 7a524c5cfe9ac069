-- unused: what holds, does not matter much and was not used for as many days as its category says; nothing that is pinned,
-- nor what the user told on purpose
SELECT n.id FROM json_each(:days) AS d CROSS JOIN believed AS n ON n.category = d.key
WHERE d.value > 0 AND n.type <> 'episodic' AND n.importance < :important AND {may_go}
  AND max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at) <= :now - d.value * :day
ORDER BY n.id;

-- beyond: what goes first of what a user knows, where that is more than so many
SELECT n.id FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {may_go}
ORDER BY n.importance, max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at), n.id
LIMIT max(0, (SELECT count(*) FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {holds}) - :most);

-- expire: it is put away, and goes for good at some time
UPDATE nodes SET purge_at = :purge_at WHERE id = :id;

-- due: what was put away, or waited for consent, long enough
SELECT n.id FROM nodes AS n WHERE n.retired_by IN ('expired', 'proposed') AND n.purge_at <= :now ORDER BY n.id LIMIT :limit;
