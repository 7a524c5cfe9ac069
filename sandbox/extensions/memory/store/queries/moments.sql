-- in_time: nodes of some time, read from an index alone
SELECT n.id FROM nodes AS n INDEXED BY nodes_time WHERE n.event_time >= :after AND n.event_time < :before LIMIT :most;

-- said: what turns say, analysed
SELECT n.id, n.event_time, n.who, n.terms
FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value WHERE n.type = 'episodic';
