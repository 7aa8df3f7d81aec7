-- What a search can find: active objects, the root excepted. entry is account_id * 2^40 and a number that grows with
-- every arrival of content, so that one account is one range of it, and newest first is its order backwards.
-- The terms themselves (search_terms.py) are in a full-text index in SQLite, and in a column with a GIN index in
-- PostgreSQL.
CREATE TABLE search_entries (
  entry {int} PRIMARY KEY,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL{search_terms},
  UNIQUE (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
{search_index};

-- Changes are forgotten when they are old.
CREATE INDEX changes_age ON changes (at);
