CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE objects (
  generation TEXT NOT NULL,
  key TEXT NOT NULL,
  parent TEXT NOT NULL,
  is_folder INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  name_order BLOB NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  created INTEGER NOT NULL,
  shown BLOB NOT NULL,
  PRIMARY KEY (generation, key)
) WITHOUT ROWID;
CREATE INDEX objects_in_folder ON objects (generation, parent, is_folder, name_order, key) WHERE is_active = 1;
