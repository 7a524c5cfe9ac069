-- following: turns that follow each other, from an edge on, and what was said
SELECT e.id AS edge, a.user_id, a.id AS first_id, b.id AS second_id, a.public_id AS first_public_id,
    b.public_id AS second_public_id, a.content AS first, b.content AS second, a.asks OR b.asks AS asks,
    (a.retired_seq IS NULL AND b.retired_seq IS NULL AND a.quarantined = 0 AND b.quarantined = 0
     AND a.role IN ('user', 'assistant') AND b.role IN ('user', 'assistant')) AS stand
FROM edges AS e JOIN nodes AS a ON a.id = e.source_id JOIN nodes AS b ON b.id = e.target_id
WHERE e.relation = 'temporal' AND e.id > :after
ORDER BY e.id LIMIT :limit;

-- cause: one turn brought about another
INSERT OR IGNORE INTO edges (source_id, target_id, relation, confidence, valid_from, evidence, created_at)
SELECT :cause, :effect, 'causal', :confidence, :now, :evidence, :now
WHERE EXISTS (SELECT 1 FROM believed WHERE id = :cause) AND EXISTS (SELECT 1 FROM believed WHERE id = :effect);
