-- From version 1 of the schema to 2: what a task says of its run is kept, and replies that nobody heard with their problem.

ALTER TABLE runs RENAME COLUMN due_at TO at;
ALTER TABLE runs RENAME COLUMN problem TO said;
UPDATE turns SET reply = json_object('text', reply, 'problem', NULL) WHERE reply IS NOT NULL;
