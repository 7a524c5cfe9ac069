-- same_id: the latest version here of a memory with the same id in another file
SELECT id FROM nodes WHERE user_id = :user_id AND public_id = :public_id ORDER BY version DESC LIMIT 1;

-- same_key: the memory here with the same key of a caller
SELECT id FROM nodes WHERE user_id = :user_id AND source = :source AND key = :key AND project_id IS :project_id
  AND (visibility = 'session') = (:visibility = 'session') AND (visibility <> 'session' OR session_id IS :session_id)
  AND version = 1;

-- same_statement: the believed memory here with the same words in the same home
SELECT id FROM believed WHERE user_id = :user_id AND fingerprint = :fingerprint AND type = :type
  AND visibility = :visibility AND project_id IS :project_id AND subject IS :subject AND valid_until IS NULL
  AND (visibility <> 'session' OR session_id IS :session_id) LIMIT 1;

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

-- same_model: an embedding model with this name
SELECT id FROM embedding_models WHERE name = :name;

-- same_group: a group of vectors
SELECT id FROM vector_groups WHERE user_id = :user_id AND visibility = :visibility AND type = :type;
