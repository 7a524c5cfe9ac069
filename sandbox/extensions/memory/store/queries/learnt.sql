-- among: what was learnt, of some nodes, and the turns it rests on
SELECT n.id, e.target_id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
JOIN edges AS e ON e.source_id = n.id AND e.relation = 'derived_from'
WHERE n.type <> 'episodic' AND n.source IN ('rules', 'extraction');

-- concluded: whether a night ever concluded anything
SELECT 1 FROM night_marks WHERE step = 'insights' LIMIT 1;

-- insights: those of some nodes that are of one category
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.type = 'opinion' AND n.category = :category;
