-- said_in: the turns of a session, whatever became of them
SELECT n.id FROM nodes AS n WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.type = 'episodic';

-- unfounded: what was learnt in a session, or from what goes, and rests on nothing that stays; what was told by itself
-- and only heard again there stays
SELECT n.id FROM nodes AS n
WHERE n.type <> 'episodic' AND n.id NOT IN (SELECT value FROM json_each(:gone))
  AND n.id IN (
    SELECT k.id FROM nodes AS k WHERE k.user_id = :user_id AND k.session_id = :session_id
    UNION
    SELECT e.source_id FROM json_each(:gone) AS g
    CROSS JOIN edges AS e ON e.target_id = g.value AND e.relation = 'derived_from')
  AND NOT EXISTS (
    SELECT 1 FROM edges AS e
    WHERE e.source_id = n.id AND e.relation = 'derived_from' AND e.target_id NOT IN (SELECT value FROM json_each(:gone)))
  AND (n.session_id IS :session_id OR n.source IN (SELECT value FROM json_each(:learnt)) OR EXISTS (
    SELECT 1 FROM edges AS e
    WHERE e.source_id = n.id AND e.relation = 'derived_from' AND e.created_at = n.created_at));

-- counted: how many turns and how many memories some nodes are, versions of one counted once
SELECT count(*) FILTER (WHERE n.type = 'episodic'),
    count(DISTINCT n.public_id) FILTER (WHERE n.type <> 'episodic')
FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value;

-- mentioned: who some nodes speak of, and how often
SELECT l.entity_id AS id, count(*) AS count FROM json_each(:gone) AS g
CROSS JOIN node_entities AS l ON l.node_id = g.value GROUP BY l.entity_id;

-- unmention: an entity was spoken of so much less
UPDATE entities SET mention_count = max(0, mention_count - :count) WHERE id = :id;

-- forget_unspoken: entities of which nothing speaks any more, under all their names
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = entities.id);

-- erase: nodes, and by cascades and triggers what hangs on them: full text, edges, links, vectors, summaries
DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:gone));

-- erase_session: that it ever was
DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id;

-- erase_recalls: what its context showed
DELETE FROM recalls WHERE user_id = :user_id AND session_id = :session_id;

-- erase_summaries: what it was about
DELETE FROM summaries WHERE user_id = :user_id AND session_id = :session_id;
