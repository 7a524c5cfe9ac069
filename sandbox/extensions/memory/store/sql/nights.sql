-- note: a night that has ended
INSERT INTO nights (at, seconds, steps, batch, since, until)
SELECT :at, :seconds, :steps, :batch, :since, coalesce(max(seq), 0) FROM changes;

-- bound: keep the latest
DELETE FROM nights WHERE id <= (SELECT id FROM nights ORDER BY id DESC LIMIT 1 OFFSET :keep);

-- latest: the latest nights, the latest first
SELECT at, seconds, steps, batch, since, until FROM nights ORDER BY id DESC LIMIT :limit;
