-- mark: how far a step has come
SELECT m.position, m.at FROM night_marks AS m WHERE m.user_id = :user_id AND m.step = :step;

-- set_mark: a step has come this far
INSERT INTO night_marks (user_id, step, position, at) VALUES (:user_id, :step, :position, :at)
ON CONFLICT (user_id, step) DO UPDATE SET position = excluded.position, at = excluded.at;
