-- in_time: nodes of some time, read from an index alone
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE n.event_time >= :after AND n.event_time < :before LIMIT :most;

-- words_between: matches among nodes from one id to another, with their bm25 (positive, higher is better), best first
SELECT rowid, -bm25(nodes_fts, 1.0, :who) AS score FROM nodes_fts
WHERE nodes_fts MATCH :match AND rowid BETWEEN :first AND :last ORDER BY score DESC;

-- times: when nodes happened
SELECT n.id, n.event_time FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- said: what turns say, analysed
SELECT n.id, n.event_time, n.who, n.terms
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE n.type = 'episodic';
