-- The graph, version 1. Times are UTC milliseconds; order is a sequence, never a clock.
-- Vocabularies that will grow (type, category, relation, role, event) are checked in code, not by CHECK.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL);

-- A row is one version of one memory. (user_id, public_id) names the lineage, the highest version is its head.
-- What filters and weighs comes first and the texts last: SQLite reads a row only as far as it must.
CREATE TABLE nodes (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    type           TEXT    NOT NULL,               -- episodic | semantic | procedural | opinion
    user_id        TEXT    NOT NULL,
    visibility     TEXT    NOT NULL DEFAULT 'user', -- user | project | global | session
    project_id     TEXT,
    session_id     TEXT,
    retired_seq    INTEGER,
    valid_until    INTEGER,                        -- world time: when it ceased to be true
    closed_seq     INTEGER,                        -- memory time: when valid_until was learnt
    fades_at       INTEGER,                        -- when confidence reaches the threshold; NULL: never
    quarantined    INTEGER NOT NULL DEFAULT 0,
    event_time     INTEGER NOT NULL,               -- world time: when it happened
    asks           INTEGER NOT NULL DEFAULT 0,     -- 1: the content is a question
    term_count     INTEGER NOT NULL DEFAULT 0,
    who            TEXT    NOT NULL DEFAULT '',    -- analysed speaker or subject
    fingerprint    BLOB,                           -- of knowledge: equal means the same statement

    public_id      TEXT    NOT NULL,
    version        INTEGER NOT NULL DEFAULT 1,
    category       TEXT,
    subject        TEXT,
    agent_id       TEXT,
    actor_id       TEXT,
    valid_from     INTEGER NOT NULL,               -- world time: when it began to be true
    created_at     INTEGER NOT NULL,               -- memory time, for people
    created_seq    INTEGER NOT NULL,               -- memory time, for order: changes.seq
    updated_at     INTEGER NOT NULL,
    retired_at     INTEGER,
    retired_by     TEXT,                           -- corrected | forgotten | decayed | expired | pruned | merged | erased
    merged_into    INTEGER REFERENCES nodes (id) ON DELETE SET NULL,
    purge_at       INTEGER,

    confidence     REAL    NOT NULL DEFAULT 1.0,   -- as of anchored_at; what it is now is computed where it is read
    anchored_at    INTEGER NOT NULL,
    decay_rate     REAL    NOT NULL DEFAULT 0.0,
    access_count   INTEGER NOT NULL DEFAULT 0,
    last_accessed  INTEGER,
    importance     INTEGER NOT NULL DEFAULT 3,     -- 1 to 5
    pinned         INTEGER NOT NULL DEFAULT 0,

    trust          TEXT    NOT NULL,               -- confirmed | user | assistant | tool | web
    source         TEXT    NOT NULL,               -- how it came: conversation | explicit | inferred | the importer's name
    role           TEXT,                           -- user | assistant | system | tool
    speaker        TEXT,
    key            TEXT,                           -- the caller's own id
    tags           TEXT    NOT NULL DEFAULT '[]',  -- JSON array of text
    attributes     TEXT    NOT NULL DEFAULT '{}',
    content        TEXT    NOT NULL,
    terms          TEXT    NOT NULL                -- analysed content, what full text search indexes
);
CREATE UNIQUE INDEX nodes_lineage ON nodes (user_id, public_id, version);
CREATE UNIQUE INDEX nodes_key ON nodes (user_id, source, key) WHERE key IS NOT NULL AND version = 1;
CREATE INDEX nodes_session ON nodes (user_id, session_id, id) WHERE session_id IS NOT NULL;
CREATE INDEX nodes_time ON nodes (event_time, id);
CREATE INDEX nodes_facts ON nodes (user_id, type, event_time) WHERE type <> 'episodic';
CREATE INDEX nodes_fingerprint ON nodes (user_id, fingerprint) WHERE type <> 'episodic';
CREATE INDEX nodes_always ON nodes (user_id) WHERE pinned = 1 OR category = 'instruction';
CREATE INDEX nodes_fading ON nodes (fades_at) WHERE fades_at IS NOT NULL AND retired_seq IS NULL;
CREATE INDEX nodes_merged ON nodes (merged_into) WHERE merged_into IS NOT NULL;

-- What the memory believes: every other condition (scope, valid now, faded) is relative to who asks and when.
CREATE VIEW believed AS SELECT * FROM nodes WHERE retired_seq IS NULL;

CREATE TABLE edges (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    target_id   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    relation    TEXT    NOT NULL,   -- temporal | causal | derived_from | supersedes | related_to | entity
    predicate   TEXT    NOT NULL DEFAULT '',
    strength    REAL    NOT NULL DEFAULT 1.0,
    confidence  REAL    NOT NULL DEFAULT 1.0,
    valid_from  INTEGER NOT NULL,
    valid_until INTEGER,
    evidence    TEXT    NOT NULL DEFAULT '[]',
    created_at  INTEGER NOT NULL
);
CREATE UNIQUE INDEX edges_forward ON edges (source_id, relation, target_id, predicate);
CREATE INDEX edges_backward ON edges (target_id, relation, source_id);

CREATE TABLE entities (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id     TEXT    NOT NULL,
    user_id       TEXT    NOT NULL,
    project_id    TEXT,
    agent_id      TEXT,
    actor_id      TEXT,
    session_id    TEXT,
    visibility    TEXT    NOT NULL DEFAULT 'user',
    name          TEXT    NOT NULL,
    type          TEXT    NOT NULL,               -- person | project | organization | place | concept | tool | context
    summary       TEXT,
    priority      REAL    NOT NULL DEFAULT 0.0,   -- of a named context
    first_seen    INTEGER NOT NULL,
    last_seen     INTEGER NOT NULL,
    mention_count INTEGER NOT NULL DEFAULT 0,
    merged_into   INTEGER REFERENCES entities (id) ON DELETE SET NULL,
    attributes    TEXT    NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX entities_public ON entities (user_id, public_id);

-- Canonical names and aliases, folded. Two people may share a name, so a name is not unique.
CREATE TABLE entity_names (
    user_id   TEXT    NOT NULL,
    folded    TEXT    NOT NULL,
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    name      TEXT    NOT NULL,
    stemmed   TEXT    NOT NULL,                    -- how it is found in a sentence, where it may be inflected
    PRIMARY KEY (user_id, folded, entity_id)
) WITHOUT ROWID;
CREATE INDEX entity_names_stemmed ON entity_names (user_id, stemmed);
CREATE INDEX entity_names_entity ON entity_names (entity_id);

CREATE TABLE node_entities (
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    node_id   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL,                    -- mentions | speaker | belongs_to | relevant_to | derived_from
    PRIMARY KEY (entity_id, role, node_id)
) WITHOUT ROWID;
CREATE INDEX node_entities_node ON node_entities (node_id, role);

CREATE TABLE sessions (
    user_id               TEXT    NOT NULL,
    session_id            TEXT    NOT NULL,
    project_id            TEXT,
    agent_id              TEXT,
    actor_id              TEXT,
    visibility            TEXT    NOT NULL DEFAULT 'user',
    first_seen_at         INTEGER NOT NULL,
    last_seen_at          INTEGER NOT NULL,
    last_node_id          INTEGER REFERENCES nodes (id) ON DELETE SET NULL,
    episode_count         INTEGER NOT NULL DEFAULT 0,
    ended_at              INTEGER,
    consolidated_at       INTEGER,
    consolidated_node_id  INTEGER,                 -- watermark: the last episode that was read
    consolidated_by       TEXT,                    -- model id, or rules
    PRIMARY KEY (user_id, session_id)
) WITHOUT ROWID;
CREATE INDEX sessions_last_node ON sessions (last_node_id);

CREATE TABLE summaries (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    kind       TEXT    NOT NULL,                   -- session | entity | ...
    about      TEXT    NOT NULL,
    version    INTEGER NOT NULL DEFAULT 1,
    user_id    TEXT    NOT NULL,
    project_id TEXT,
    agent_id   TEXT,
    actor_id   TEXT,
    session_id TEXT,
    visibility TEXT    NOT NULL DEFAULT 'user',
    content    TEXT    NOT NULL,
    rests_on   TEXT    NOT NULL DEFAULT '[]',      -- JSON array of node ids
    created_at INTEGER NOT NULL,
    retired_at INTEGER,
    UNIQUE (user_id, kind, about, version)
);

-- The append-only log: ids and field differences, never text.
CREATE TABLE changes (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    event      TEXT    NOT NULL,
    node_id    INTEGER,
    user_id    TEXT    NOT NULL,
    actor      TEXT,
    session_id TEXT,
    batch      TEXT,
    detail     TEXT    NOT NULL DEFAULT '{}'
);
CREATE INDEX changes_node ON changes (node_id, seq);

-- Bounded counters and errors of what was done without changing a memory.
CREATE TABLE operations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    user_id    TEXT    NOT NULL,
    session_id TEXT,
    stage      TEXT    NOT NULL,                   -- ingest | search | context | embed | night
    operation  TEXT    NOT NULL,
    status     TEXT    NOT NULL,                   -- ok | skipped | error
    detail     TEXT    NOT NULL DEFAULT '{}'
);

-- What automatic context showed: counts once a session.
CREATE TABLE recalls (
    user_id    TEXT    NOT NULL,
    session_id TEXT    NOT NULL,
    node_id    INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    at         INTEGER NOT NULL,
    PRIMARY KEY (user_id, session_id, node_id)
) WITHOUT ROWID;
CREATE INDEX recalls_node ON recalls (node_id);

-- Keys of what was erased, hashed: importing again does not resurrect.
CREATE TABLE erased_keys (
    user_id  TEXT    NOT NULL,
    source   TEXT    NOT NULL,
    key_hash BLOB    NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (user_id, source, key_hash)
) WITHOUT ROWID;

CREATE TABLE embedding_models (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
);

-- What never changes about the node of a vector, so that an index can leave out what may not be seen.
CREATE TABLE vector_groups (
    id         INTEGER PRIMARY KEY,
    user_id    TEXT NOT NULL,
    visibility TEXT NOT NULL,
    type       TEXT NOT NULL,
    UNIQUE (user_id, visibility, type)
);

-- The truth about vectors: unit length, float32, little-endian. Every index over them is derived.
CREATE TABLE vectors (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id  INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    group_id INTEGER NOT NULL REFERENCES vector_groups (id),
    vector   BLOB    NOT NULL
);
CREATE UNIQUE INDEX vectors_node ON vectors (node_id, model_id);

-- What still has to be embedded; a restart continues here.
CREATE TABLE embedding_backlog (
    node_id    INTEGER PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
    attempts   INTEGER NOT NULL DEFAULT 0
);

CREATE VIRTUAL TABLE nodes_fts USING fts5 (
    terms, who, content = 'nodes', content_rowid = 'id', tokenize = 'ascii'
);

-- Knowledge alone, so that looking for the few facts does not mean ranking every turn first.
CREATE VIRTUAL TABLE knowledge_fts USING fts5 (
    terms, who, content = 'nodes', content_rowid = 'id', tokenize = 'ascii'
);

-- In how many nodes a term stands; stores nothing of its own.
CREATE VIRTUAL TABLE nodes_terms USING fts5vocab (nodes_fts, row);

CREATE TRIGGER nodes_fts_insert AFTER INSERT ON nodes BEGIN
    INSERT INTO nodes_fts (rowid, terms, who) VALUES (new.id, new.terms, new.who);
END;
CREATE TRIGGER nodes_fts_delete AFTER DELETE ON nodes BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, terms, who) VALUES ('delete', old.id, old.terms, old.who);
END;
CREATE TRIGGER nodes_fts_update AFTER UPDATE OF terms, who ON nodes BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, terms, who) VALUES ('delete', old.id, old.terms, old.who);
    INSERT INTO nodes_fts (rowid, terms, who) VALUES (new.id, new.terms, new.who);
END;
CREATE TRIGGER knowledge_fts_insert AFTER INSERT ON nodes WHEN new.type <> 'episodic' BEGIN
    INSERT INTO knowledge_fts (rowid, terms, who) VALUES (new.id, new.terms, new.who);
END;
CREATE TRIGGER knowledge_fts_delete AFTER DELETE ON nodes WHEN old.type <> 'episodic' BEGIN
    INSERT INTO knowledge_fts (knowledge_fts, rowid, terms, who) VALUES ('delete', old.id, old.terms, old.who);
END;
CREATE TRIGGER knowledge_fts_update AFTER UPDATE OF terms, who ON nodes WHEN old.type <> 'episodic' BEGIN
    INSERT INTO knowledge_fts (knowledge_fts, rowid, terms, who) VALUES ('delete', old.id, old.terms, old.who);
    INSERT INTO knowledge_fts (rowid, terms, who) VALUES (new.id, new.terms, new.who);
END;
