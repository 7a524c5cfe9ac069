-- Learning: why a session waits, what was spent, what was compared, which entity was made part of which.

ALTER TABLE sessions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;   -- failed readings since the last success
ALTER TABLE sessions ADD COLUMN retry_at INTEGER;                      -- not before
ALTER TABLE sessions ADD COLUMN problem TEXT;                          -- the kind of failure, never text
CREATE INDEX sessions_pending ON sessions (user_id, session_id) WHERE last_node_id > coalesce(consolidated_node_id, 0);

-- What models were asked, a row for each day and step: budgets are counted from it.
CREATE TABLE spending (
    user_id           TEXT    NOT NULL,
    day               INTEGER NOT NULL,                                -- days since 1970, UTC
    step              TEXT    NOT NULL,
    model             TEXT    NOT NULL,
    calls             INTEGER NOT NULL DEFAULT 0,
    prompt_tokens     INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, day, step, model)
) WITHOUT ROWID;

-- Pairs a night has looked at, so that it does not look again before something changes or time has passed.
CREATE TABLE checked_pairs (
    user_id     TEXT    NOT NULL,
    step        TEXT    NOT NULL,                                      -- merge | causality
    first_id    INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    second_id   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    fingerprint TEXT    NOT NULL,                                      -- what was seen
    checked_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, step, first_id, second_id)
) WITHOUT ROWID;
CREATE INDEX checked_pairs_second ON checked_pairs (second_id);
CREATE INDEX checked_pairs_first ON checked_pairs (first_id);

-- What one entity brought when it was found to be another, so that both can be told apart again.
CREATE TABLE entity_merges (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id  INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    into_id    INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    names      TEXT    NOT NULL,                                       -- JSON: folded names the other gained
    links      TEXT    NOT NULL,                                       -- JSON: [node id, role] the other gained
    was        TEXT    NOT NULL,                                       -- JSON: what the other was: type, times, hash of summary
    at         INTEGER NOT NULL,
    split_at   INTEGER                                                 -- NULL: stands; else these two are two
);
CREATE INDEX entity_merges_entity ON entity_merges (entity_id);
CREATE INDEX entity_merges_into ON entity_merges (into_id);

-- The last word of a name, a surname mostly.
CREATE INDEX entity_names_last ON entity_names (user_id, replace(folded, rtrim(folded, replace(folded, ' ', '')), ''));

-- Vectors of entity summaries: what an entity is, found by meaning.
CREATE TABLE entity_vectors (
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    model_id  INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    vector    BLOB    NOT NULL,
    PRIMARY KEY (entity_id, model_id)
) WITHOUT ROWID;

-- How far a step of the night has come; of what concerns everybody, the user is ''.
CREATE TABLE night_marks (
    user_id  TEXT    NOT NULL,
    step     TEXT    NOT NULL,
    position INTEGER NOT NULL DEFAULT 0,                               -- the last id that was looked at
    at       INTEGER NOT NULL,                                         -- when it was last done with what there was
    PRIMARY KEY (user_id, step)
) WITHOUT ROWID;

ALTER TABLE summaries ADD COLUMN made_by TEXT NOT NULL DEFAULT 'rules'; -- the model's id, or rules

-- What a summary rests on, by node: kept by the triggers below, whoever writes `summaries.rests_on`.
CREATE TABLE summary_sources (
    node_id    INTEGER NOT NULL,
    summary_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    PRIMARY KEY (node_id, summary_id)
) WITHOUT ROWID;
CREATE INDEX summary_sources_summary ON summary_sources (summary_id);

CREATE TRIGGER summaries_insert AFTER INSERT ON summaries BEGIN
    INSERT OR IGNORE INTO summary_sources (node_id, summary_id) SELECT value, new.id FROM json_each(new.rests_on);
END;

-- A summary never outlives what it rests on: it goes with what is believed or true no longer, and every version of it
-- with what is erased.
CREATE TRIGGER summaries_unfounded AFTER UPDATE OF retired_seq, valid_until ON nodes
WHEN new.retired_seq IS NOT NULL OR new.valid_until IS NOT NULL BEGIN
    UPDATE summaries SET retired_at = new.updated_at
    WHERE retired_at IS NULL AND id IN (SELECT summary_id FROM summary_sources WHERE node_id = new.id);
END;
CREATE TRIGGER summaries_erased BEFORE DELETE ON nodes BEGIN
    DELETE FROM summaries WHERE id IN (SELECT summary_id FROM summary_sources WHERE node_id = old.id);
END;
CREATE TRIGGER entity_summary_retired AFTER UPDATE OF retired_at ON summaries
WHEN new.kind = 'entity' AND new.retired_at IS NOT NULL AND old.retired_at IS NULL BEGIN
    DELETE FROM entity_vectors
    WHERE entity_id = (SELECT id FROM entities WHERE user_id = old.user_id AND public_id = old.about);
    UPDATE entities SET summary = NULL WHERE user_id = old.user_id AND public_id = old.about;
END;
CREATE TRIGGER entity_summary_deleted AFTER DELETE ON summaries
WHEN old.kind = 'entity' AND old.retired_at IS NULL BEGIN
    DELETE FROM entity_vectors
    WHERE entity_id = (SELECT id FROM entities WHERE user_id = old.user_id AND public_id = old.about);
    UPDATE entities SET summary = NULL WHERE user_id = old.user_id AND public_id = old.about;
END;
