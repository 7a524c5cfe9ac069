-- announce_later: note that a block must announce a memory to its user
INSERT OR IGNORE INTO night_marks (user_id, step, position, at) VALUES (:user_id, 'untold ' || :node, :node, :now);

-- unannounced: memories that no block has announced to a user, as far as they are visible
SELECT {columns} FROM night_marks AS m CROSS JOIN nodes AS n ON n.id = m.position
WHERE m.user_id = :owner AND m.step > 'untold ' AND m.step < 'untold!' AND {condition} ORDER BY n.retired_seq, n.id;

-- mark_announced: note that a block announced some memories to a user
DELETE FROM night_marks
WHERE user_id = :user_id AND step IN (SELECT 'untold ' || value FROM json_each(:ids));

-- propose: make a new version a proposal that was never believed
UPDATE nodes SET retired_at = :now, retired_seq = created_seq, retired_by = 'proposed', purge_at = :until WHERE id = :id;

-- alike: versions of the same home that say the same, and wait or were rejected
SELECT {columns} FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.retired_by IN ('proposed', 'rejected')
  AND {in_home}
  AND (n.retired_by = 'rejected' OR n.purge_at > :now)
  AND (n.fingerprint = :fingerprint OR EXISTS (
    SELECT 1 FROM profile_values AS p JOIN json_each(:fills) AS f
      ON p.field = f.value ->> '$[0]' AND p.value = f.value ->> '$[1]' WHERE p.node_id = n.id))
ORDER BY n.id LIMIT 1;

-- waiting: the proposals for a user, the oldest first
SELECT {columns} FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.retired_by = 'proposed' AND n.purge_at > :now AND {condition}
ORDER BY n.id;

-- fields: the profile fields that a memory fills
SELECT p.field FROM profile_values AS p WHERE p.node_id = :id ORDER BY p.field;

-- possible: pairs of wanted memories of which perhaps only one is true, the latest first
SELECT e.source_id, e.target_id FROM edges AS e CROSS JOIN nodes AS n ON n.id = e.source_id
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND {condition}
  AND e.target_id IN (SELECT n.id FROM nodes AS n WHERE n.id = e.target_id AND {condition})
ORDER BY e.id DESC LIMIT :limit;
