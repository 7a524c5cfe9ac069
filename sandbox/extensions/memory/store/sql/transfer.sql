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

-- same_id: the latest version here of a memory with the same id in another file
SELECT id, fingerprint, valid_until, retired_seq FROM nodes WHERE user_id = :user_id AND public_id = :public_id ORDER BY version DESC LIMIT 1;

-- same_key: the memory here with the same key of a caller
SELECT id, fingerprint, valid_until, retired_seq FROM nodes WHERE user_id = :user_id AND source = :source AND key = :key AND project_id IS :project_id
  AND (visibility = 'session') = (:visibility = 'session') AND (visibility <> 'session' OR session_id IS :session_id)
  AND version = 1;

-- same_statement: the believed memory here with the same words in the same home
SELECT id, fingerprint, valid_until, retired_seq FROM believed WHERE user_id = :user_id AND fingerprint = :fingerprint AND type = :type
  AND visibility = :visibility AND project_id IS :project_id AND subject IS :subject AND valid_until IS NULL
  AND (visibility <> 'session' OR session_id IS :session_id) LIMIT 1;

-- forgotten: how many memories, of each of which one version is given, are forgotten
SELECT count(*) FROM json_each(:ids) AS given CROSS JOIN nodes AS n ON n.id = given.value
WHERE EXISTS (SELECT 1 FROM nodes AS v
    WHERE v.user_id = n.user_id AND v.public_id = n.public_id AND v.retired_by = 'forgotten');

-- same_entity: the entity that a name of another file means here
SELECT id FROM entities WHERE user_id = :user_id AND (public_id = :public_id OR (merged_into IS NULL
    AND :merged_into IS NULL AND name = :name AND type = :type AND visibility = :visibility AND project_id IS :project_id
    AND (visibility <> 'session' OR session_id IS :session_id)))
ORDER BY public_id = :public_id DESC LIMIT 1;

-- seen: update an entity that was mentioned there, too
UPDATE entities SET first_seen = min(first_seen, :first_seen), last_seen = max(last_seen, :last_seen) WHERE id = :id;

-- met: update the mentions of entities that imported nodes mention
UPDATE entities SET mention_count = mention_count + :count WHERE id = :id;

-- unnamed: imported entities that no imported node names
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND id NOT IN (SELECT entity_id FROM node_entities) AND id NOT IN (SELECT into_id FROM entity_merges)
  AND id NOT IN (SELECT merged_into FROM entities WHERE merged_into IS NOT NULL);

-- same_session: continue a conversation of the same home
UPDATE sessions SET last_node_id = max(coalesce(last_node_id, 0), :last_node_id), episode_count = episode_count + :count,
    first_seen_at = min(first_seen_at, :first_seen_at), last_seen_at = max(last_seen_at, :last_seen_at)
WHERE user_id = :user_id AND session_id = :session_id AND visibility = :visibility AND project_id IS :project_id
RETURNING id;
