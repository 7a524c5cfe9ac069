-- Through which interface a change came: library, cli, mcp, rest, hook, chat, night.
ALTER TABLE changes ADD COLUMN interface TEXT;

-- How a version of a memory stood until a line of the log: looking back and undoing read it.
CREATE TABLE past_states (
    id           INTEGER PRIMARY KEY,
    node_id      INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,                                     -- the line that ended it
    retired_at   INTEGER,
    retired_seq  INTEGER,
    retired_by   TEXT,
    merged_into  INTEGER,
    valid_until  INTEGER,
    closed_seq   INTEGER,
    confidence   REAL    NOT NULL,
    anchored_at  INTEGER NOT NULL,
    decay_rate   REAL    NOT NULL,
    fades_at     INTEGER,
    importance   INTEGER NOT NULL,
    pinned       INTEGER NOT NULL,
    trust        TEXT    NOT NULL,
    quarantined  INTEGER NOT NULL,
    source       TEXT    NOT NULL
);
CREATE INDEX past_states_node ON past_states (node_id, seq);
CREATE TRIGGER nodes_state BEFORE UPDATE OF retired_seq, retired_by, valid_until, decay_rate, importance, pinned, trust,
    quarantined, source ON nodes
WHEN old.retired_seq IS NOT new.retired_seq OR old.retired_by IS NOT new.retired_by
    OR old.valid_until IS NOT new.valid_until OR old.decay_rate <> new.decay_rate OR old.importance <> new.importance
    OR old.pinned <> new.pinned OR old.trust <> new.trust OR old.quarantined <> new.quarantined OR old.source <> new.source BEGIN
    INSERT INTO past_states (node_id, seq, retired_at, retired_seq, retired_by, merged_into, valid_until, closed_seq,
        confidence, anchored_at, decay_rate, fades_at, importance, pinned, trust, quarantined, source)
    SELECT old.id, coalesce(max(seq), 0), old.retired_at, old.retired_seq, old.retired_by, old.merged_into, old.valid_until,
        old.closed_seq, old.confidence, old.anchored_at, old.decay_rate, old.fades_at, old.importance, old.pinned,
        old.trust, old.quarantined, old.source
    FROM changes;
END;
