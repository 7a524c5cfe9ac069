-- has_category: whether some knowledge is of a category
SELECT 1 FROM nodes AS n WHERE n.type <> 'episodic' AND n.category = :name LIMIT 1;

-- selected: all that is wanted, where that is no more than some
SELECT n.id FROM nodes AS n WHERE {kind} AND {condition} LIMIT :most;
