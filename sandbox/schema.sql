-- What the kernel keeps: the journal of events, open turns, sessions, checkpoints, runs of tasks. Times in milliseconds.

CREATE TABLE events (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    topic    TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    user     TEXT    NOT NULL DEFAULT '',  -- whose key it is, where it is somebody's
    at       INTEGER NOT NULL,
    session  TEXT,                     -- whose text the payload may hold, for erasure
    payload  TEXT,                     -- JSON; NULL once every handler is done
    UNIQUE (topic, user, key)
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

CREATE TABLE sessions (                -- until they are complete
    id          TEXT PRIMARY KEY,
    user        TEXT    NOT NULL,
    channel     TEXT    NOT NULL,
    owner       TEXT    NOT NULL,      -- the kernel whose conversation it is, while that is alive
    last_at     INTEGER NOT NULL,      -- of its last message
    is_over     INTEGER NOT NULL DEFAULT 0  -- complete once its last turn is
);
CREATE INDEX sessions_of ON sessions (user, channel);

CREATE TABLE turns (                   -- until their reply was given
    session   TEXT    NOT NULL,
    id        TEXT    NOT NULL,        -- the key of the user's message
    user      TEXT    NOT NULL,
    channel   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    owner     TEXT    NOT NULL,        -- the kernel that works on it
    attempts  INTEGER NOT NULL DEFAULT 1,
    turn      TEXT    NOT NULL,        -- JSON, as it was taken
    reply     TEXT,                    -- JSON, of a turn that ended while nobody listened
    PRIMARY KEY (session, id)
);

CREATE TABLE checkpoints (             -- one a session, until the session is complete
    session  TEXT PRIMARY KEY,
    data     TEXT NOT NULL             -- JSON: graph, context, conversation, agents
);

CREATE TABLE runs (                    -- one row a task: when it was run last and what became of it
    task     TEXT PRIMARY KEY,         -- extension/task
    at       INTEGER NOT NULL,         -- when it was taken on last; before that, when it was first seen
    owner    TEXT,                     -- the kernel that took it on
    outcome  TEXT,                     -- ok | failed; NULL while it runs
    said     TEXT                      -- the task's own line, or the kind of the error
);
