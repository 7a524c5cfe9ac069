-- put: one claim of a version
INSERT INTO claims (node_id, user_id, subject, subject_id, named, predicate, value, folded, value_id, affirmed, modality, time)
VALUES (:node_id, :user_id, :subject, :subject_id, :named, :predicate, :value, :folded, :value_id, :affirmed, :modality, :time);

-- of_nodes: the claims of some versions, in the order in which they were said, with their subjects; a merged entity
-- counts as the one it was merged into
SELECT c.node_id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.time, (
    WITH RECURSIVE whole AS (
        SELECT e.id, e.merged_into FROM entities AS e WHERE e.id = c.subject_id
        UNION SELECT e.id, e.merged_into FROM whole CROSS JOIN entities AS e ON e.id = whole.merged_into)
    SELECT id FROM whole WHERE merged_into IS NULL) AS subject_id
FROM claims AS c WHERE c.node_id IN (SELECT value FROM json_each(:nodes)) ORDER BY c.id;

-- told: when memories were last told: the time of their latest turn, otherwise when they were stored
SELECT n.id, coalesce(max(t.event_time), n.created_at) AS at FROM nodes AS n
LEFT JOIN edges AS e ON e.source_id = n.id AND e.relation = 'derived_from' LEFT JOIN nodes AS t ON t.id = e.target_id
WHERE n.id IN (SELECT value FROM json_each(:nodes)) GROUP BY n.id;

-- recorded_by: the earliest time of a node and of those that were stored after it
SELECT min(created_at) FROM nodes WHERE id >= :id;

-- with_predicates: visible memories with a claim of one of some predicates, the latest first
SELECT n.id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.time
FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND c.predicate IN (SELECT value FROM json_each(:predicates)) AND {condition}
ORDER BY n.valid_from DESC, n.id DESC LIMIT :limit;

-- about: believed memories of one home with claims of some subjects and predicates, of one polarity if it is given, the
-- latest first
WITH RECURSIVE asked AS (
    SELECT value ->> '$[0]' AS predicate, value ->> '$[1]' AS subject, value ->> '$[2]' AS subject_id, value ->> '$[3]' AS affirmed
    FROM json_each(:asked)),
part AS (
    SELECT predicate, affirmed, subject_id AS id FROM asked WHERE subject_id IS NOT NULL
    UNION SELECT part.predicate, part.affirmed, e.id FROM part CROSS JOIN entities AS e INDEXED BY entities_merged ON e.merged_into = part.id),
found AS (
    SELECT c.node_id FROM asked CROSS JOIN claims AS c INDEXED BY claims_about
        ON c.user_id = :user_id AND c.predicate = asked.predicate AND c.subject = asked.subject
        AND c.affirmed = coalesce(asked.affirmed, c.affirmed)
    UNION SELECT c.node_id FROM part CROSS JOIN claims AS c INDEXED BY claims_subject
        ON c.subject_id = part.id AND c.predicate = part.predicate AND c.affirmed = coalesce(part.affirmed, c.affirmed))
SELECT {columns} FROM found CROSS JOIN nodes AS n ON n.id = found.node_id
WHERE n.user_id = :user_id AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND {in_home}
ORDER BY n.id DESC LIMIT :limit;

-- claiming: the valid memories of one home with one kind of claim about a subject, the latest first
SELECT {columns} FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND c.predicate = :predicate AND c.subject = :subject
  AND n.retired_seq IS NULL AND {holds} AND n.type = :type
  AND {in_home}
ORDER BY n.id DESC LIMIT :limit;

-- own_names: the user's names by the user's own word, as far as a home sees them
SELECT DISTINCT c.value FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND c.predicate IN ('name', 'preferred_name') AND c.subject = '' AND c.affirmed
  AND n.retired_seq IS NULL AND n.trust IN ('user', 'confirmed')
  AND (n.visibility = 'user' OR ({in_home}));

-- own_speaker: who spoke the first turn that taught something about a user
SELECT t.speaker FROM claims AS c CROSS JOIN edges AS e ON e.source_id = c.node_id AND e.relation = 'derived_from'
CROSS JOIN nodes AS t ON t.id = e.target_id
WHERE c.user_id = :user_id AND c.subject = '' AND t.role = 'user' AND t.speaker IS NOT NULL ORDER BY c.id LIMIT 1;

-- speakers: who said, as users, the turns on which some memories rest
SELECT DISTINCT e.source_id, t.speaker FROM edges AS e CROSS JOIN nodes AS t ON t.id = e.target_id
WHERE e.source_id IN (SELECT value FROM json_each(:nodes)) AND e.relation = 'derived_from'
  AND t.role = 'user' AND t.speaker IS NOT NULL;

-- related: the relations of some entities in both directions, in memories that the filter allows, the latest first, and
-- those of the user if they are asked for; a merged entity counts as the one it was merged into
WITH RECURSIVE part AS (
    SELECT value AS id FROM json_each(:entities)
    UNION SELECT e.id FROM part CROSS JOIN entities AS e INDEXED BY entities_merged ON e.merged_into = part.id)
SELECT n.id, n.public_id, n.valid_from, c.id AS claim_id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.value_id AS other
FROM part CROSS JOIN claims AS c ON c.subject_id = part.id CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.value_id IS NOT NULL AND {condition}
UNION
SELECT n.id, n.public_id, n.valid_from, c.id AS claim_id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.subject_id
FROM part CROSS JOIN claims AS c ON c.value_id = part.id CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE (c.subject = '' OR c.subject_id IS NOT NULL) AND {condition}
UNION
SELECT n.id, n.public_id, n.valid_from, c.id AS claim_id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.value_id
FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE :of_user AND c.user_id = :user_id AND c.subject = '' AND c.value_id IS NOT NULL AND {condition}
ORDER BY 3 DESC, 1 DESC, 4 LIMIT :limit;

-- fill: a memory fills a field
INSERT OR REPLACE INTO profile_values (node_id, user_id, field, value, is_told)
VALUES (:node_id, :user_id, :field, :value, :is_told);

-- filling: the visible memories of the user's word that fill some fields; a memory that was merged counts as the one it
-- was merged into
SELECT n.id, p.field, p.value, p.is_told, n.valid_from
FROM profile_values AS p INDEXED BY profile_values_field
CROSS JOIN nodes AS own ON own.id = p.node_id CROSS JOIN nodes AS n ON n.id = coalesce(own.merged_into, own.id)
WHERE p.user_id = :user_id AND p.field IN (SELECT value FROM json_each(:fields))
  AND own.trust IN ('user', 'confirmed') AND n.trust IN ('user', 'confirmed') AND {condition};
