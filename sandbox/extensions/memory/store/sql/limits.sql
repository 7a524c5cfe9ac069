-- stored_today: statements stored for a user since a time that are not the user's word, or came through an agent
SELECT count(*) FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.created_at >= :since AND n.version = 1
  AND n.source NOT IN (SELECT value FROM json_each(:learnt))
  AND (n.agent_id IS NOT NULL OR n.source = 'inferred' OR n.trust NOT IN ('user', 'confirmed'));

-- stored_from_outside: valid statements of tools and pages that were stored for a user after a moment
SELECT count(*) FROM nodes AS n INDEXED BY nodes_facts
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.trust IN ('tool', 'web') AND n.created_at > :after;
