-- stored_today: what was stored of a user since some time that is no word of theirs, or came through an agent
SELECT count(*) FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.created_at >= :since AND n.version = 1
  AND n.source NOT IN (SELECT value FROM json_each(:learnt))
  AND (n.agent_id IS NOT NULL OR n.source = 'inferred' OR n.trust NOT IN ('user', 'confirmed'));

-- told_from_outside: how many statements that stand by the word of tools and pages a user got after a moment
SELECT count(*) FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.trust IN ('tool', 'web') AND n.created_at > :after;
