-- What the kernel keeps: the journal of events, open turns, sessions, checkpoints, runs of tasks. Times in milliseconds.

CREATE TABLE events (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    topic    TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    session  TEXT,                     -- whose text the payload may hold, for erasure
    payload  TEXT,                     -- JSON; NULL once every handler is done
    UNIQUE (topic, key)
);
CREATE INDEX events_session ON events (session) WHERE payload IS NOT NULL;

CREATE TABLE deliveries (              -- what is still to be done; a row goes when its handler is done
    event     INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
    handler   TEXT    NOT NULL,        -- the extension's id
    owner     TEXT    NOT NULL,        -- the process that delivers it
    attempts  INTEGER NOT NULL DEFAULT 0,
    parked_at INTEGER,                 -- given up after so many attempts
    problem   TEXT,                    -- kind of the last error, never its text
    PRIMARY KEY (event, handler)
) WITHOUT ROWID;
CREATE INDEX deliveries_by_handler ON deliveries (handler, event) WHERE parked_at IS NULL;

CREATE TABLE sessions (
    id          TEXT PRIMARY KEY,
    user        TEXT    NOT NULL,
    channel     TEXT    NOT NULL,
    owner       TEXT    NOT NULL,      -- the kernel whose conversation it is, while that is alive
    started_at  INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,      -- of its last message
    ended_at    INTEGER
);
CREATE INDEX sessions_open ON sessions (user, channel) WHERE ended_at IS NULL;

CREATE TABLE turns (
    id        TEXT PRIMARY KEY,        -- the key of the user's message
    session   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    owner     TEXT    NOT NULL,        -- the process that works on it
    trust     TEXT    NOT NULL,        -- of the message
    attempts  INTEGER NOT NULL DEFAULT 1,
    state     TEXT    NOT NULL,        -- running | done | failed | missed (finished while nobody listened)
    problem   TEXT
);
CREATE INDEX turns_unfinished ON turns (state) WHERE state <> 'done';
CREATE INDEX turns_session ON turns (session);

CREATE TABLE checkpoints (             -- one a session, until the session is over
    session    TEXT PRIMARY KEY,
    data       TEXT    NOT NULL,       -- JSON: graph, context, conversation, agents
    updated_at INTEGER NOT NULL
);

CREATE TABLE runs (                    -- one row a task: when it was last due and what became of it
    task        TEXT PRIMARY KEY,      -- extension/task
    due_at      INTEGER NOT NULL,      -- the last time that was taken on; at first, when the task was first seen
    started_at  INTEGER,
    ended_at    INTEGER,
    owner       TEXT,
    outcome     TEXT,                  -- ok | failed; NULL while it runs
    problem     TEXT                   -- kind of the error, never its text
);
