-- unbelieved: one of some nodes that is not there, or not believed
SELECT 1 FROM json_each(:ids) AS wanted LEFT JOIN believed AS n ON n.id = wanted.value WHERE n.id IS NULL LIMIT 1;

-- insert: one version of a memory
INSERT INTO nodes (
    id, public_id, version, type, category, subject, tags, content, terms, who, term_count, asks, fingerprint,
    user_id, project_id, agent_id, actor_id, session_id, visibility,
    event_time, valid_from, created_at, created_seq, updated_at,
    confidence, anchored_at, decay_rate, fades_at, importance, pinned,
    trust, quarantined, source, role, speaker, key, attributes
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- log_created: the line of the log for each new node
INSERT INTO changes (seq, at, event, node_id, user_id, actor, session_id, batch, interface) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- known_keys: nodes with one of the caller's keys in a project, or in a session that alone sees them; or in a whole session
SELECT key, public_id, session_id, role, content FROM nodes
WHERE user_id = :user_id AND source = :source AND version = 1 AND key IN (SELECT value FROM json_each(:keys))
  AND iif(:whole, session_id = :session_id, project_id IS :project_id
    AND (visibility = 'session') = (:visibility = 'session') AND (visibility <> 'session' OR session_id IS :session_id));

-- count_forgotten: how many of some memories of a user are forgotten
SELECT count(DISTINCT n.public_id) FROM nodes AS n
WHERE n.user_id = :user_id AND n.public_id IN (SELECT value FROM json_each(:public_ids)) AND n.retired_by = 'forgotten';

-- of_source: the turns of a session from a source, in their order
SELECT {columns} FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.type = 'episodic' AND n.source = :source
  AND n.project_id IS :project_id ORDER BY n.id;

-- said_before: believed knowledge of one home with the same token sequence, of any type, category and subject or alike
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.fingerprint = :fingerprint AND n.type <> 'episodic'
  AND {in_home} AND {holds}
  AND (NOT :alike OR (n.type = :type AND n.category IS :category AND n.subject IS :subject))
ORDER BY n.id LIMIT 1;

-- was_rejected: whether these words, with this trust, were forgotten, corrected or undone, in the same home or where
-- the user sees it everywhere; what went with an undone turn was not judged
SELECT 1 FROM nodes AS n
WHERE n.user_id = :user_id AND n.fingerprint = :fingerprint AND n.type <> 'episodic'
  AND (n.visibility IN ('user', 'global') OR ({in_home}))
  AND n.retired_by IN ('forgotten', 'corrected', 'rejected', 'undone') AND n.trust IN (SELECT value FROM json_each(:trusts))
  AND NOT (n.retired_by = 'undone' AND EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN nodes AS t ON t.id = e.target_id
    WHERE e.source_id = n.id AND e.relation = 'derived_from' AND t.retired_by = 'undone')) LIMIT 1;

-- same_terms: believed knowledge of one type and home with the same search terms, valid or not, the latest first
SELECT {columns} FROM knowledge_fts AS f CROSS JOIN nodes AS n ON n.id = f.rowid
WHERE knowledge_fts MATCH :match AND n.terms = :terms AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND n.user_id = :user_id AND n.type = :type AND {in_home}
ORDER BY f.rowid DESC LIMIT :limit;

-- retire: end a memory in memory time, perhaps as merged into another
UPDATE nodes SET retired_at = :now, retired_seq = :seq, retired_by = :by, merged_into = coalesce(:into, merged_into),
    updated_at = max(updated_at, :now)
WHERE id = :id AND (retired_seq IS NULL OR retired_by = 'proposed');

-- keep_state: record the present state of a node, which a line of the log ends
INSERT INTO past_states (node_id, seq, retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq,
    confidence, anchored_at, decay_rate, fades_at, importance, pinned, trust, quarantined, source)
SELECT id, :seq, retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq,
    confidence, anchored_at, decay_rate, fades_at, importance, pinned, trust, quarantined, source
FROM nodes WHERE id = :id;

-- last_recorded: when the last memory was recorded
SELECT created_at FROM nodes ORDER BY id DESC LIMIT 1;

-- faded_ahead: memories retired by a clock that was ahead: they had neither faded nor been unused for long, and have
-- not now
SELECT n.id FROM nodes AS n WHERE (n.retired_by = 'decayed' AND n.fades_at > :now OR n.retired_by = 'expired') AND n.retired_at > :now
LIMIT :limit;

-- not_maintained_later: whether no night was after now
UPDATE meta SET value = :now WHERE key = 'last_maintained_at' AND CAST(value AS INTEGER) > CAST(:now AS INTEGER);

-- end_validity: end the validity of a memory
UPDATE nodes SET valid_until = :until, closed_seq = :seq, updated_at = max(updated_at, :now)
WHERE id = :id AND (valid_until IS NULL OR valid_until > :until);

-- requeue: put a node without a vector of the active model into the backlog
INSERT OR IGNORE INTO embedding_backlog (node_id)
SELECT :id WHERE NOT EXISTS (
    SELECT 1 FROM vectors AS v JOIN embedding_models AS m ON m.id = v.model_id
    WHERE v.node_id = :id AND m.name = (SELECT value FROM meta WHERE key = 'embedding_model'));

-- versions: a memory's versions, newest first, undone ones last; the caller's own if another user's has the same public
-- id
SELECT {columns} FROM nodes AS n WHERE n.public_id = :name AND {condition}
ORDER BY n.user_id = :user_id DESC, n.user_id, n.retired_by IS 'undone', n.version DESC;

-- recalled_lasting: count a recall of nodes that do not fade, or not while they are pinned
UPDATE nodes SET access_count = access_count + 1, last_accessed = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND (decay_rate = 0 OR pinned) AND retired_seq IS NULL;

-- fading_among: those of some nodes that can fade
SELECT n.id, n.confidence, n.access_count, n.decay_rate, n.anchored_at FROM json_each(:ids) AS wanted
CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.decay_rate > 0 AND NOT n.pinned AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now);

-- recalled: count a recall, with its effect on confidence
UPDATE nodes SET access_count = access_count + 1, last_accessed = :now, confidence = :confidence,
    anchored_at = max(anchored_at, :now), fades_at = :fades_at
WHERE id = :id;

-- count_recalls: record that a session was shown believed nodes; those that it was not shown before
INSERT OR IGNORE INTO recalls (user_id, session_id, node_id, at)
SELECT :user_id, :session_id, n.id, :now FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.retired_seq IS NULL RETURNING node_id;

-- faded: believed memories below the threshold, the longest faded first
SELECT n.id FROM believed n
WHERE n.fades_at IS NOT NULL AND n.fades_at <= :now ORDER BY n.fades_at LIMIT :limit;

-- users: the users with nodes
SELECT DISTINCT n.user_id FROM nodes AS n ORDER BY n.user_id;

-- valid_knowledge: a user's valid knowledge that blocks may show, without one category, the latest first
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.quarantined = 0 AND n.category IS NOT :left_out
  AND {holds}
ORDER BY n.id DESC LIMIT :limit;

-- own_knowledge: the user's own knowledge that a filter allows, without one category, the latest first
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

-- adopt_edges: copy one memory's edges to its sources (with enough trust) and to replaced memories, and its possible
-- conflicts, to another memory
INSERT OR IGNORE INTO edges
    (source_id, target_id, relation, predicate, strength, confidence, valid_from, valid_until, evidence, created_at)
SELECT iif(e.source_id = :other, :keeper, e.source_id), iif(e.target_id = :other, :keeper, e.target_id), e.relation,
    e.predicate, e.strength, e.confidence, e.valid_from, e.valid_until, e.evidence, :now
FROM edges AS e JOIN nodes AS t ON t.id = e.target_id
WHERE (e.target_id = :other AND e.source_id <> :keeper AND e.predicate = :conflict)
  OR (e.source_id = :other AND e.target_id <> :keeper AND (e.relation = 'supersedes' OR e.predicate = :conflict
    OR (e.relation = 'derived_from' AND t.trust IN (SELECT value FROM json_each(:trusts)))))
ORDER BY e.source_id <> :other, e.id RETURNING id;

-- adopt_entities: copy the links of one memory with entities to another memory
INSERT OR IGNORE INTO node_entities (entity_id, node_id, role)
SELECT l.entity_id, :keeper, l.role FROM node_entities AS l WHERE l.node_id = :other RETURNING entity_id, role;

-- merged: the log of a merge, the latest first
SELECT c.detail, n.merged_into FROM changes AS c JOIN nodes AS n ON n.id = c.node_id
WHERE c.node_id = :id AND c.event = 'merged' ORDER BY c.seq DESC LIMIT 1;

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

-- kept_apart: memories among some that a person restored after another had replaced them
SELECT DISTINCT c.node_id FROM json_each(:ids) AS wanted CROSS JOIN changes AS c ON c.node_id = wanted.value
WHERE c.event = 'restored' AND json_extract(c.detail, '$.was') IN ('merged', 'superseded', 'corrected');

-- stored_today: statements and corrections stored for a user since a time that are not the user's word, or came through an agent
SELECT count(*) FROM nodes AS n
WHERE n.user_id = :user_id AND n.type <> 'episodic' AND n.created_at >= :since
  AND n.source NOT IN (SELECT value FROM json_each(:learnt))
  AND (n.agent_id IS NOT NULL OR n.source = 'inferred' OR n.trust NOT IN ('user', 'confirmed'));

-- common: the terms among some that at least so many memories of a user have
SELECT t.term FROM json_each(:terms) AS asked CROSS JOIN nodes_terms AS t
WHERE t.term = asked.value AND t.doc >= :least AND :least = (
    SELECT count(*) FROM (
        SELECT 1 FROM nodes_fts AS f CROSS JOIN nodes AS n ON n.id = f.rowid
        WHERE f.nodes_fts MATCH '"' || t.term || '"' AND n.user_id = :user_id LIMIT :least
    )
);
