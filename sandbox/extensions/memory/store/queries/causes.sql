-- following: turns that follow each other, from an edge on, and what was said: what a person said and said before it,
-- across an assistant's reply and across what somebody else asked
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
WHERE e.relation = 'temporal' AND e.id > :after
ORDER BY e.id LIMIT :limit;

-- cause: one turn brought about another
INSERT OR IGNORE INTO edges (source_id, target_id, relation, confidence, valid_from, evidence, created_at)
SELECT :cause, :effect, 'causal', :confidence, :now, :evidence, :now
WHERE EXISTS (SELECT 1 FROM believed WHERE id = :cause) AND EXISTS (SELECT 1 FROM believed WHERE id = :effect);
