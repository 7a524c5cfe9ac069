-- users: the users with knowledge
SELECT DISTINCT n.user_id FROM nodes AS n WHERE n.type <> 'episodic' ORDER BY n.user_id;

-- valid_knowledge: a user's valid knowledge that blocks may show, without one category, the latest first
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.quarantined = 0 AND n.category IS NOT :left_out
  AND {holds}
ORDER BY n.id DESC LIMIT :limit;

-- own: the user's own knowledge that a filter allows, without one category, the latest first
SELECT {columns} FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.visibility <> 'global' AND n.category IS NOT :left_out
  AND {condition}
ORDER BY n.id DESC LIMIT :limit;

-- still_valid: which of some nodes are valid and may be in a block, without one category
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN believed AS n ON n.id = wanted.value
WHERE n.type <> 'episodic' AND n.quarantined = 0 AND n.category IS NOT :left_out
  AND {holds};

-- changed: when some nodes were last changed
SELECT n.id, n.updated_at FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value;

-- first_at: when the first memory of a user was stored
SELECT created_at FROM nodes WHERE user_id = :user_id ORDER BY id LIMIT 1;

-- concluded: whether a night ever stored a conclusion
SELECT 1 FROM night_marks WHERE step = 'insights' LIMIT 1;

-- insights: the nodes of one category
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.type = 'opinion' AND n.category = :category;

-- adopt_outgoing: copy one memory's edges to its sources (with enough trust), replaced memories and possible conflicts
-- to another memory
INSERT OR IGNORE INTO edges
    (source_id, target_id, relation, predicate, strength, confidence, valid_from, valid_until, evidence, created_at)
SELECT :keeper, e.target_id, e.relation, e.predicate, e.strength, e.confidence, e.valid_from, e.valid_until, e.evidence,
    :now
FROM edges AS e JOIN nodes AS t ON t.id = e.target_id WHERE e.source_id = :other AND e.target_id <> :keeper
  AND (e.relation IN ('derived_from', 'supersedes') OR e.predicate = :conflict)
  AND (e.relation <> 'derived_from' OR t.trust IN (SELECT value FROM json_each(:trusts)))
ORDER BY e.id RETURNING id;

-- adopt_incoming: copy possible conflicts that end at one memory to another memory
INSERT OR IGNORE INTO edges
    (source_id, target_id, relation, predicate, strength, confidence, valid_from, valid_until, evidence, created_at)
SELECT e.source_id, :keeper, e.relation, e.predicate, e.strength, e.confidence, e.valid_from, e.valid_until, e.evidence,
    :now
FROM edges AS e WHERE e.target_id = :other AND e.source_id <> :keeper AND e.predicate = :conflict
ORDER BY e.id RETURNING id;

-- adopt_entities: copy the links of one memory with entities to another memory
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role)
SELECT l.entity_id, :keeper, l.role FROM node_entities AS l WHERE l.node_id = :other RETURNING entity_id, role;

-- strengthen: add the strength of one memory to another
UPDATE nodes SET tags = :tags, importance = :importance, pinned = :pinned, confidence = :confidence,
    anchored_at = :anchored_at, decay_rate = :decay_rate, fades_at = iif(:pinned, NULL, :fades_at), updated_at = max(updated_at, :now)
WHERE id = :id;

-- retire: mark a memory as merged into another
UPDATE nodes SET retired_at = :now, retired_seq = :seq, retired_by = 'merged', merged_into = :into, updated_at = max(updated_at, :now)
WHERE id = :id AND retired_seq IS NULL;

-- merged: the log of a merge, the latest first
SELECT c.detail, n.merged_into FROM changes AS c JOIN nodes AS n ON n.id = c.node_id
WHERE c.node_id = :id AND c.event = 'merged' ORDER BY c.seq DESC LIMIT 1;

-- leave_entity: remove a link that was copied
DELETE FROM node_entities WHERE node_id = :keeper AND entity_id = :entity AND role = :role;

-- weigh_as_before: restore the strength of a memory before a merge, except what was changed since then
UPDATE nodes AS k SET importance = iif(k.importance = max(:importance, p.importance), :importance, k.importance),
    pinned = iif(k.pinned = max(:pinned, p.pinned), :pinned, k.pinned), updated_at = max(k.updated_at, :now)
FROM nodes AS p WHERE k.id = :keeper AND p.id = :part;

-- part: mark a memory as not merged
UPDATE nodes SET merged_into = NULL WHERE id = :id;

-- tags: the tags of a memory
SELECT tags FROM nodes WHERE id = :id;

-- own_tags: how many tags a memory had before its first merge; NULL if that was not noted
SELECT min(json_extract(c.detail, '$.tags')) AS count FROM nodes AS n
JOIN changes AS c ON c.node_id = n.id AND c.event = 'merged' WHERE n.merged_into = :id OR n.id = :part;

-- tags_of_parts: the tags of the memories merged into a memory
SELECT tags FROM nodes WHERE merged_into = :id ORDER BY retired_seq;

-- set_tags: set the tags of a memory
UPDATE nodes SET tags = :tags, updated_at = max(updated_at, :now) WHERE id = :id;

-- kept_apart: memories among some that a person restored after another had replaced them
SELECT DISTINCT c.node_id FROM json_each(:ids) AS wanted CROSS JOIN changes AS c ON c.node_id = wanted.value
WHERE c.event = 'restored' AND json_extract(c.detail, '$.was') IN ('merged', 'superseded', 'corrected');

-- stored_today: statements and corrections stored for a user since a time that are not the user's word, or came through an agent
SELECT count(*) FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.created_at >= :since
  AND n.source NOT IN (SELECT value FROM json_each(:learnt))
  AND (n.agent_id IS NOT NULL OR n.source = 'inferred' OR n.trust NOT IN ('user', 'confirmed'));
