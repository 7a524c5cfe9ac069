-- told_from_outside: how many statements that stand by the word of tools and pages a user got after a moment
SELECT count(*) FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.trust IN ('tool', 'web') AND n.created_at > :after;
