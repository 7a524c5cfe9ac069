-- What fills a field of a user's profile: it is there while its memory is, and a memory fills one field.
CREATE TABLE profile_values (
    node_id INTEGER PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
    user_id TEXT    NOT NULL,
    field   TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    is_told INTEGER NOT NULL                                           -- 0: it stands for the field until that is told
);
CREATE INDEX profile_values_field ON profile_values (user_id, field);

-- What is known of an entity: the links of knowledge alone, so that finding them does not mean reading those of every turn.
CREATE TABLE entity_knowledge (
    entity_id INTEGER NOT NULL,
    role      TEXT    NOT NULL,
    node_id   INTEGER NOT NULL,
    PRIMARY KEY (entity_id, role, node_id)
) WITHOUT ROWID;
INSERT INTO entity_knowledge (entity_id, role, node_id)
SELECT l.entity_id, l.role, l.node_id FROM nodes AS n CROSS JOIN node_entities AS l ON l.node_id = n.id
WHERE n.type <> 'episodic';
CREATE TRIGGER entity_knowledge_insert AFTER INSERT ON node_entities WHEN new.role <> 'speaker' BEGIN -- which only turns have
    INSERT INTO entity_knowledge (entity_id, role, node_id)
    SELECT new.entity_id, new.role, n.id FROM nodes AS n WHERE n.id = new.node_id AND n.type <> 'episodic';
END;
CREATE TRIGGER entity_knowledge_delete AFTER DELETE ON node_entities BEGIN
    DELETE FROM entity_knowledge WHERE entity_id = old.entity_id AND role = old.role AND node_id = old.node_id;
END;
