-- latest: the last turn of everybody who talked
SELECT s.user_id, max(s.last_node_id) AS last FROM sessions AS s
WHERE s.visibility = 'user' AND s.last_node_id IS NOT NULL GROUP BY s.user_id ORDER BY s.user_id;

-- turns: the latest of what a user and assistants said behind a node, seen everywhere and trusted
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.id > :after AND n.type = 'episodic' AND n.visibility = 'user'
  AND n.role IN ('user', 'assistant') AND n.quarantined = 0
ORDER BY n.id DESC LIMIT :limit;

-- facts: the latest of what was learnt of a user behind a node, but for one category
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.id > :after AND n.type = 'semantic' AND n.visibility = 'user' AND n.quarantined = 0
  AND n.category IS NOT :left_out AND (n.valid_until IS NULL OR n.valid_until > :now)
  AND (n.fades_at IS NULL OR n.fades_at > :now)
ORDER BY n.id DESC LIMIT :limit;
