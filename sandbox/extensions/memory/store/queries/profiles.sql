-- fill: a memory says what a field is
INSERT OR REPLACE INTO profile_values (node_id, user_id, field, value, is_told)
VALUES (:node_id, :user_id, :field, :value, :is_told);

-- filling: what fills some fields, of what may be seen and is the user's word; what became part of another memory is
-- believed as that one
SELECT n.id, p.field, p.value, p.is_told, n.valid_from
FROM profile_values AS p INDEXED BY profile_values_field
CROSS JOIN nodes AS own ON own.id = p.node_id CROSS JOIN nodes AS n ON n.id = coalesce(own.merged_into, own.id)
WHERE p.user_id = :user_id AND p.field IN (SELECT value FROM json_each(:fields))
  AND own.trust IN ('user', 'confirmed') AND n.trust IN ('user', 'confirmed') AND {condition};

-- rivals: believed memories of one home that say what a field is, whether or not it still holds, the latest first
SELECT n.id, p.value
FROM profile_values AS p INDEXED BY profile_values_field
CROSS JOIN nodes AS own ON own.id = p.node_id CROSS JOIN nodes AS n ON n.id = coalesce(own.merged_into, own.id)
WHERE p.user_id = :user_id AND p.field = :field AND p.is_told = 1
  AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND n.visibility = :visibility AND n.project_id IS :project_id
  AND (n.visibility <> 'session' OR n.session_id IS :session_id)
ORDER BY n.id DESC;

-- before: the next of what a user knew, and still does, before memories filled fields, as far as the user said it; with
-- the user's name, where one person speaks as the user of its session
SELECT n.id, n.content, n.subject,
    (SELECT CASE WHEN count(DISTINCT t.speaker) = 1 THEN max(t.speaker) END FROM nodes AS t
     WHERE t.user_id = n.user_id AND t.session_id = n.session_id AND t.type = 'episodic' AND t.role = 'user') AS own
FROM believed AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.id > :after AND n.category IS NOT :left_out
  AND n.created_at < (SELECT applied_at FROM migrations WHERE version = 3)
  AND (n.valid_until IS NULL OR n.valid_until > :now) AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND NOT EXISTS (SELECT 1 FROM profile_values AS p WHERE p.node_id = n.id)
  AND (n.source NOT IN (SELECT value FROM json_each(:learnt)) OR EXISTS (
    SELECT 1 FROM edges AS e JOIN nodes AS t ON t.id = e.target_id
    WHERE e.source_id = n.id AND e.relation = 'derived_from' AND t.role = 'user'))
ORDER BY n.id LIMIT :limit;
