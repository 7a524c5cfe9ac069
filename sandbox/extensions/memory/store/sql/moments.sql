-- in_time: nodes of a period, read from an index alone
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE n.event_time >= :after AND n.event_time < :before;

-- one_more_in_time: whether a period has more than so many nodes
SELECT 1 FROM nodes AS n INDEXED BY nodes_time WHERE n.event_time >= :after AND n.event_time < :before
LIMIT 1 OFFSET :most;

-- terms: the search terms of those nodes that are turns
SELECT n.id, n.terms FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE n.type = 'episodic';

-- said: analysed turns
SELECT n.id, n.event_time, n.who, n.terms
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE n.type = 'episodic';
