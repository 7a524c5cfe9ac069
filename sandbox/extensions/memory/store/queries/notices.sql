-- tell_later: a user has yet to be told of a memory
INSERT OR IGNORE INTO night_marks (user_id, step, position, at) VALUES (:user_id, 'untold ' || :node, :node, :now);

-- untold: memories that a user has yet to be told of, as far as they may be seen
SELECT {columns} FROM night_marks AS m CROSS JOIN nodes AS n ON n.id = m.position
WHERE m.user_id = :owner AND m.step > 'untold ' AND m.step < 'untold!' AND {condition} ORDER BY n.retired_seq, n.id;

-- told: the user knows of some memories
DELETE FROM night_marks
WHERE user_id = :user_id AND step IN (SELECT 'untold ' || value FROM json_each(:ids));
