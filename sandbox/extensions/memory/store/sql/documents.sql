-- one: the document under a key at a place of a home
SELECT id, place, key, value, created_at, updated_at, lasts FROM documents
WHERE user_id = :user_id AND project_id = :project_id AND place = :place AND key = :key
  AND (expires_at IS NULL OR expires_at > :now);

-- under: documents of a home at a place or below it, the one that was written last first
SELECT id, place, key, value, created_at, updated_at, lasts FROM documents
WHERE user_id = :user_id AND project_id = :project_id AND place BETWEEN :start AND :start || '^'
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY updated_at DESC, id DESC;

-- last: documents of a home at a place whose keys are the last
SELECT id, place, key, value, created_at, updated_at, lasts FROM documents
WHERE user_id = :user_id AND project_id = :project_id AND place = :place AND (expires_at IS NULL OR expires_at > :now)
ORDER BY key DESC LIMIT :count;

-- places: the places of a home's documents
SELECT DISTINCT place FROM documents
WHERE user_id = :user_id AND project_id = :project_id AND (expires_at IS NULL OR expires_at > :now) ORDER BY place;

-- put: store a document in place of the one before it
INSERT INTO documents (user_id, project_id, place, key, value, created_at, updated_at, lasts, expires_at)
VALUES (:user_id, :project_id, :place, :key, :value, :now, :now, :lasts, :now + :lasts)
ON CONFLICT (user_id, project_id, place, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
    lasts = excluded.lasts, expires_at = excluded.expires_at
RETURNING id;

-- delete: delete a document
DELETE FROM documents WHERE user_id = :user_id AND project_id = :project_id AND place = :place AND key = :key;

-- drop_under: delete documents of a home at a place or below it
DELETE FROM documents
WHERE user_id = :user_id AND project_id = :project_id AND place BETWEEN :start AND :start || '^';

-- sweep: delete documents whose time is over
DELETE FROM documents WHERE expires_at <= :now;

-- touch: restart the time of documents that were read
UPDATE documents SET expires_at = :now + lasts WHERE id IN (SELECT value FROM json_each(:ids)) AND lasts IS NOT NULL;

-- vectors: the vectors of some documents, by a model
SELECT document_id, vector FROM document_vectors
WHERE model = :model AND document_id IN (SELECT value FROM json_each(:ids));

-- drop_vectors: delete the vectors of a document
DELETE FROM document_vectors WHERE document_id = :id;

-- add_vector: store the vector of a text of a document
INSERT INTO document_vectors (document_id, model, vector) VALUES (:id, :model, :vector);
