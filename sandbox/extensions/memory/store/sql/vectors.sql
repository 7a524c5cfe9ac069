-- model: the number of an embedding model
SELECT id, dimensions FROM embedding_models WHERE name = :name;

-- answering_model: the number of a model, if it is the active one
SELECT id FROM embedding_models WHERE name = :name AND name = (SELECT value FROM meta WHERE key = 'embedding_model');

-- insert_model: store a new model
INSERT INTO embedding_models (name, dimensions) VALUES (:name, :dimensions) ON CONFLICT (name) DO NOTHING;

-- groups: the properties of some nodes that never change, each with the nodes that have them
SELECT n.user_id, n.visibility, n.type, json_group_array(n.id) FROM json_each(:ids) AS wanted
CROSS JOIN nodes AS n ON n.id = wanted.value GROUP BY n.user_id, n.visibility, n.type ORDER BY min(n.id);

-- insert_group: store a new group of nodes
INSERT INTO vector_groups (user_id, visibility, type) VALUES (:user_id, :visibility, :type) ON CONFLICT DO NOTHING;

-- group: the number of a group of nodes
SELECT id FROM vector_groups WHERE user_id = :user_id AND visibility = :visibility AND type = :type;

-- insert: store a vector; the same node and model are stored once
INSERT OR IGNORE INTO vectors (node_id, model_id, group_id, vector) VALUES (?, ?, ?, ?);

-- backlog: nodes that wait to be embedded, oldest first
SELECT b.node_id, n.content, n.speaker FROM embedding_backlog AS b JOIN nodes AS n ON n.id = b.node_id
ORDER BY b.node_id LIMIT :limit;

-- off_backlog: take nodes out of the backlog
DELETE FROM embedding_backlog WHERE node_id IN (SELECT value FROM json_each(:ids));

-- requeue: put every node without a vector of a model into the backlog
INSERT OR IGNORE INTO embedding_backlog (node_id)
SELECT n.id FROM nodes AS n WHERE n.retired_seq IS NULL
  AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.node_id = n.id AND v.model_id = :model_id);

-- state: the state that an index compares itself with
SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'vectors') AS last,
       (SELECT value FROM meta WHERE key = 'vectors_removed') AS removed;

-- remove: delete the vectors of some nodes
DELETE FROM vectors WHERE node_id IN (SELECT value FROM json_each(:ids));

-- vec_remove: the same in the derived index
DELETE FROM vec_nodes WHERE rowid IN (SELECT value FROM json_each(:ids));

-- vec_create: the derived index: one bit a dimension, 32 bytes instead of 1,024
CREATE VIRTUAL TABLE IF NOT EXISTS vec_nodes USING vec0 (embedding bit[{dimensions}]);

-- vec_insert: vectors that the derived index lacks
INSERT INTO vec_nodes (rowid, embedding)
SELECT v.node_id, vec_quantize_binary(v.vector) FROM vectors AS v WHERE v.seq > :seq AND v.model_id = :model_id;
