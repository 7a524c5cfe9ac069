-- note: a file that was written
INSERT OR REPLACE INTO exports (path, user_id, seq, lines, bytes) VALUES (:path, :user_id, :seq, :lines, :bytes);

-- paths: every file that was written
SELECT path FROM exports;

-- drop: files that are gone
DELETE FROM exports WHERE path IN (SELECT value FROM json_each(:paths));

-- holding: files of a user, and of everybody, that were written since the first of some nodes was stored
SELECT x.path, x.lines, x.bytes FROM exports AS x
WHERE (x.user_id IS NULL OR x.user_id = :user_id)
  AND x.seq >= (SELECT min(n.created_seq) FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value)
ORDER BY x.path;
