-- possible: pairs of memories that are wanted, of which perhaps one holds only, the latest first
SELECT e.source_id, e.target_id FROM edges AS e CROSS JOIN nodes AS n ON n.id = e.source_id
WHERE e.relation = 'related_to' AND e.predicate = :conflict AND {wanted}
  AND e.target_id IN (SELECT n.id FROM nodes AS n WHERE n.id = e.target_id AND {wanted})
ORDER BY e.id DESC LIMIT :limit;
