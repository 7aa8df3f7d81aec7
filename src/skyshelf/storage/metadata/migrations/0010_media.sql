-- Thumbnails by account and content: one that another account has must not make an answer faster. An empty location says
-- that none can be made of the content, whatever the size (0) and form (''), until retry_at (0: never), and by which
-- renderer. idle_since is when the account deleted a version with that content, or 0. The bytes of earlier thumbnails
-- are swept with other orphans.
DROP TABLE thumbnails;
CREATE TABLE thumbnails (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  content {bytes} NOT NULL REFERENCES blobs (content),
  size {int} NOT NULL,
  form {text} NOT NULL,
  location {text} NOT NULL,
  bytes {int} NOT NULL,
  renderer {int} NOT NULL,
  retry_at {int} NOT NULL,
  created_at {int} NOT NULL,
  idle_since {int} NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, content, size, form)
){strict};
CREATE INDEX thumbnails_location ON thumbnails (location) WHERE location <> '';
CREATE INDEX thumbnails_of_content ON thumbnails (content);
CREATE INDEX thumbnails_idle ON thumbnails (idle_since) WHERE idle_since > 0;

-- Pictures and videos whose capture date a background job has yet to read.
CREATE TABLE undated (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
