-- What each version of a memory claims. A subject is a folded name, '' the user; a value is kept as it was said and, folded,
-- as it is compared. The two are entities where they are somebody or something with a name.
CREATE TABLE claims (
    id         INTEGER PRIMARY KEY,
    node_id    INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    user_id    TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    subject_id INTEGER REFERENCES entities (id) ON DELETE SET NULL,
    predicate  TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    folded     TEXT    NOT NULL,
    value_id   INTEGER REFERENCES entities (id) ON DELETE SET NULL,
    affirmed   INTEGER NOT NULL DEFAULT 1,
    modality   TEXT    NOT NULL DEFAULT 'fact', -- fact | wish | plan | habit | opinion | past
    time       TEXT,                            -- ISO 8601, as precise as was told
    named      TEXT    NOT NULL DEFAULT ''      -- the subject as it was said
);
CREATE INDEX claims_node ON claims (node_id);
CREATE INDEX claims_about ON claims (user_id, predicate, subject);
CREATE INDEX claims_subject ON claims (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX claims_value ON claims (value_id) WHERE value_id IS NOT NULL;
