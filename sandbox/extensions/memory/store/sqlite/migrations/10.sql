-- Files to which memories were exported: erased text may stand there. `user_id` NULL: the file holds everything, of every user.
CREATE TABLE exports (
    path    TEXT    PRIMARY KEY,
    user_id TEXT,
    seq     INTEGER NOT NULL,                      -- the last line of `changes` before it
    lines   INTEGER NOT NULL,
    bytes   INTEGER NOT NULL
) WITHOUT ROWID;
