-- tell_later: a user has yet to be told of a memory
INSERT OR IGNORE INTO night_marks (user_id, step, position, at) VALUES (:user_id, 'untold ' || :node, :node, :now);

-- untold: memories that a user has yet to be told of, as far as they may be seen
SELECT {columns} FROM night_marks AS m CROSS JOIN nodes AS n ON n.id = m.position
WHERE m.user_id = :owner AND m.step > 'untold ' AND m.step < 'untold!' AND {condition} ORDER BY n.retired_seq, n.id;

-- told: the user knows of some memories
DELETE FROM night_marks
WHERE user_id = :user_id AND step IN (SELECT 'untold ' || value FROM json_each(:ids));

-- propose: what was just stored waits, and was never believed
UPDATE nodes SET retired_at = :now, retired_seq = created_seq, retired_by = 'proposed', purge_at = :until WHERE id = :id;

-- alike: what says the same of the same home and waits, or was rejected
SELECT {columns} FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.retired_by IN ('proposed', 'rejected')
  AND n.visibility = :visibility AND n.project_id IS :project_id
  AND (n.visibility <> 'session' OR n.session_id IS :session_id)
  AND (n.retired_by = 'rejected' OR n.purge_at > :now)
  AND (n.fingerprint = :fingerprint OR EXISTS (
    SELECT 1 FROM profile_values AS p JOIN json_each(:fills) AS f
      ON p.field = f.value ->> '$[0]' AND p.value = f.value ->> '$[1]' WHERE p.node_id = n.id))
ORDER BY n.id LIMIT 1;

-- waiting: what waits for a user, the oldest first
SELECT {columns} FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.retired_by = 'proposed' AND n.purge_at > :now AND {condition}
ORDER BY n.id;

-- fields: what a memory says of the user's profile
SELECT p.field FROM profile_values AS p WHERE p.node_id = :id ORDER BY p.field;

-- decide: it waits no more
UPDATE nodes SET retired_by = :by, purge_at = NULL, updated_at = :now WHERE id = :id;

-- possible: pairs of memories that are wanted, of which perhaps one holds only, the latest first
SELECT e.source_id, e.target_id FROM edges AS e CROSS JOIN nodes AS n ON n.id = e.source_id
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND {wanted}
  AND e.target_id IN (SELECT n.id FROM nodes AS n WHERE n.id = e.target_id AND {wanted})
ORDER BY e.id DESC LIMIT :limit;
