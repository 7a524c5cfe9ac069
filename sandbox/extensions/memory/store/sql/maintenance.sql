-- mark: the mark of a step
SELECT m.position, m.at FROM night_marks AS m WHERE m.user_id = :user_id AND m.step = :step;

-- set_mark: set the mark of a step
INSERT INTO night_marks (user_id, step, position, at) VALUES (:user_id, :step, :position, :at)
ON CONFLICT (user_id, step) DO UPDATE SET position = excluded.position, at = excluded.at;

-- fresh: results for pairs that a step has examined since a moment
SELECT p.first_id, p.second_id, p.fingerprint FROM checked_pairs AS p
WHERE p.user_id = :user_id AND p.step = :step AND p.checked_at >= :since;

-- count: how many pairs a step has examined since a moment
SELECT count(*) FROM checked_pairs AS p WHERE p.user_id = :user_id AND p.step = :step AND p.checked_at >= :since;

-- note: record that a pair was examined, unless one of it was erased meanwhile
INSERT INTO checked_pairs (user_id, step, first_id, second_id, fingerprint, checked_at)
SELECT :user_id, :step, a.id, b.id, :fingerprint, :now FROM nodes AS a, nodes AS b WHERE a.id = :first AND b.id = :second
ON CONFLICT (user_id, step, first_id, second_id) DO UPDATE
SET fingerprint = excluded.fingerprint, checked_at = excluded.checked_at;

-- forget: delete records of pairs that were examined long ago
DELETE FROM checked_pairs WHERE user_id = :user_id AND step = :step AND checked_at < :before;

-- record: record what a question to a model cost
INSERT INTO spending (user_id, day, step, model, calls, prompt_tokens, completion_tokens)
VALUES (:user_id, :day, :step, :model, :calls, :prompt_tokens, :completion_tokens)
ON CONFLICT (user_id, day, step, model) DO UPDATE SET
    calls = calls + excluded.calls,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens;

-- spent_on: tokens of one day, by user
SELECT user_id, sum(prompt_tokens + completion_tokens) AS tokens FROM spending WHERE day = :day GROUP BY user_id;

-- latest: the last turn of every user who talked
SELECT s.user_id, max(s.last_node_id) AS last FROM sessions AS s
WHERE s.visibility = 'user' AND s.last_node_id IS NOT NULL GROUP BY s.user_id ORDER BY s.user_id;

-- turns: the latest trusted turns of a user and assistants after a node, which the user sees everywhere
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.id > :after AND n.type = 'episodic' AND n.visibility = 'user'
  AND n.role IN ('user', 'assistant') AND n.quarantined = 0
ORDER BY n.id DESC LIMIT :limit;

-- facts: the latest facts of a user after a node, without one category
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.id > :after AND n.type = 'semantic' AND n.visibility = 'user' AND n.quarantined = 0
  AND n.category IS NOT :left_out AND {holds}
ORDER BY n.id DESC LIMIT :limit;

-- record_operation: count an operation that changed no memory
INSERT INTO operations (at, user_id, session_id, stage, operation, status, detail)
VALUES (:at, :user_id, :session_id, :stage, :operation, :status, :detail);

-- bound_operations: keep the latest ones of each user
DELETE FROM operations WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM operations) WHERE place > :keep);

-- bound_recalls: delete what sessions of long ago were shown
DELETE FROM recalls WHERE at < :before;

-- bound_failures: keep the latest of a user
DELETE FROM operations WHERE user_id = :user_id AND status = :status AND id <= (
    SELECT id FROM operations WHERE user_id = :user_id AND status = :status ORDER BY id DESC LIMIT 1 OFFSET :keep);

-- failures: calls of a user that were answered with an error, those of a kind together, the latest first
SELECT stage, operation, json_extract(detail, '$.error') AS error, json_extract(detail, '$.client') AS client,
    count(*) AS count, max(at) AS latest
FROM operations WHERE user_id = :user_id AND status = :status
GROUP BY stage, operation, error, client ORDER BY max(id) DESC LIMIT :limit;

-- note_night: a night that has ended
INSERT INTO nights (at, seconds, steps, batch, since, until)
SELECT :at, :seconds, :steps, :batch, :since, coalesce(max(seq), 0) FROM changes;

-- bound_nights: keep the latest
DELETE FROM nights WHERE id <= (SELECT id FROM nights ORDER BY id DESC LIMIT 1 OFFSET :keep);

-- latest_nights: the latest nights, the latest first
SELECT at, seconds, steps, batch, since, until FROM nights ORDER BY id DESC LIMIT :limit;
