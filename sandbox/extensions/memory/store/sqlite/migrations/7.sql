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
