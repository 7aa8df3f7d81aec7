-- Bytes that the service keeps, by the SHA-256 of their content. location is where the blob store has
-- them; it is unique per put, so that removing one can never hit another.
CREATE TABLE blobs (
  content {bytes} PRIMARY KEY,
  location {text} NOT NULL UNIQUE,
  size {int} NOT NULL,
  md5 {bytes} NOT NULL,
  refs {int} NOT NULL CHECK (refs >= 0),
  created_at {int} NOT NULL,
  idle_since {int} NOT NULL
){strict};
CREATE INDEX blobs_idle ON blobs (idle_since) WHERE refs = 0;

-- The tree. status: A active, T trashed, P being purged (as is what was trashed before the account's trash_floor). What is below a trashed folder keeps its own
-- status: whether it can be seen is derived from its ancestors, so that trashing touches one row.
-- wire is the object as the interface shows it, already encoded; the columns beside it are its source.
CREATE TABLE objects (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key} NOT NULL,
  parent_key {key},
  kind {int} NOT NULL CHECK (kind IN (0, 1)),
  status {text} NOT NULL CHECK (status IN ('A', 'T', 'P')),
  name {text} NOT NULL,
  name_order {bytes} NOT NULL,
  size {int} NOT NULL,
  file_created_at {int} NOT NULL,
  last_modified_at {int} NOT NULL,
  content {bytes},
  md5 {bytes},
  version {int} NOT NULL,
  mime_type {text} NOT NULL,
  mime_subtype {text} NOT NULL,
  source_name {text} NOT NULL,
  source_folder {text} NOT NULL,
  app_code {text} NOT NULL,
  is_media {int} NOT NULL,
  is_hidden {int} NOT NULL,
  is_locked {int} NOT NULL,
  is_readonly {int} NOT NULL,
  is_favorite {int} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  arrived_at {int} NOT NULL,
  trashed_at {int} NOT NULL,
  taken_at {int},
  taken_day {int},
  wire {bytes} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, parent_key) REFERENCES objects (account_id, object_key),
  CHECK ((kind = 0) = (content IS NULL))
){strict};

-- Names are unique among the active objects of a folder, and of nothing else.
CREATE UNIQUE INDEX objects_name ON objects (account_id, parent_key, name) WHERE status = 'A';
-- A page of a folder is one range of one of these four. The first holds objects of any status: it is also
-- where a purge finds what is left below a folder, and where the foreign key to the parent looks.
CREATE INDEX objects_by_name ON objects (account_id, parent_key, status, kind, name_order, object_key);
CREATE INDEX objects_by_created ON objects (account_id, parent_key, kind, file_created_at, object_key) WHERE status = 'A';
CREATE INDEX objects_by_modified ON objects (account_id, parent_key, kind, last_modified_at, object_key) WHERE status = 'A';
CREATE INDEX objects_by_size ON objects (account_id, parent_key, kind, size, object_key) WHERE status = 'A';
CREATE INDEX objects_trash ON objects (account_id, trashed_at, object_key) WHERE status = 'T';
CREATE INDEX objects_old_trash ON objects (trashed_at) WHERE status = 'T';
CREATE INDEX objects_purging ON objects (account_id, object_key) WHERE status = 'P';
CREATE INDEX objects_recent ON objects (account_id, is_media, arrived_at, object_key) WHERE status = 'A' AND kind = 1;
CREATE INDEX objects_taken_day ON objects (account_id, taken_day, taken_at, object_key) WHERE status = 'A' AND taken_day IS NOT NULL;
CREATE INDEX objects_of_app ON objects (account_id, app_code, arrived_at, object_key) WHERE status = 'A' AND app_code <> '';

-- Every version of every file, the current one included: one row is one reference to a blob.
CREATE TABLE versions (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  version {int} NOT NULL,
  content {bytes} NOT NULL REFERENCES blobs (content),
  md5 {bytes} NOT NULL,
  size {int} NOT NULL,
  category {text} NOT NULL CHECK (category IN ('document', 'photo', 'video', 'audio')),
  mime_type {text} NOT NULL,
  mime_subtype {text} NOT NULL,
  created_at {int} NOT NULL,
  created_by {text} NOT NULL,
  file_created_at {int} NOT NULL,
  last_modified_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, version),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key)
){strict};
-- Content that the account already owns, by what a client can say about it before it uploads.
CREATE INDEX versions_by_md5 ON versions (account_id, md5, size);
CREATE INDEX versions_by_content ON versions (content);

-- What happened, in order, per account; seq has no holes.
CREATE TABLE changes (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  seq {int} NOT NULL,
  at {int} NOT NULL,
  kind {text} NOT NULL,
  object_key {key} NOT NULL,
  PRIMARY KEY (account_id, seq)
){strict};

-- Uploads in progress. received is the truth about how far one came.
CREATE TABLE uploads (
  upload_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  parent_key {key} NOT NULL,
  name {text} NOT NULL,
  size {int} NOT NULL,
  md5 {bytes} NOT NULL,
  received {int} NOT NULL CHECK (received >= 0 AND received <= size),
  details {bytes} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  UNIQUE (account_id, parent_key, name, size, md5)
){strict};
CREATE INDEX uploads_age ON uploads (updated_at);

CREATE TABLE upload_parts (
  upload_key {key} NOT NULL REFERENCES uploads (upload_key) ON DELETE CASCADE,
  start {int} NOT NULL,
  size {int} NOT NULL,
  md5 {bytes} NOT NULL,
  token {text} NOT NULL,
  PRIMARY KEY (upload_key, start)
){strict};

-- Work for later, written in the same commit as what made it necessary, claimed with a lease. While a lease
-- is held, run_at is its end: an expired lease is due like any other job. again_at is set when the job was
-- asked for once more in the meantime.
CREATE TABLE outbox (
  job_id {serial},
  kind {text} NOT NULL,
  subject {text} NOT NULL,
  payload {bytes} NOT NULL,
  run_at {int} NOT NULL,
  again_at {int},
  attempts {int} NOT NULL,
  lease {text} NOT NULL,
  last_error {text} NOT NULL,
  -- The subject first: an index that begins with the kind would tempt a planner to sort all jobs of a kind.
  UNIQUE (subject, kind)
){strict};
CREATE INDEX outbox_due ON outbox (run_at, job_id);
CREATE INDEX outbox_failing ON outbox (attempts, job_id) WHERE last_error <> '';
