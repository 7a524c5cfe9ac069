-- frequency: how many nodes contain a term
SELECT doc FROM nodes_terms WHERE term = :term;

-- matching: the best rows of a full text table for some terms, visible or not
SELECT rowid FROM {fts} WHERE {fts} MATCH :match ORDER BY rank LIMIT :limit;

-- allowed: the visible nodes among some, in their order
SELECT {columns} FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE {condition} ORDER BY wanted.key LIMIT :limit;
