-- state: the last node, and FTS5's counts of rows and tokens
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'nodes'), 0), (SELECT block FROM {fts}_data WHERE id = 1);

-- places: the nodes that contain a term, ascending, each as often as it does
SELECT group_concat(doc) FROM {fts}_places WHERE term = :term;

-- sizes: every node in full text, with the number of terms in each of its columns
SELECT group_concat(id), group_concat(hex(sz), '') FROM {fts}_docsize;

-- said_since: the terms of nodes after one
SELECT id, coalesce(terms, '') || ' ' || coalesce(who, ''), user_id, visibility = 'global'
FROM nodes WHERE id > :after AND id <= :last AND {kind} ORDER BY id;

-- of_others: whether another user has stored anything
SELECT EXISTS (SELECT 1 FROM nodes WHERE user_id < :user_id) OR EXISTS (SELECT 1 FROM nodes WHERE user_id > :user_id);

-- owners: the nodes of each user, and whether they are global
SELECT user_id, visibility = 'global', group_concat(id) FROM nodes GROUP BY 1, 2;
