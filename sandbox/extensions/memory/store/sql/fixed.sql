-- began: the last line of the log, and its time, when the first turn of a session was stored
SELECT n.created_seq - 1, n.created_at FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic'
ORDER BY n.id LIMIT 1;

-- fixed: all knowledge of some categories, in the order of the categories, each by age
SELECT {columns} FROM json_each(:categories) AS c CROSS JOIN nodes AS n
WHERE n.category = c.value AND n.type NOT IN ('episodic', 'procedural') AND n.trust NOT IN (SELECT value FROM json_each(:foreign))
  AND (n.fades_at IS NULL OR n.fades_at > :world) AND {condition}
ORDER BY c.key,
    (SELECT min(first.id) FROM nodes AS first WHERE first.user_id = n.user_id AND first.public_id = n.public_id), n.id;
