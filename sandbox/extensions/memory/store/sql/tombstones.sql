-- named: what some nodes are called here and by others, and what those of them that are statements say, in which home
SELECT n.user_id, n.public_id, n.source, n.key, n.fingerprint, n.visibility, n.project_id,
    iif(n.visibility = 'session', n.session_id, NULL) AS session_id
FROM nodes AS n WHERE n.id IN (SELECT value FROM json_each(:nodes));

-- bury: the hash of what is erased
INSERT OR IGNORE INTO erased_keys (user_id, source, key_hash, at) VALUES (:user_id, :source, :hash, :at);

-- unname: of a user who is gone nothing stays but hashes
UPDATE OR REPLACE erased_keys SET user_id = '', source = '' WHERE user_id = :user_id;

-- is_erased: whether a hash is among them
SELECT 1 FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));

-- unbury: it is wanted again
DELETE FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));

-- salt: the secret of the file that the hashes are made with
SELECT value FROM meta WHERE key = 'erased_keys_salt';

-- make_salt: once, before the first hash
INSERT OR IGNORE INTO meta (key, value) VALUES ('erased_keys_salt', :salt);
