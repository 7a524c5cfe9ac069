-- record_operation: count an operation that changed no memory
INSERT INTO operations (at, user_id, session_id, stage, operation, status, detail)
VALUES (:at, :user_id, :session_id, :stage, :operation, :status, :detail);

-- bound_operations: keep the latest ones of each user
DELETE FROM operations WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM operations) WHERE place > :keep);

-- bound_failures: keep the latest of a user
DELETE FROM operations WHERE user_id = :user_id AND status = :status AND id <= (
    SELECT id FROM operations WHERE user_id = :user_id AND status = :status ORDER BY id DESC LIMIT 1 OFFSET :keep);

-- failures: calls of a user that were answered with an error, those of a kind together, the latest first
SELECT stage, operation, json_extract(detail, '$.error') AS error, json_extract(detail, '$.client') AS client,
    count(*) AS count, max(at) AS latest
FROM operations WHERE user_id = :user_id AND status = :status
GROUP BY stage, operation, error, client ORDER BY max(id) DESC LIMIT :limit;
