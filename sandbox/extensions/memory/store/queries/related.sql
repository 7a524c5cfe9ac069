-- related: pairs of a user's memories that are joined by nearness alone
SELECT e.id, e.source_id, e.target_id, e.strength FROM edges AS e JOIN nodes AS n ON n.id = e.source_id
WHERE e.relation = 'related_to' AND e.predicate = '' AND n.user_id = :user_id;

-- beside: what some memories are joined with by nearness alone, the nearest first
SELECT e.source_id AS here, e.target_id AS there, e.strength FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = '' AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT e.target_id, e.source_id, e.strength FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = '' AND e.target_id IN (SELECT value FROM json_each(:ids))
ORDER BY 3 DESC, 2;

-- degrees: with how many others some memories are joined by nearness alone
SELECT wanted.value AS id,
    (SELECT count(*) FROM edges AS e
     WHERE e.source_id = wanted.value AND e.relation = 'related_to' AND e.predicate = '')
    + (SELECT count(*) FROM edges AS e
       WHERE e.target_id = wanted.value AND e.relation = 'related_to' AND e.predicate = '') AS degree
FROM json_each(:ids) AS wanted;

-- joined: which of some memories are related to one already, by nearness or as a possible conflict
SELECT e.source_id AS there FROM edges AS e
WHERE e.relation = 'related_to' AND e.target_id = :id AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id FROM edges AS e
WHERE e.relation = 'related_to' AND e.source_id = :id AND e.target_id IN (SELECT value FROM json_each(:ids));

-- unrelate: an edge that no longer says anything
DELETE FROM edges WHERE id = :id;
