-- has_category: whether any knowledge has a category
SELECT 1 FROM nodes AS n WHERE n.type <> 'episodic' AND n.category = :name LIMIT 1;
