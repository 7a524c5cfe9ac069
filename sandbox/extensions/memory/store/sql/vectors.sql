-- model: the number of an embedding model
SELECT id FROM embedding_models WHERE name = :name;

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

-- visible_groups: groups of nodes that a user may see, or that are in one home
SELECT id FROM vector_groups WHERE (user_id = :user_id OR visibility = 'global')
  AND (:home IS NULL OR (user_id = :user_id AND visibility = :home))
  AND (:types IS NULL OR type IN (SELECT value FROM json_each(:types)));

-- since: the next vectors of a model after a sequence number, in one row: separate rows take twice as long
SELECT max(seq), group_concat(node_id), group_concat(group_id), CAST(group_concat(vector, '') AS BLOB) FROM
    (SELECT seq, node_id, group_id, vector FROM vectors WHERE seq > :seq AND model_id = :model_id ORDER BY seq LIMIT :limit);

-- some: the vectors of some nodes
SELECT v.node_id, v.vector FROM json_each(:ids) AS wanted
CROSS JOIN vectors AS v ON v.node_id = wanted.value AND v.model_id = :model_id;

-- extent: how many vectors a model has, and their length
SELECT (SELECT count(*) FROM vectors WHERE model_id = :model_id), dimensions FROM embedding_models WHERE id = :model_id;

-- bits: the content of vec0, a thousand rows in one: nodes, a bit each for their presence, and their bits
SELECT c.rowids, c.validity, v.vectors FROM vec_nodes_chunks AS c CROSS JOIN vec_nodes_vector_chunks00 AS v ON v.rowid = c.chunk_id;
