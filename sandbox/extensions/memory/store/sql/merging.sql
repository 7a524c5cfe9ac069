-- same_id: the latest version here of a memory that another file holds under the same id
SELECT id FROM nodes WHERE user_id = :user_id AND public_id = :public_id ORDER BY version DESC LIMIT 1;

-- same_key: what was stored here under the same key of a caller
SELECT id FROM nodes WHERE user_id = :user_id AND source = :source AND key = :key AND project_id IS :project_id
  AND (visibility = 'session') = (:visibility = 'session') AND (visibility <> 'session' OR session_id IS :session_id)
  AND version = 1;

-- same_statement: what is believed here, in the same home, and says the same in the same words
SELECT id FROM believed WHERE user_id = :user_id AND fingerprint = :fingerprint AND type = :type
  AND visibility = :visibility AND project_id IS :project_id AND subject IS :subject AND valid_until IS NULL
  AND (visibility <> 'session' OR session_id IS :session_id) LIMIT 1;

-- same_entity: whom a name of another file means here
SELECT id FROM entities WHERE user_id = :user_id AND (public_id = :public_id OR (merged_into IS NULL
    AND :merged_into IS NULL AND name = :name AND type = :type AND visibility = :visibility AND project_id IS :project_id
    AND (visibility <> 'session' OR session_id IS :session_id)))
ORDER BY public_id = :public_id DESC LIMIT 1;

-- seen: somebody known here was met there, too
UPDATE entities SET first_seen = min(first_seen, :first_seen), last_seen = max(last_seen, :last_seen) WHERE id = :id;

-- met: how often those are named who are named by what came
UPDATE entities SET mention_count = mention_count + :count WHERE id = :id;

-- unnamed: of those who came, whom nothing names that came
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND id NOT IN (SELECT entity_id FROM node_entities) AND id NOT IN (SELECT into_id FROM entity_merges)
  AND id NOT IN (SELECT merged_into FROM entities WHERE merged_into IS NOT NULL);

-- same_session: a conversation of the same home goes on
UPDATE sessions SET last_node_id = max(coalesce(last_node_id, 0), :last_node_id), episode_count = episode_count + :count,
    first_seen_at = min(first_seen_at, :first_seen_at), last_seen_at = max(last_seen_at, :last_seen_at)
WHERE user_id = :user_id AND session_id = :session_id AND visibility = :visibility AND project_id IS :project_id
RETURNING id;

-- same_model: an embedding model by its name
SELECT id FROM embedding_models WHERE name = :name;

-- same_group: a group of vectors
SELECT id FROM vector_groups WHERE user_id = :user_id AND visibility = :visibility AND type = :type;
