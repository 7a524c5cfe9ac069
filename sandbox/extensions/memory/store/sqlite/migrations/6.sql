-- What the user told on purpose does not fade (adr/0044), but for what was told before its day.
UPDATE nodes SET decay_rate = 0, fades_at = NULL
WHERE type <> 'episodic' AND source IN ('explicit', 'corrected') AND trust IN ('user', 'confirmed') AND decay_rate > 0
  AND retired_seq IS NULL AND NOT (category = 'event' AND event_time > created_at);

-- Whoever became part of somebody is found from there.
CREATE INDEX entities_merged ON entities (merged_into) WHERE merged_into IS NOT NULL;

-- A memory fills as many fields of a user's profile as it tells.
ALTER TABLE profile_values RENAME TO profile_value;
DROP INDEX profile_values_field;
CREATE TABLE profile_values (
    node_id INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    user_id TEXT    NOT NULL,
    field   TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    is_told INTEGER NOT NULL,                                          -- 0: it stands for the field until that is told
    PRIMARY KEY (node_id, field)
) WITHOUT ROWID;
INSERT INTO profile_values SELECT node_id, user_id, field, value, is_told FROM profile_value;
DROP TABLE profile_value;
CREATE INDEX profile_values_field ON profile_values (user_id, field);
