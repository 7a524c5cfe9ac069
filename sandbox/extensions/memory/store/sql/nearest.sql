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
