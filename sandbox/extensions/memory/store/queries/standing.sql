-- users: who knows something
SELECT DISTINCT n.user_id FROM nodes AS n WHERE n.type <> 'episodic' ORDER BY n.user_id;

-- standing: what a user knows that holds and may be shown by itself, but for one category, the latest first
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.quarantined = 0 AND n.category IS NOT :left_out
  AND (n.valid_until IS NULL OR n.valid_until > :now) AND (n.fades_at IS NULL OR n.fades_at > :now)
ORDER BY n.id DESC LIMIT :limit;

-- holding: which of some nodes hold and may be shown by themselves, but for one category
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN believed AS n ON n.id = wanted.value
WHERE n.type <> 'episodic' AND n.quarantined = 0 AND n.category IS NOT :left_out
  AND (n.valid_until IS NULL OR n.valid_until > :now) AND (n.fades_at IS NULL OR n.fades_at > :now);

-- changed: when some nodes were last changed
SELECT n.id, n.updated_at FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- vectors: the vectors of some nodes by the model that answers
SELECT v.node_id, v.vector FROM json_each(:ids) AS wanted
CROSS JOIN vectors AS v ON v.node_id = wanted.value AND v.model_id = :model_id;

-- first_at: when the first thing was remembered
SELECT created_at FROM nodes ORDER BY id LIMIT 1;
