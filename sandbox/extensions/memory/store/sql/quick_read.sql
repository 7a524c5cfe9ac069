-- frequency: how many nodes contain a term
SELECT doc FROM nodes_terms WHERE term = :term;

-- matching: the best rows of a full text table for some terms, visible or not
SELECT rowid FROM {fts} WHERE {fts} MATCH :match ORDER BY rank LIMIT :limit;

-- allowed: the visible nodes among some, in their order
SELECT {columns} FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE {condition} ORDER BY wanted.key LIMIT :limit;

-- standing: wishes and pinned memories by the user's own word, shown for every question
SELECT {columns} FROM nodes AS n
WHERE (n.pinned = 1 OR n.category = 'instruction') AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND {condition}
ORDER BY n.pinned DESC, n.importance DESC, n.event_time, n.id LIMIT :limit;

-- latest: the latest statements by the user's word, without conclusions
SELECT {columns} FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.type <> 'procedural' AND n.trust IN ('user', 'confirmed')
  AND n.category IS NOT :left_out AND {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;
