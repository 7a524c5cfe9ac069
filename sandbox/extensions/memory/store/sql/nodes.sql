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

-- known_keys: nodes with one of the caller's keys in a project, or in a session that alone sees them
SELECT key, public_id, session_id, role, content FROM nodes
WHERE user_id = :user_id AND source = :source AND version = 1 AND key IN (SELECT value FROM json_each(:keys))
  AND coalesce(project_id, x'') = coalesce(:project_id, x'')
  AND iif(visibility = 'session', session_id, x'') = coalesce(:private_to, x'');

-- count_forgotten: how many of some memories of a user are forgotten
SELECT count(DISTINCT n.public_id) FROM nodes AS n
WHERE n.user_id = :user_id AND n.public_id IN (SELECT value FROM json_each(:public_ids)) AND n.retired_by = 'forgotten';

-- known_in_session: turns of a session with one of the caller's keys, in any project
SELECT key, public_id, session_id, role, content FROM nodes
WHERE user_id = :user_id AND source = :source AND version = 1 AND key IN (SELECT value FROM json_each(:keys))
  AND session_id = :session_id;

-- same_statement: believed knowledge with the same token sequence
SELECT n.id FROM believed n
WHERE n.user_id = :user_id AND n.fingerprint = :fingerprint AND n.type <> 'episodic' AND n.type = :type AND n.subject IS :subject
  AND {in_home} AND n.category IS :category
  AND {holds}
ORDER BY n.id LIMIT 1;

-- said_before: believed knowledge of one home with the same token sequence, of any type, category and subject
SELECT {columns} FROM believed AS n
WHERE n.user_id = :user_id AND n.fingerprint = :fingerprint AND n.type <> 'episodic'
  AND {in_home} AND {holds}
ORDER BY n.id LIMIT 1;

-- was_rejected: whether these words, with this trust, were forgotten, corrected or undone, in the same home or where
-- the user sees it everywhere
SELECT 1 FROM nodes AS n
WHERE n.user_id = :user_id AND n.fingerprint = :fingerprint AND n.type <> 'episodic'
  AND (n.visibility IN ('user', 'global') OR ({in_home}))
  AND n.retired_by IN ('forgotten', 'corrected', 'rejected', 'undone') AND n.trust IN (SELECT value FROM json_each(:trusts)) LIMIT 1;

-- hear: note a repetition, with a new anchor
UPDATE nodes SET confidence = :confidence, anchored_at = :anchored_at, decay_rate = :decay_rate,
    fades_at = iif(pinned, NULL, :fades_at), updated_at = max(updated_at, :now)
WHERE id = :id AND decay_rate > 0;

-- matter: raise the importance to a value
UPDATE nodes SET importance = :importance, updated_at = max(updated_at, :now) WHERE id = :id AND importance < :importance;

-- rate: set the importance
UPDATE nodes SET importance = :importance, updated_at = max(updated_at, :now) WHERE id = :id;

-- pin: pin or unpin a memory
UPDATE nodes SET pinned = :pinned, fades_at = :fades_at, anchored_at = iif(:pinned, anchored_at, max(anchored_at, :now)),
    updated_at = max(updated_at, :now)
WHERE id = :id;

-- attribute: change the source
UPDATE nodes SET source = :source, updated_at = max(updated_at, :now) WHERE id = :id;

-- same_terms: believed knowledge of one type and home with the same search terms, valid or not, the latest first
SELECT {columns} FROM knowledge_fts AS f CROSS JOIN nodes AS n ON n.id = f.rowid
WHERE knowledge_fts MATCH :match AND n.terms = :terms AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND n.user_id = :user_id AND n.type = :type AND {in_home}
ORDER BY f.rowid DESC LIMIT :limit;

-- retire: end a memory in memory time
UPDATE nodes SET retired_at = :now, retired_seq = :seq, retired_by = :by, updated_at = max(updated_at, :now)
WHERE id = :id AND (retired_seq IS NULL OR retired_by = 'proposed');

-- forget: hide a memory; an earlier retirement stays
UPDATE nodes SET retired_by = 'forgotten', retired_at = coalesce(retired_at, :now),
    retired_seq = coalesce(retired_seq, :seq), updated_at = max(updated_at, :now)
WHERE id = :id;

-- keep_state: record the present state of a node, which a line of the log ends
INSERT INTO past_states (node_id, seq, retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq,
    confidence, anchored_at, decay_rate, fades_at, importance, pinned, trust, quarantined, source)
SELECT id, :seq, retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq,
    confidence, anchored_at, decay_rate, fades_at, importance, pinned, trust, quarantined, source
FROM nodes WHERE id = :id;

-- unretire: believe a memory again, with a new anchor
UPDATE nodes SET retired_at = NULL, retired_seq = NULL, retired_by = NULL, purge_at = NULL,
    anchored_at = max(anchored_at, :now), fades_at = iif(pinned, NULL, :fades_at), updated_at = max(updated_at, :now)
WHERE id = :id;

-- last_recorded: when the last memory was recorded
SELECT created_at FROM nodes ORDER BY id DESC LIMIT 1;

-- faded_ahead: memories retired by a clock that was ahead: they had neither faded nor been unused for long, and have
-- not now
SELECT n.id FROM nodes AS n WHERE (n.retired_by = 'decayed' AND n.fades_at > :now OR n.retired_by = 'expired') AND n.retired_at > :now
LIMIT :limit;

-- not_maintained_later: whether no night was after now
UPDATE meta SET value = :now WHERE key = 'last_maintained_at' AND CAST(value AS INTEGER) > CAST(:now AS INTEGER);

-- believe_again: undo a retirement completely; `fades_at` is still right
UPDATE nodes SET retired_at = NULL, retired_seq = NULL, retired_by = NULL, purge_at = NULL, updated_at = max(updated_at, :now) WHERE id = :id;

-- end_validity: end the validity of a memory
UPDATE nodes SET valid_until = :until, closed_seq = :seq, updated_at = max(updated_at, :now)
WHERE id = :id AND (valid_until IS NULL OR valid_until > :until);

-- reopen: remove the end of a validity
UPDATE nodes SET valid_until = NULL, closed_seq = NULL, updated_at = max(updated_at, :now) WHERE id = :id;

-- requeue: put a node without a vector of the active model into the backlog
INSERT OR IGNORE INTO embedding_backlog (node_id)
SELECT :id WHERE NOT EXISTS (
    SELECT 1 FROM vectors AS v JOIN embedding_models AS m ON m.id = v.model_id
    WHERE v.node_id = :id AND m.name = (SELECT value FROM meta WHERE key = 'embedding_model'));

-- versions: a memory's versions, newest first, undone ones last; the caller's own if another user's has the same public
-- id
SELECT {columns} FROM nodes AS n WHERE n.public_id = :name AND {condition}
ORDER BY n.user_id = :user_id DESC, n.user_id, n.retired_by IS 'undone', n.version DESC;

-- confirm: full confidence from now on, without decay
UPDATE nodes SET confidence = 1.0, anchored_at = max(anchored_at, :now), decay_rate = 0.0, fades_at = NULL, updated_at = max(updated_at, :now)
WHERE id = :id;

-- set_trust: set the trust of a memory that is not quarantined any more
UPDATE nodes SET trust = :trust, quarantined = 0, updated_at = max(updated_at, :now) WHERE id = :id;

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

-- not_recalled: believed nodes among some that a session was not shown
SELECT n.id FROM json_each(:ids) AS wanted CROSS JOIN nodes AS n ON n.id = wanted.value
WHERE n.retired_seq IS NULL AND NOT EXISTS (
    SELECT 1 FROM recalls AS r WHERE r.user_id = :user_id AND r.session_id = :session_id AND r.node_id = n.id);

-- count_recall: record that a session was shown a memory
INSERT INTO recalls (user_id, session_id, node_id, at) VALUES (?, ?, ?, ?);

-- faded: believed memories below the threshold, the longest faded first
SELECT n.id, n.public_id, n.user_id, n.fades_at FROM believed n
WHERE n.fades_at IS NOT NULL AND n.fades_at <= :now ORDER BY n.fades_at LIMIT :limit;
