-- What fills a field of a user's profile: it is there while its memory is, and a memory fills one field.
CREATE TABLE profile_values (
    node_id INTEGER PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
    user_id TEXT    NOT NULL,
    field   TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    is_told INTEGER NOT NULL                                           -- 0: it stands for the field until that is told
);
CREATE INDEX profile_values_field ON profile_values (user_id, field);
