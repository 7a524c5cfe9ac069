-- keyed: the ids and keys of some nodes, and the content and home of the statements among them
SELECT n.user_id, n.public_id, n.source, n.key, n.fingerprint, n.visibility, n.project_id,
    iif(n.visibility = 'session', n.session_id, NULL) AS session_id
FROM nodes AS n WHERE n.id IN (SELECT value FROM json_each(:nodes));

-- add: store the hash of erased text
INSERT OR IGNORE INTO erased_keys (user_id, source, key_hash, at) VALUES (:user_id, :source, :hash, :at);

-- unname: replace the user of hashes after all of the user's memories were erased
UPDATE OR REPLACE erased_keys SET user_id = '', source = '' WHERE user_id = :user_id;

-- is_erased: whether a hash is stored
SELECT 1 FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));

-- remove: delete a hash
DELETE FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));
