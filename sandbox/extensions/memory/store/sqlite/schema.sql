-- The graph. Times are UTC milliseconds; order is a sequence, never a clock.
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
-- The caller's own id is of a project, and of a session where only that sees it. (x'' stands for none, which no name is.)
CREATE UNIQUE INDEX nodes_key ON nodes (user_id, source, key, coalesce(project_id, x''),
    iif(visibility = 'session', session_id, x'')) WHERE key IS NOT NULL AND version = 1;
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
CREATE INDEX entities_merged ON entities (merged_into) WHERE merged_into IS NOT NULL;

-- Canonical names and aliases, folded. Two people may share a name, so a name is not unique. A name goes with the node that
-- said it, unless another that stays says it.
CREATE TABLE entity_names (
    user_id   TEXT    NOT NULL,
    folded    TEXT    NOT NULL,
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    name      TEXT    NOT NULL,
    stemmed   TEXT    NOT NULL,                    -- how it is found in a sentence, where it may be inflected
    node_id   INTEGER,                             -- said it
    PRIMARY KEY (user_id, folded, entity_id)
) WITHOUT ROWID;
CREATE INDEX entity_names_stemmed ON entity_names (user_id, stemmed);
CREATE INDEX entity_names_entity ON entity_names (entity_id);
-- The last word of a name, a surname mostly.
CREATE INDEX entity_names_last ON entity_names (user_id, replace(folded, rtrim(folded, replace(folded, ' ', '')), ''));

CREATE TABLE node_entities (
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    node_id   INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL,                    -- mentions | speaker | belongs_to | relevant_to | derived_from
    PRIMARY KEY (entity_id, role, node_id)
) WITHOUT ROWID;
CREATE INDEX node_entities_node ON node_entities (node_id, role);

-- A conversation that is said in several homes is a session in each: what it teaches is seen where it was said. The same
-- name in two projects is two sessions, too.
CREATE TABLE sessions (
    id                    INTEGER PRIMARY KEY,
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
    consolidated_node_id  INTEGER,                                     -- watermark: the last episode that was read
    consolidated_by       TEXT,                                        -- model id, or rules
    attempts              INTEGER NOT NULL DEFAULT 0,                  -- failed readings since the last success
    retry_at              INTEGER,                                     -- not before
    problem               TEXT,                                        -- the kind of failure, never text
    told_seq              INTEGER,                                     -- the last line of `changes` that a block told of
    revision              INTEGER NOT NULL DEFAULT 0                   -- how often a block told of changes
);
CREATE UNIQUE INDEX sessions_home ON sessions (user_id, session_id, visibility, coalesce(project_id, x''));
CREATE INDEX sessions_last_node ON sessions (last_node_id);
CREATE INDEX sessions_pending ON sessions (user_id, session_id) WHERE last_node_id > coalesce(consolidated_node_id, 0);

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
    made_by    TEXT    NOT NULL DEFAULT 'rules',   -- the model's id, or rules
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
    detail     TEXT    NOT NULL DEFAULT '{}',
    interface  TEXT                                -- library | cli | mcp | rest | hook | chat | night
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
    split_at   INTEGER,                                                -- NULL: stands; else these two are two
    node_id    INTEGER                                                 -- said it, and it goes with that node
);
CREATE INDEX entity_merges_entity ON entity_merges (entity_id);
CREATE INDEX entity_merges_into ON entity_merges (into_id);

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

-- What fills a field of a user's profile: it is there while its memory is, and a memory fills as many fields as it tells.
CREATE TABLE profile_values (
    node_id INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    user_id TEXT    NOT NULL,
    field   TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    is_told INTEGER NOT NULL,                                          -- 0: it stands for the field until that is told
    PRIMARY KEY (node_id, field)
) WITHOUT ROWID;
CREATE INDEX profile_values_field ON profile_values (user_id, field);

-- What is known of an entity: the links of knowledge alone, so that finding them does not mean reading those of every turn.
CREATE TABLE entity_knowledge (
    entity_id INTEGER NOT NULL,
    role      TEXT    NOT NULL,
    node_id   INTEGER NOT NULL,
    PRIMARY KEY (entity_id, role, node_id)
) WITHOUT ROWID;
CREATE TRIGGER entity_knowledge_insert AFTER INSERT ON node_entities WHEN new.role <> 'speaker' BEGIN -- which only turns have
    INSERT INTO entity_knowledge (entity_id, role, node_id)
    SELECT new.entity_id, new.role, n.id FROM nodes AS n WHERE n.id = new.node_id AND n.type <> 'episodic';
END;
CREATE TRIGGER entity_knowledge_delete AFTER DELETE ON node_entities BEGIN
    DELETE FROM entity_knowledge WHERE entity_id = old.entity_id AND role = old.role AND node_id = old.node_id;
END;

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

-- What programs keep beside the memory, exactly as they gave it: files of an agent, items of a session, values of a store.
CREATE TABLE documents (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT    NOT NULL,
    project_id TEXT    NOT NULL,               -- empty: of none
    place      TEXT    NOT NULL,               -- JSON array of text: the folders it is in
    key        TEXT    NOT NULL,
    value      TEXT    NOT NULL,               -- JSON
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    lasts      INTEGER,                        -- milliseconds after it was last read or written; NULL: for good
    expires_at INTEGER,
    UNIQUE (user_id, project_id, place, key)
);
CREATE INDEX documents_expiring ON documents (expires_at) WHERE expires_at IS NOT NULL;

-- The vectors of the texts that a document is found by: unit length, float32, little-endian.
CREATE TABLE document_vectors (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    model       TEXT    NOT NULL,
    vector      BLOB    NOT NULL
);
CREATE INDEX document_vectors_document ON document_vectors (document_id);

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

-- Files to which memories were exported: erased text may stand there. `user_id` NULL: the file holds everything, of every user.
CREATE TABLE exports (
    path    TEXT    PRIMARY KEY,
    user_id TEXT,
    seq     INTEGER NOT NULL,                      -- the last line of `changes` before it
    lines   INTEGER NOT NULL,
    bytes   INTEGER NOT NULL
) WITHOUT ROWID;

-- The latest nights: how each step ended, and the part of the log of changes in which their changes are.
CREATE TABLE nights (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       INTEGER NOT NULL,
    seconds  REAL    NOT NULL,
    steps    TEXT    NOT NULL,
    batch    TEXT    NOT NULL,
    since    INTEGER NOT NULL,                     -- the last line of `changes` before it
    until    INTEGER NOT NULL                      -- its own last line, or a later one
);
