-- What somebody chose for a ZIP archive: the keys of the objects, 16 bytes each. Kept for a day, so an interrupted
-- download can be resumed.
CREATE TABLE archives (
  archive_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  name {text} NOT NULL,
  object_keys {bytes} NOT NULL,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX archives_of_account ON archives (account_id, expires_at);
CREATE INDEX archives_expiry ON archives (expires_at);
