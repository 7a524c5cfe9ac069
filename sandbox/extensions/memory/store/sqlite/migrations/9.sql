-- What a conversation was told of that others changed: up to which line of the log, and how often.
ALTER TABLE sessions ADD COLUMN told_seq INTEGER;
ALTER TABLE sessions ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
