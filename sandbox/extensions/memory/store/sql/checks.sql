-- countable: the number of nodes, and of knowledge among them
SELECT count(*), count(*) FILTER (WHERE type <> 'episodic') FROM nodes;

-- indexed: the numbers of rows in full text search
SELECT (SELECT count(*) FROM nodes_fts_docsize), (SELECT count(*) FROM knowledge_fts_docsize);
