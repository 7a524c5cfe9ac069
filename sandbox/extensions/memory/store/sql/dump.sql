-- columns: the columns of a table, in order
SELECT name FROM pragma_table_info(:name) ORDER BY cid;

-- unless_empty: whether anything was ever stored
SELECT 1 FROM changes UNION ALL SELECT 1 FROM nodes UNION ALL SELECT 1 FROM documents
UNION ALL SELECT 1 FROM erased_keys LIMIT 1;

-- of_others: whether anything belongs to another user, or is global
SELECT 1 FROM nodes WHERE user_id <> :user_id OR visibility = 'global'
UNION ALL SELECT 1 FROM entities WHERE user_id <> :user_id OR visibility = 'global'
UNION ALL SELECT 1 FROM documents WHERE user_id <> :user_id LIMIT 1;

-- unembedded: put every node without a vector into the backlog, but no proposal: it was never believed
INSERT OR IGNORE INTO embedding_backlog (node_id)
SELECT n.id FROM nodes AS n
WHERE n.retired_seq IS NOT n.created_seq AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.node_id = n.id);

-- forget_ids: forget which ids nodes were given
DELETE FROM sqlite_sequence WHERE name = 'nodes';

-- take_ids: no new node gets an id of a node, or of an erased one, which the log still names
INSERT INTO sqlite_sequence (name, seq)
SELECT 'nodes', max(given.id) FROM (SELECT max(n.id) AS id FROM nodes AS n UNION ALL SELECT max(c.node_id) FROM changes AS c) AS given
HAVING max(given.id) IS NOT NULL;

-- known: the knowledge of a scope now, by category, the earliest first
SELECT {columns} FROM nodes AS n WHERE {condition} AND n.type <> 'episodic'
ORDER BY n.category, n.event_time, n.id;

-- turns: the turns of the conversations that a scope sees, the earliest conversation first
SELECT {columns} FROM nodes AS n
JOIN (SELECT user_id, session_id, project_id, min(first_seen_at) AS first FROM sessions GROUP BY 1, 2, 3) AS s
    ON s.user_id = n.user_id AND s.session_id IS n.session_id AND s.project_id IS n.project_id
WHERE {condition} AND n.type = 'episodic'
ORDER BY s.first, n.session_id, n.event_time, n.id;

-- note_file: a file that was written
INSERT OR REPLACE INTO exports (path, user_id, seq, lines, bytes) VALUES (:path, :user_id, :seq, :lines, :bytes);

-- paths: every file that was written
SELECT path FROM exports;

-- drop_files: files that are gone
DELETE FROM exports WHERE path IN (SELECT value FROM json_each(:paths));

-- holding: files of a user, and of everybody, that were written since the first of some nodes was stored
SELECT x.path, x.lines, x.bytes FROM exports AS x
WHERE (x.user_id IS NULL OR x.user_id = :user_id)
  AND x.seq >= (SELECT min(n.created_seq) FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value)
ORDER BY x.path;
