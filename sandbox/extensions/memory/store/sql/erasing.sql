-- said_in: the turns of a session of a project, in any state
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic';

-- unfounded: memories that were learnt in a session, or from erased nodes, and rest on no other node; a memory that was
-- told elsewhere and only repeated there stays. Sources that a memory took over in a merge do not count; a conclusion
-- from several turns is erased with any of them
SELECT n.id FROM nodes AS n
WHERE n.type <> 'episodic' AND n.id NOT IN (SELECT value FROM json_each(:gone))
  AND n.id IN (
    SELECT k.id FROM nodes AS k
    WHERE k.user_id = :user_id AND k.session_id = :session_id AND k.project_id IS :project_id
    UNION
    SELECT e.source_id FROM json_each(:gone) AS g
    CROSS JOIN edges AS e ON e.target_id = g.value AND e.relation = 'derived_from')
  AND (n.category IS :insight OR (n.visibility = 'session' AND n.session_id = :session_id AND n.project_id IS :project_id)
    OR (NOT EXISTS (
        SELECT 1 FROM edges AS e
        WHERE e.source_id = n.id AND e.relation = 'derived_from'
          AND e.target_id NOT IN (SELECT value FROM json_each(:gone))
          AND e.id NOT IN (
            SELECT adopted.value FROM nodes AS part CROSS JOIN changes AS c ON c.node_id = part.id AND c.event = 'merged'
            CROSS JOIN json_each(c.detail, '$.edges') AS adopted WHERE part.merged_into = n.id))
      AND ((n.session_id = :session_id AND n.project_id IS :project_id)
        OR n.source IN (SELECT value FROM json_each(:learnt))
        OR EXISTS (
            SELECT 1 FROM edges AS e
            WHERE e.source_id = n.id AND e.relation = 'derived_from' AND e.created_at = n.created_at))));

-- counted: the numbers of turns and of memories among some nodes; versions of one memory count once
SELECT count(*) FILTER (WHERE n.type = 'episodic'),
    count(DISTINCT n.public_id) FILTER (WHERE n.type <> 'episodic')
FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value;

-- mentioned: the entities that some nodes mention
SELECT DISTINCT l.entity_id AS id FROM json_each(:gone) AS g CROSS JOIN node_entities AS l ON l.node_id = g.value;

-- erase: delete nodes, and by cascades and triggers their rows: full text, edges, links, vectors, summaries
DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(:gone));

-- erase_session: delete a session
DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- erase_summaries: delete the summaries of a session
DELETE FROM summaries
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND kind = 'session';

-- unname_nodes: remove the session's name from nodes that stay, in this and in other projects, unless only it may see them
UPDATE nodes SET session_id = NULL
WHERE user_id = :user_id AND session_id = :session_id AND visibility <> 'session' AND (project_id IS :project_id
  OR project_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM sessions AS s
    WHERE s.user_id = :user_id AND s.session_id = :session_id AND s.project_id IS NULL));

-- unname: remove the session's name from entities, or from their summaries
UPDATE {table} SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id;

-- erase_entities: delete entities that only the session knew
DELETE FROM entities
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND visibility = 'session';

-- is_elsewhere: whether another project has a session of that name
SELECT 1 FROM sessions WHERE user_id = :user_id AND session_id = :session_id;

-- erase_recalls: delete the records of recalls in sessions of that name
DELETE FROM recalls WHERE user_id = :user_id AND session_id = :session_id;

-- unname_changes: remove the session's name from the log, or only from the changes of some nodes
UPDATE changes SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id
  AND (:elsewhere IS NULL OR node_id IN (SELECT value FROM json_each(:gone)));

-- unname_operations: remove the session's name from operations
UPDATE operations SET session_id = NULL WHERE user_id = :user_id AND session_id = :session_id;

-- has_samples: whether SQLite keeps samples of the values in indexes
SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4';

-- erase_samples: delete these samples, which may be names and keys
DELETE FROM sqlite_stat4;

-- whole: every version of some memories, and of the memories merged into them
WITH RECURSIVE whole AS (
    SELECT v.id, v.user_id, v.public_id FROM json_each(:ids) AS wanted JOIN nodes AS n ON n.id = wanted.value
    JOIN nodes AS v ON v.user_id = n.user_id AND v.public_id = n.public_id
    UNION
    SELECT v.id, v.user_id, v.public_id FROM whole JOIN nodes AS part ON part.merged_into = whole.id
    JOIN nodes AS v ON v.user_id = part.user_id AND v.public_id = part.public_id)
SELECT id FROM whole ORDER BY id;

-- named: every version of a memory of a user
SELECT n.id FROM nodes AS n WHERE n.user_id = :user_id AND n.public_id = :id;

-- of_user: everything of a user
SELECT n.id FROM nodes AS n WHERE n.user_id = :user_id;

-- before: turns said before a moment, and memories stored before it that rest on no turn
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND (:project_id IS NULL OR n.project_id = :project_id)
  AND iif(n.type = 'episodic', n.event_time < :before, n.created_at < :before
    AND NOT EXISTS (SELECT 1 FROM edges AS e WHERE e.source_id = n.id AND e.relation = 'derived_from'));

-- unused: entities among some, of the user and the project, if one is given, with which no node is linked
SELECT e.id FROM entities AS e WHERE e.id IN (SELECT value FROM json_each(:entities)) AND e.user_id = :user_id
  AND (:project_id IS NULL OR e.project_id = :project_id) AND (e.visibility <> 'global' OR :administrator)
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = e.id);

-- called: the names of some entities
SELECT DISTINCT w.name FROM entity_names AS w WHERE w.entity_id IN (SELECT value FROM json_each(:entities));

-- about: nodes that mention some entities, or have a name as subject
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND (:project_id IS NULL OR n.project_id = :project_id)
  AND (n.id IN (SELECT l.node_id FROM node_entities AS l WHERE l.entity_id IN (SELECT value FROM json_each(:entities)))
    OR (n.who = :who AND :who <> ''));

-- saying: nodes with the words of some names
SELECT n.id FROM nodes_fts AS f CROSS JOIN nodes AS n ON n.id = f.rowid
WHERE nodes_fts MATCH :match AND n.user_id = :user_id AND (:project_id IS NULL OR n.project_id = :project_id);

-- written: nodes with one of some names as it is written
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND (:project_id IS NULL OR n.project_id = :project_id)
  AND EXISTS (SELECT 1 FROM json_each(:names) AS name WHERE instr(n.content, name.value) > 0);

-- whom: what tells whom some nodes name: the text, the speaker, the subject, and the names of entities but for some
SELECT n.id, n.content, n.speaker, n.subject, (
    SELECT json_group_array(w.name) FROM node_entities AS l CROSS JOIN entity_names AS w ON w.entity_id = l.entity_id
    WHERE l.node_id = n.id AND l.entity_id NOT IN (SELECT value FROM json_each(:entities))) AS others
FROM nodes AS n WHERE n.id IN (SELECT value FROM json_each(:nodes));

-- tagged: nodes with one of some names as a tag
SELECT n.id FROM nodes AS n
WHERE n.user_id = :user_id AND (:project_id IS NULL OR n.project_id = :project_id) AND n.tags <> '[]'
  AND EXISTS (SELECT 1 FROM json_each(n.tags) AS tag CROSS JOIN json_each(:names) AS name WHERE lower(tag.value) = lower(name.value));

-- everybodys: whether one of some nodes is global
SELECT 1 FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value WHERE n.visibility = 'global' LIMIT 1;

-- homes: the sessions of some turns
SELECT DISTINCT n.session_id, n.project_id FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value
WHERE n.type = 'episodic' AND n.session_id IS NOT NULL;

-- is_left: whether a session of a project has a turn left, or a memory that only it may see
SELECT 1 FROM nodes AS n
WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id
  AND (n.type = 'episodic' OR n.visibility = 'session') LIMIT 1;

-- drop_homes: delete sessions without a turn
DELETE FROM sessions
WHERE user_id = :user_id AND session_id = :session_id AND project_id IS :project_id AND NOT EXISTS (
    SELECT 1 FROM nodes AS n WHERE n.user_id = sessions.user_id AND n.session_id = sessions.session_id
      AND n.project_id IS sessions.project_id AND n.visibility = sessions.visibility AND n.type = 'episodic');

-- recount: update a session to its remaining turns
UPDATE sessions SET last_node_id = left.last, episode_count = left.count, first_seen_at = left.first, last_seen_at = left.latest
FROM (SELECT n.visibility, max(n.id) AS last, count(*) AS count, min(n.event_time) AS first, max(n.event_time) AS latest
    FROM nodes AS n WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id
      AND n.type = 'episodic' GROUP BY n.visibility) AS left
WHERE sessions.user_id = :user_id AND sessions.session_id = :session_id AND sessions.project_id IS :project_id
  AND sessions.visibility = left.visibility;

-- rejoin: link each remaining turn with the one before it
INSERT OR IGNORE INTO edges (source_id, target_id, relation, valid_from, created_at)
SELECT t.before, t.id, 'temporal', :now, :now
FROM (SELECT n.id, lag(n.id) OVER (PARTITION BY n.visibility ORDER BY n.id) AS before FROM nodes AS n
    WHERE n.user_id = :user_id AND n.session_id = :session_id AND n.project_id IS :project_id AND n.type = 'episodic') AS t
WHERE t.before IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM edges AS e WHERE e.target_id = t.id AND e.relation = 'temporal');

-- tables: the tables with a column for the user
SELECT t.name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c ON c.name = 'user_id'
WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.name NOT IN ('nodes', 'erased_keys');

-- users: the users with rows
SELECT DISTINCT user_id FROM nodes UNION SELECT user_id FROM documents UNION SELECT user_id FROM changes;

-- kinds: entities that nothing else mentions, summaries that rest on the nodes or are of their sessions, profile
-- values, and turns that stay although some of it was learnt from them
SELECT
    json_array_length(:unused) + (SELECT count(DISTINCT l.entity_id) FROM json_each(:gone) AS g CROSS JOIN node_entities AS l ON l.node_id = g.value
     JOIN entities AS e ON e.id = l.entity_id AND e.merged_into IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM node_entities AS o
        WHERE o.entity_id = l.entity_id AND o.node_id NOT IN (SELECT value FROM json_each(:gone)))) AS entities,
    (SELECT count(*) FROM (
        SELECT s.summary_id FROM json_each(:gone) AS g CROSS JOIN summary_sources AS s ON s.node_id = g.value
        UNION
        SELECT s.id FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value AND n.type = 'episodic'
        CROSS JOIN summaries AS s ON s.user_id = n.user_id AND s.session_id = n.session_id AND s.kind = 'session'
            AND s.project_id IS n.project_id)) AS summaries,
    (SELECT count(*) FROM json_each(:gone) AS g CROSS JOIN profile_values AS p ON p.node_id = g.value) AS profile_values,
    (SELECT count(DISTINCT e.target_id) FROM json_each(:gone) AS g
     CROSS JOIN edges AS e ON e.source_id = g.value AND e.relation = 'derived_from'
     JOIN nodes AS n ON n.id = e.target_id AND n.type = 'episodic'
     WHERE e.target_id NOT IN (SELECT value FROM json_each(:gone))) AS sources;

-- examples: examples: knowledge first, then turns, the latest first
SELECT n.content FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value
ORDER BY n.type = 'episodic', n.id DESC LIMIT :most;

-- beginnings: the ids and texts of some nodes that stay, those of one memory once, the latest first
SELECT n.public_id, max(n.id) AS id, n.content, count(*) OVER () AS every
FROM json_each(:doubtful) AS d CROSS JOIN nodes AS n ON n.id = d.value
WHERE n.id NOT IN (SELECT value FROM json_each(:gone))
GROUP BY n.user_id, n.public_id ORDER BY id DESC LIMIT :most;

-- unmark: note that they are overwritten
DELETE FROM meta WHERE key = 'erasing';

-- unspoken: delete entities that no node mentions, with all their names, and entities without a name
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids))
  AND (NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = entities.id)
    OR NOT EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = entities.id));

-- doubtful: names of some entities for which no remaining node stands; a context has its name from any memory in it
SELECT w.user_id, w.entity_id AS id, w.folded, w.name FROM json_each(:ids) AS wanted
CROSS JOIN entity_names AS w ON w.entity_id = wanted.value
WHERE (w.node_id IS NULL OR NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = w.node_id))
  AND w.entity_id NOT IN (SELECT e.id FROM entities AS e WHERE e.type = 'context');

-- narrow: give entities that nobody sees with a node any more the home of the widest node that mentions them
UPDATE entities AS e SET (visibility, project_id, session_id) = (
    SELECT n.visibility, n.project_id, n.session_id FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id
    WHERE l.entity_id = e.id ORDER BY n.visibility <> 'user', n.visibility <> 'project', n.id LIMIT 1)
WHERE id IN (SELECT value FROM json_each(:ids)) AND type <> 'context' AND NOT EXISTS (
    SELECT 1 FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = e.id AND {seen_with_entity});

-- saying_name: a node that mentions an entity, contains all terms of a name, and is seen by everybody who sees the entity
SELECT f.rowid FROM nodes_fts AS f CROSS JOIN node_entities AS l ON l.node_id = f.rowid AND l.entity_id = :id
CROSS JOIN nodes AS n ON n.id = f.rowid JOIN entities AS e ON e.id = l.entity_id
WHERE nodes_fts MATCH :match AND {seen_with_entity} LIMIT 1;

-- spelling: such a node with a name as it is written, for names without terms
SELECT n.id FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id JOIN entities AS e ON e.id = l.entity_id
WHERE l.entity_id = :id AND {seen_with_entity} AND (n.speaker = :name OR n.subject = :name OR instr(n.content, :name) > 0) LIMIT 1;

-- stand: note that a node stands for a name
UPDATE entity_names SET node_id = :node WHERE user_id = :user_id AND folded = :folded AND entity_id = :id;

-- drop: delete a name
DELETE FROM entity_names WHERE user_id = :user_id AND folded = :folded AND entity_id = :id;

-- drop_summaries: delete summaries that may contain the name
DELETE FROM summaries WHERE kind = 'entity' AND (user_id, about) IN (SELECT user_id, public_id FROM entities WHERE id = :id);

-- rename: give an entity one of its remaining names
UPDATE entities SET name = (SELECT w.name FROM entity_names AS w WHERE w.entity_id = :id ORDER BY w.node_id, w.folded LIMIT 1)
WHERE id = :id AND EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = :id)
  AND NOT EXISTS (SELECT 1 FROM entity_names AS w WHERE w.entity_id = :id AND w.name = entities.name);

-- recount_mentions: update the number and the times of mentions
UPDATE entities SET mention_count = met.count, first_seen = met.first, last_seen = met.last
FROM (SELECT l.entity_id AS id, count(*) AS count, min(n.event_time) AS first, max(n.event_time) AS last
    FROM json_each(:ids) AS wanted CROSS JOIN node_entities AS l ON l.entity_id = wanted.value
    CROSS JOIN nodes AS n ON n.id = l.node_id GROUP BY l.entity_id) AS met
WHERE entities.id = met.id;

-- untype: forget what entities are of which no remaining claim tells, and which do not speak
UPDATE entities SET type = :unknown WHERE id IN (SELECT value FROM json_each(:ids)) AND type <> 'context'
  AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.subject_id = entities.id)
  AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.value_id = entities.id)
  AND NOT EXISTS (SELECT 1 FROM node_entities AS l WHERE l.entity_id = entities.id AND l.role = 'speaker');

-- gained: the recorded names that entities copied to others
SELECT m.id, m.names, (SELECT json_group_array(w.folded) FROM entity_names AS w WHERE w.entity_id = m.into_id) AS left
FROM entity_merges AS m WHERE m.entity_id IN (SELECT value FROM json_each(:ids)) OR m.into_id IN (SELECT value FROM json_each(:ids));

-- note: update the record to the remaining names
UPDATE entity_merges SET names = :names WHERE id = :id;

-- heirs: remaining versions of memories of which an earlier version is erased, the first ones first, with that
-- version's tags
SELECT n.id, g.tags AS gone_tags
FROM json_each(:gone) AS wanted CROSS JOIN nodes AS g ON g.id = wanted.value AND g.type <> 'episodic'
CROSS JOIN nodes AS n ON n.user_id = g.user_id AND n.public_id = g.public_id AND n.version > g.version
WHERE n.id NOT IN (SELECT value FROM json_each(:gone)) ORDER BY n.version, n.id;

-- inherited: the content of a version, and what remaining versions before it have in common with it
SELECT n.tags, n.subject, n.content,
    (SELECT json_group_array(tag.value) FROM nodes AS e CROSS JOIN json_each(e.tags) AS tag
     WHERE e.user_id = n.user_id AND e.public_id = n.public_id AND e.version < n.version
       AND e.id NOT IN (SELECT value FROM json_each(:gone))) AS earlier_tags,
    EXISTS (SELECT 1 FROM nodes AS e
     WHERE e.user_id = n.user_id AND e.public_id = n.public_id AND e.version < n.version AND e.subject IS n.subject
       AND e.id NOT IN (SELECT value FROM json_each(:gone))) AS had_subject
FROM nodes AS n WHERE n.id = :id;

-- said_by_sources: the remaining sources of a version
SELECT t.content, t.speaker FROM edges AS e CROSS JOIN nodes AS t ON t.id = e.target_id
WHERE e.source_id = :id AND e.relation = 'derived_from' AND t.id NOT IN (SELECT value FROM json_each(:gone));

-- disinherit: a version without what it inherited
UPDATE nodes SET tags = :tags, subject = :subject, who = iif(:subject IS NULL, '', who) WHERE id = :id;

-- leave: remove remaining versions from contexts that only erased versions were in
DELETE FROM node_entities WHERE role = 'belongs_to' AND (entity_id, node_id) IN (
    SELECT l.entity_id, n.id FROM json_each(:gone) AS wanted CROSS JOIN nodes AS g ON g.id = wanted.value AND g.type <> 'episodic'
    CROSS JOIN node_entities AS l ON l.node_id = g.id AND l.role = 'belongs_to'
    CROSS JOIN nodes AS n ON n.user_id = g.user_id AND n.public_id = g.public_id AND n.version > g.version
    WHERE n.id NOT IN (SELECT value FROM json_each(:gone)) AND NOT EXISTS (
        SELECT 1 FROM nodes AS e CROSS JOIN node_entities AS k ON k.node_id = e.id AND k.entity_id = l.entity_id
            AND k.role = 'belongs_to'
        WHERE e.user_id = g.user_id AND e.public_id = g.public_id AND e.version < n.version
            AND e.id NOT IN (SELECT value FROM json_each(:gone))));

-- links: the entities that a node mentions, with all names
SELECT l.entity_id AS id, l.role,
    (SELECT json_group_array(w.folded) FROM entity_names AS w WHERE w.entity_id = l.entity_id) AS names
FROM node_entities AS l WHERE l.node_id = :id;

-- note_file: a file that was written
INSERT OR REPLACE INTO exports (path, user_id, seq, lines, bytes) VALUES (:path, :user_id, :seq, :lines, :bytes);

-- paths: every file that was written
SELECT path FROM exports;

-- drop_files: files that are gone
DELETE FROM exports WHERE path IN (SELECT value FROM json_each(:paths));

-- holding: files of a user, and of everybody, that were written since the first of some nodes was stored
SELECT x.path, x.lines, x.bytes FROM exports AS x
WHERE (x.user_id IS NULL OR x.user_id = :user_id)
  AND x.seq >= (SELECT min(n.created_seq) FROM json_each(:gone) AS g CROSS JOIN nodes AS n ON n.id = g.value)
ORDER BY x.path;

-- keyed: the ids and keys of some nodes, and the content and home of the statements among them
SELECT n.user_id, n.public_id, n.source, n.key, n.fingerprint, n.visibility, n.project_id,
    iif(n.visibility = 'session', n.session_id, NULL) AS session_id
FROM nodes AS n WHERE n.id IN (SELECT value FROM json_each(:nodes));

-- add_hash: store the hash of erased text
INSERT OR IGNORE INTO erased_keys (user_id, source, key_hash, at) VALUES (:user_id, :source, :hash, :at);

-- unname_hashes: replace the user of hashes after all of the user's memories were erased
UPDATE OR REPLACE erased_keys SET user_id = '', source = '' WHERE user_id = :user_id;

-- is_erased: whether a hash is stored
SELECT 1 FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));

-- remove_hash: delete a hash
DELETE FROM erased_keys WHERE key_hash = :hash AND (user_id, source) IN (VALUES (:user_id, :source), ('', ''));

-- unused_for: valid memories of little importance that were not used for as many days as their category allows, without
-- pinned ones and those that the user told on purpose
SELECT n.id FROM json_each(:days) AS d CROSS JOIN believed AS n ON n.category = d.key
WHERE d.value > 0 AND n.type <> 'episodic' AND n.importance < :important AND {may_go}
  AND max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at) <= :now - d.value * :day
ORDER BY n.id;

-- beyond: the first to go of a user's knowledge above a limit
SELECT n.id FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {may_go}
ORDER BY n.importance, max(coalesce(n.last_accessed, 0), n.anchored_at, n.created_at), n.id
LIMIT max(0, (SELECT count(*) FROM believed AS n WHERE n.user_id = :user_id AND n.type <> 'episodic' AND {holds}) - :most);

-- due: memories that were put away, or waited for consent, long enough
SELECT n.id FROM nodes AS n WHERE n.retired_by IN ('expired', 'proposed') AND n.purge_at <= :now ORDER BY n.id LIMIT :limit;
