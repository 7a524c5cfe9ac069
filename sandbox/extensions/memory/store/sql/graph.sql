-- add: a typed, directed edge; adding it again changes nothing
INSERT OR IGNORE INTO edges (source_id, target_id, relation, predicate, strength, confidence, valid_from, evidence, created_at)
VALUES (:source, :target, :relation, :predicate, :strength, :confidence, :now, :evidence, :now);

-- by_ids: edges in the form for `add`
SELECT e.id, e.source_id AS source, e.target_id AS target, e.relation, e.predicate, e.strength, e.confidence, e.evidence
FROM json_each(:ids) AS wanted CROSS JOIN edges AS e ON e.id = wanted.value;

-- remove: delete an edge
DELETE FROM edges WHERE id = :id;

-- between: the edge between two nodes
SELECT id FROM edges WHERE source_id = :source AND target_id = :target AND relation = :relation AND predicate = :predicate;

-- replacing: the edges that say that a node was replaced
SELECT id FROM edges WHERE target_id = :target AND relation = 'supersedes' ORDER BY id;

-- named: the owner of an edge, and the public id of its end
SELECT s.user_id, t.public_id AS "to" FROM nodes AS s JOIN nodes AS t ON t.id = :target WHERE s.id = :source;

-- neighbours: nodes one edge away over some relations, in either direction
SELECT e.source_id AS here, e.target_id AS there, e.strength FROM edges AS e
WHERE e.relation IN (SELECT value FROM json_each(:relations)) AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id, e.source_id, e.strength FROM edges AS e
WHERE e.relation IN (SELECT value FROM json_each(:relations)) AND e.target_id IN (SELECT value FROM json_each(:ids));

-- targets: the ends of edges of one relation that start at some nodes
SELECT e.source_id AS here, e.target_id AS there FROM edges AS e
WHERE e.relation = :relation AND e.source_id IN (SELECT value FROM json_each(:ids)) ORDER BY e.id;

-- sources: the starts of edges of one relation that end at some nodes
SELECT e.target_id AS here, e.source_id AS there FROM edges AS e
WHERE e.relation = :relation AND e.target_id IN (SELECT value FROM json_each(:ids)) ORDER BY e.id;

-- prevailing: memories that replaced some nodes, or have more weight in a possible conflict
SELECT e.target_id AS here, e.source_id AS there, e.relation FROM edges AS e
WHERE e.target_id IN (SELECT value FROM json_each(:ids))
  AND (e.relation = 'supersedes' OR (e.relation = 'related_to' AND e.predicate = :conflict)) ORDER BY e.id;

-- outdated: turns from which something was learnt, nothing of which holds as they taught it, with what replaced it
SELECT d.target_id AS here, e.source_id AS there FROM json_each(:ids) AS wanted
CROSS JOIN edges AS d ON d.target_id = wanted.value AND d.relation = 'derived_from'
CROSS JOIN edges AS e ON e.target_id = d.source_id AND e.relation = 'supersedes'
WHERE NOT EXISTS (
    SELECT 1 FROM edges AS o CROSS JOIN nodes AS k ON k.id = o.source_id
    WHERE o.target_id = d.target_id AND o.relation = 'derived_from'
      AND k.retired_seq IS NULL AND (k.valid_until IS NULL OR k.valid_until > :at)
      AND NOT EXISTS (  -- a correction keeps the sources of the version that it replaced
          SELECT 1 FROM edges AS s CROSS JOIN nodes AS old ON old.id = s.target_id
          CROSS JOIN edges AS w ON w.source_id = old.id AND w.relation = 'derived_from'
          WHERE s.source_id = k.id AND s.relation = 'supersedes' AND w.target_id = d.target_id
            AND old.retired_by = 'corrected'));

-- apart: pairs of nodes with an edge that says that they are different
SELECT e.source_id, e.target_id FROM json_each(:ids) AS wanted CROSS JOIN edges AS e ON e.source_id = wanted.value
WHERE e.relation = 'related_to' AND e.predicate IN (SELECT value FROM json_each(:stated));

-- following: consecutive turns of a user, after an edge: a person's turn and the person's turn before it, across an assistant's
-- reply and across a turn of somebody else
SELECT e.id AS edge, b.user_id, first.id AS first_id, b.id AS second_id, first.public_id AS first_public_id,
    b.public_id AS second_public_id, first.content AS first, b.content AS second,
    iif(first.id = a.id, '', a.content) AS between_them, first.asks OR b.asks AS asks,
    (first.retired_seq IS NULL AND b.retired_seq IS NULL AND first.quarantined = 0 AND b.quarantined = 0
     AND first.role IN ('user', 'assistant') AND b.role IN ('user', 'assistant')) AS stand
FROM edges AS e JOIN nodes AS a ON a.id = e.source_id JOIN nodes AS b ON b.id = e.target_id
    JOIN nodes AS first ON first.id = coalesce((
        SELECT p.id FROM edges AS earlier JOIN nodes AS p ON p.id = earlier.source_id
        WHERE earlier.target_id = a.id AND earlier.relation = 'temporal' AND p.role = b.role AND p.who = b.who
            AND ((a.role = 'assistant' AND b.role = 'user') OR (a.asks = 1 AND a.who <> b.who))
        LIMIT 1), a.id)
WHERE e.relation = 'temporal' AND e.id > :after AND b.user_id = :user_id
ORDER BY e.id LIMIT :limit;

-- last_turn: the last edge between turns, read from the end
SELECT e.id FROM edges AS e NOT INDEXED WHERE e.relation = 'temporal' ORDER BY e.id DESC LIMIT 1;

-- are_believed: whether two memories are both believed
SELECT count(*) = 2 FROM believed WHERE id IN (:cause, :effect);

-- related: pairs of a user's memories that are joined by similarity alone
SELECT e.id, e.source_id, e.target_id, e.strength FROM edges AS e JOIN nodes AS n ON n.id = e.source_id
WHERE e.relation = 'related_to' AND e.predicate = '' AND n.user_id = :user_id;

-- beside: memories joined with some by similarity, or as a possible conflict, the nearest first
SELECT e.source_id AS here, e.target_id AS there, e.strength FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :predicate AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id, e.source_id, e.strength FROM edges AS e
WHERE e.relation = 'related_to' AND e.predicate = :predicate AND e.target_id IN (SELECT value FROM json_each(:ids))
ORDER BY 3 DESC, 2;

-- degrees: with how many others some memories are joined by similarity alone
SELECT wanted.value AS id,
    (SELECT count(*) FROM edges AS e
     WHERE e.source_id = wanted.value AND e.relation = 'related_to' AND e.predicate = '')
    + (SELECT count(*) FROM edges AS e
       WHERE e.target_id = wanted.value AND e.relation = 'related_to' AND e.predicate = '') AS degree
FROM json_each(:ids) AS wanted;

-- joined: which of some memories have an edge to one already, by similarity or as a possible conflict
SELECT e.source_id AS there FROM edges AS e
WHERE e.relation = 'related_to' AND e.target_id = :id AND e.source_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT e.target_id FROM edges AS e
WHERE e.relation = 'related_to' AND e.source_id = :id AND e.target_id IN (SELECT value FROM json_each(:ids));
