-- fill: a memory says what a field is
INSERT OR REPLACE INTO profile_values (node_id, user_id, field, value, is_told)
VALUES (:node_id, :user_id, :field, :value, :is_told);

-- filling: what fills some fields, of what may be seen; what became part of another memory is believed as that one
SELECT n.id, p.field, p.value, p.is_told, n.trust, n.valid_from
FROM profile_values AS p INDEXED BY profile_values_field
CROSS JOIN nodes AS own ON own.id = p.node_id CROSS JOIN nodes AS n ON n.id = coalesce(own.merged_into, own.id)
WHERE p.user_id = :user_id AND p.field IN (SELECT value FROM json_each(:fields)) AND {condition};

-- rivals: believed memories of one home that say what a field is, whether or not it still holds, the latest first
SELECT n.id, p.value
FROM profile_values AS p INDEXED BY profile_values_field
CROSS JOIN nodes AS own ON own.id = p.node_id CROSS JOIN nodes AS n ON n.id = coalesce(own.merged_into, own.id)
WHERE p.user_id = :user_id AND p.field = :field AND p.is_told = 1
  AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND n.visibility = :visibility AND n.project_id IS :project_id
  AND (n.visibility <> 'session' OR n.session_id IS :session_id)
ORDER BY n.id DESC;
