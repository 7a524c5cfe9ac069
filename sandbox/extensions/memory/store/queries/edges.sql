-- add: a typed, directed relation; adding it again changes nothing
INSERT OR IGNORE INTO edges (source_id, target_id, relation, predicate, strength, confidence, valid_from, evidence, created_at)
VALUES (:source, :target, :relation, :predicate, :strength, :confidence, :now, :evidence, :now);

-- by_ids: edges as `add` takes them
SELECT e.id, e.source_id AS source, e.target_id AS target, e.relation, e.predicate, e.strength, e.confidence, e.evidence
FROM json_each(:ids) AS wanted CROSS JOIN edges AS e ON e.id = wanted.value;

-- remove: an edge that no longer says anything
DELETE FROM edges WHERE id = :id;

-- between: an edge by what it joins
SELECT id FROM edges WHERE source_id = :source AND target_id = :target AND relation = :relation AND predicate = :predicate;

-- replacing: what says that a node was replaced
SELECT id FROM edges WHERE target_id = :target AND relation = 'supersedes' ORDER BY id;

-- named: whose an edge is, and the public id of where it leads
SELECT s.user_id, t.public_id AS "to" FROM nodes AS s JOIN nodes AS t ON t.id = :target WHERE s.id = :source;
