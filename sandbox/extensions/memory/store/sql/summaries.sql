-- mentioned: entities that are mentioned often enough for a summary
SELECT {entity_columns} FROM entities AS e WHERE e.merged_into IS NULL AND (e.mention_count >= :minimum OR e.summary IS NOT NULL) AND e.id > :after
ORDER BY e.id LIMIT :limit;

-- facts: valid facts about an entity by the user's word that everybody may know who sees the entity; the most important
-- first
SELECT DISTINCT {columns} FROM node_entities AS l
JOIN nodes AS n ON n.id = l.node_id JOIN entities AS e ON e.id = l.entity_id
WHERE l.entity_id = :id AND l.role IN ('mentions', 'belongs_to', 'relevant_to') AND n.type IN ('semantic', 'opinion')
  AND n.retired_seq IS NULL AND n.trust IN ('user', 'confirmed') AND n.valid_until IS NULL AND n.valid_from <= :now
  AND (n.fades_at IS NULL OR n.fades_at > :now) AND n.category IS NOT :left_out AND {seen_with_entity}
ORDER BY n.pinned DESC, n.importance DESC, n.valid_from DESC, n.id DESC LIMIT :limit;

-- current: the valid summary
SELECT s.id, s.version, s.content, s.rests_on, s.made_by FROM summaries AS s
WHERE s.user_id = :user_id AND s.kind = :kind AND s.about = :about AND s.visibility = :visibility
  AND s.project_id IS :project_id AND s.retired_at IS NULL;

-- latest_version: the latest version of a summary, valid or not
SELECT max(s.version) FROM summaries AS s
WHERE s.user_id = :user_id AND s.kind = :kind AND s.about = :about;

-- retire: retire a summary
UPDATE summaries SET retired_at = :now WHERE id = :id AND retired_at IS NULL;

-- insert: the next version of a summary
INSERT INTO summaries (kind, about, version, user_id, project_id, session_id, visibility, content, rests_on, created_at,
    made_by)
VALUES (:kind, :about, :version, :user_id, :project_id, :session_id, :visibility, :content, :rests_on, :now, :made_by);

-- set_entity: set the summary of an entity
UPDATE entities SET summary = :content WHERE id = :id;

-- unembedded: entities whose summary has no vector of the active model
SELECT e.id, e.name, e.summary FROM entities AS e
WHERE e.summary IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM entity_vectors AS v WHERE v.entity_id = e.id AND v.model_id = :model_id)
ORDER BY e.id LIMIT :limit;

-- embed: store the vector of an entity's summary
INSERT OR REPLACE INTO entity_vectors (entity_id, model_id, vector)
SELECT e.id, :model_id, :vector FROM entities AS e WHERE e.id = :id AND e.summary = :summary;

-- vectors: the vectors of the summaries of visible entities
SELECT v.entity_id, v.vector FROM entity_vectors AS v CROSS JOIN entities AS e ON e.id = v.entity_id
WHERE v.model_id = :model_id AND {condition} LIMIT :limit;

-- latest: the valid summaries of a kind that a user sees everywhere, the latest first
SELECT s.content FROM summaries AS s
WHERE s.user_id = :user_id AND s.kind = :kind AND s.visibility = 'user' AND s.retired_at IS NULL
ORDER BY s.id DESC LIMIT :limit;

-- of_entities: the summaries of some entities whose sources are all valid; the most mentioned entity first
SELECT s.id, e.public_id AS shown_as, s.content, s.rests_on, s.user_id, s.visibility, s.session_id, 'user' AS trust,
    s.created_at AS at
FROM json_each(:ids) AS wanted CROSS JOIN entities AS e ON e.id = wanted.value
CROSS JOIN summaries AS s ON s.user_id = e.user_id AND s.kind = 'entity' AND s.about = e.public_id AND s.retired_at IS NULL
WHERE {condition} AND NOT EXISTS (
    SELECT 1 FROM summary_sources AS x JOIN nodes AS n ON n.id = x.node_id
    WHERE x.summary_id = s.id AND (n.quarantined OR (n.fades_at IS NOT NULL AND n.fades_at <= :now)))
ORDER BY e.mention_count DESC, e.id LIMIT :limit;

-- of_sessions: summaries of conversations that rest on nothing from tools and pages, of a time or the latest; the
-- latest first. One by rules quotes the user.
SELECT s.id, s.about AS shown_as, s.content, s.rests_on, s.user_id, s.visibility, s.about AS session_id,
    CASE WHEN s.made_by <> 'rules' AND sum(n.trust = 'assistant') THEN 'assistant' ELSE 'user' END AS trust,
    max(n.event_time) AS at
FROM (SELECT * FROM summaries AS s
      WHERE s.kind = 'session' AND s.retired_at IS NULL AND s.about IS NOT :without AND {condition}
        AND (:after IS NULL OR s.about IN (
            SELECT t.session_id FROM nodes AS t INDEXED BY nodes_time
            WHERE t.event_time >= :after AND t.event_time < :before LIMIT :turns))
      ORDER BY s.id DESC LIMIT :sessions) AS s
JOIN summary_sources AS x ON x.summary_id = s.id JOIN nodes AS n ON n.id = x.node_id
GROUP BY s.id HAVING NOT sum(n.quarantined OR n.trust IN ('tool', 'web'))
    AND (:after IS NULL OR (max(n.event_time) >= :after AND min(n.event_time) < :before))
ORDER BY at DESC, s.id DESC LIMIT :limit;
