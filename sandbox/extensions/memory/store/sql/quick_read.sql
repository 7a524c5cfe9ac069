-- frequency: in how many nodes a term stands
SELECT doc FROM nodes_terms WHERE term = :term;

-- matching: the best of a full text table for some terms, whether or not it may be seen
SELECT rowid FROM {fts} WHERE {fts} MATCH :match ORDER BY rank LIMIT :limit;

-- allowed: those of some nodes that may be seen, in their order
SELECT {columns} FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE {condition} ORDER BY wanted.key LIMIT :limit;

-- standing: what is eligible whatever the question is, the user's word alone: wishes and what is pinned
SELECT {columns} FROM nodes AS n
WHERE (n.pinned = 1 OR n.category = 'instruction') AND n.type <> 'episodic' AND n.trust IN ('user', 'confirmed')
  AND {condition}
ORDER BY n.pinned DESC, n.importance DESC, n.event_time, n.id LIMIT :limit;

-- latest: what was told last by the user's word, and no conclusion
SELECT {columns} FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.type <> 'procedural' AND n.trust IN ('user', 'confirmed')
  AND n.category IS NOT :left_out AND {condition}
ORDER BY n.event_time DESC, n.id DESC LIMIT :limit;

-- of_others: whether something was stored by another user
SELECT EXISTS (SELECT 1 FROM nodes WHERE user_id < :user_id) OR EXISTS (SELECT 1 FROM nodes WHERE user_id > :user_id);
