-- named: what others call some nodes, and what those of them that are statements say, and in which home
SELECT n.user_id, n.source, n.key, n.fingerprint, n.visibility, n.project_id,
    iif(n.visibility = 'session', n.session_id, NULL) AS session_id
FROM nodes AS n
WHERE n.id IN (SELECT value FROM json_each(:nodes)) AND (n.key IS NOT NULL OR n.fingerprint IS NOT NULL);

-- bury: the hash of what is erased
INSERT OR IGNORE INTO erased_keys (user_id, source, key_hash, at) VALUES (:user_id, :source, :hash, :at);

-- is_erased: whether a hash is among them
SELECT 1 FROM erased_keys WHERE user_id = :user_id AND source = :source AND key_hash = :hash;

-- unbury: it is wanted again
DELETE FROM erased_keys WHERE user_id = :user_id AND source = :source AND key_hash = :hash;

-- salt: the secret of the file that the hashes are made with
SELECT value FROM meta WHERE key = 'erased_keys_salt';

-- make_salt: once, before the first hash
INSERT OR IGNORE INTO meta (key, value) VALUES ('erased_keys_salt', :salt);
