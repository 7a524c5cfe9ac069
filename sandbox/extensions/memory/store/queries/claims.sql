-- put: one claim of a version
INSERT INTO claims (node_id, user_id, subject, named, predicate, value, folded, affirmed, modality, time)
VALUES (:node_id, :user_id, :subject, :named, :predicate, :value, :folded, :affirmed, :modality, :time);

-- of_nodes: what some versions claim, in the order it was said
SELECT c.node_id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.time
FROM claims AS c WHERE c.node_id IN (SELECT value FROM json_each(:nodes)) ORDER BY c.id;

-- with_predicates: the memories that claim something with one of some predicates, of what may be seen, the latest first
SELECT n.id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.time
FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND c.predicate IN (SELECT value FROM json_each(:predicates)) AND {condition}
ORDER BY n.valid_from DESC, n.id DESC LIMIT :limit;

-- about: believed memories of one home with a claim of one predicate about one subject, the latest first
SELECT n.id, c.named, c.predicate, c.value, c.affirmed, c.modality, c.time
FROM claims AS c INDEXED BY claims_about CROSS JOIN nodes AS n ON n.id = c.node_id
WHERE c.user_id = :user_id AND c.predicate = :predicate AND c.subject = :subject
  AND n.retired_seq IS NULL AND (n.fades_at IS NULL OR n.fades_at > :now)
  AND n.visibility = :visibility AND n.project_id IS :project_id
  AND (n.visibility <> 'session' OR n.session_id IS :session_id)
ORDER BY n.id DESC;
