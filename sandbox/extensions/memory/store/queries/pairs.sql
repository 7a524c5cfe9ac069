-- fresh: what was seen of pairs that a step has looked at since
SELECT p.first_id, p.second_id, p.fingerprint FROM checked_pairs AS p
WHERE p.user_id = :user_id AND p.step = :step AND p.checked_at >= :since;

-- count: how many pairs a step has looked at since
SELECT count(*) FROM checked_pairs AS p WHERE p.user_id = :user_id AND p.step = :step AND p.checked_at >= :since;

-- note: a pair was looked at
INSERT INTO checked_pairs (user_id, step, first_id, second_id, fingerprint, checked_at)
VALUES (:user_id, :step, :first, :second, :fingerprint, :now)
ON CONFLICT (user_id, step, first_id, second_id) DO UPDATE
SET fingerprint = excluded.fingerprint, checked_at = excluded.checked_at;

-- forget: pairs that were looked at long ago
DELETE FROM checked_pairs WHERE user_id = :user_id AND step = :step AND checked_at < :before;
