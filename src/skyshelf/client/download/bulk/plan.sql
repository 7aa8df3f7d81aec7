CREATE TABLE folder (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, path TEXT NOT NULL, origin TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX folder_waiting ON folder (id) WHERE waiting;
CREATE TABLE child (
    folder INTEGER NOT NULL, comparable TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    is_folder INTEGER NOT NULL, wanted INTEGER NOT NULL, size INTEGER, md5 TEXT, modified INTEGER,
    PRIMARY KEY (folder, comparable, key)
) WITHOUT ROWID;
CREATE UNIQUE INDEX child_once ON child (folder, key);
