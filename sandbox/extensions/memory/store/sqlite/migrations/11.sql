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
