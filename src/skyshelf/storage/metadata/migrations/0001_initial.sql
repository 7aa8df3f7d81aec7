-- The schema of version 0.1.0, grouped by noun. Types in braces are filled in per database.
--
-- Times are milliseconds since 1970 in UTC; 0 means "never" or "not yet" where a column may lack a time. Keys are 16
-- bytes. Passwords and tokens are stored as digests alone.


-- ============================================================ Accounts

-- account_id is internal and short, because every other index starts with it; account_key is what the interface calls
-- userId. delete_at is when the account is deleted for good; 0 if it is not to be deleted.
CREATE TABLE accounts (
  account_id {serial},
  account_key {key} NOT NULL UNIQUE,
  root_key {key} NOT NULL,
  email {text} NOT NULL,
  email_folded {text} NOT NULL UNIQUE,
  first_name {text} NOT NULL,
  last_name {text} NOT NULL,
  password_hash {text} NOT NULL,
  status {text} NOT NULL,
  auth_provider_id {int} NOT NULL,
  mobile_number {text} NOT NULL,
  is_mobile_verified {int} NOT NULL,
  is_email_verified {int} NOT NULL,
  is_operator {int} NOT NULL DEFAULT 0,
  default_space {int} NOT NULL,
  paid_space {int} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  delete_at {int} NOT NULL DEFAULT 0
){strict};
CREATE INDEX accounts_operators ON accounts (account_id) WHERE is_operator = 1;

-- What changes with every write of an account. The row is also the account's lock: a writer takes it first, so two
-- writers of one account never interleave, whatever the database.
CREATE TABLE account_counters (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  change_seq {int} NOT NULL,
  -- Objects that were trashed up to this time are being purged: one update empties the whole trash.
  trash_watermark {int} NOT NULL,
  document_used {int} NOT NULL CHECK (document_used >= 0),
  photo_used {int} NOT NULL CHECK (photo_used >= 0),
  video_used {int} NOT NULL CHECK (video_used >= 0),
  audio_used {int} NOT NULL CHECK (audio_used >= 0),
  reserved {int} NOT NULL CHECK (reserved >= 0),
  -- The number of objects without the root. It is bounded, and counting all of them for every new one would be slow.
  objects {int} NOT NULL DEFAULT 0,
  -- Bytes of the account's kept_contents.
  history_used {int} NOT NULL DEFAULT 0 CHECK (history_used >= 0),
  -- History is complete after the change history_floor. Records were removed from the changes up to history_swept, and
  -- whatever was kept up to history_forgotten_at is no longer wanted.
  history_floor {int} NOT NULL DEFAULT 0,
  history_swept {int} NOT NULL DEFAULT 0,
  history_forgotten_at {int} NOT NULL DEFAULT 0,
  -- The account's own choice; NULL for the operator's.
  history_days {int},
  -- What each device did lately (alarms.py), in the row that every writer updates anyway.
  alarm_watch {bytes}
){strict};

-- Space for a limited time. Without an account it is granted to everybody.
CREATE TABLE promotions (
  promotion_key {key} PRIMARY KEY,
  account_id {int} REFERENCES accounts (account_id),
  name {text} NOT NULL,
  space {int} NOT NULL,
  start_at {int} NOT NULL,
  end_at {int} NOT NULL
){strict};
CREATE INDEX promotions_of_account ON promotions (account_id, start_at);

-- A device did too much at once, and is paused until its owner decides. number is that of the change that was too much.
CREATE TABLE alarms (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  number {int} NOT NULL,
  device_key {text} NOT NULL,
  raised_at {int} NOT NULL,
  since {int} NOT NULL,
  deleted {int} NOT NULL,
  overwritten {int} NOT NULL,
  moved {int} NOT NULL,
  scrambled {int} NOT NULL,
  marked {int} NOT NULL DEFAULT 0,
  state {text} NOT NULL,
  decided_at {int} NOT NULL,
  decided_by {text} NOT NULL,
  PRIMARY KEY (account_id, number)
){strict};


-- ============================================================ Logins

-- is_named: the owner has named the device, and it keeps that name when it logs in again.
CREATE TABLE devices (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  device_key {text} NOT NULL,
  device_name {text} NOT NULL,
  is_named {int} NOT NULL DEFAULT 0,
  device_type {text} NOT NULL,
  platform_type {text} NOT NULL,
  created_at {int} NOT NULL,
  last_seen_at {int} NOT NULL,
  PRIMARY KEY (account_id, device_key)
){strict};
CREATE INDEX devices_age ON devices (last_seen_at);

-- One session per device: logging in again on a device replaces its session.
CREATE TABLE sessions (
  secret_hash {bytes} PRIMARY KEY,
  account_id {int} NOT NULL,
  device_key {text} NOT NULL,
  created_at {int} NOT NULL,
  last_used_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  UNIQUE (account_id, device_key),
  FOREIGN KEY (account_id, device_key) REFERENCES devices (account_id, device_key)
){strict};
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE nonces (
  nonce_hash {bytes} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  secret_hash {bytes} NOT NULL REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX nonces_session ON nonces (secret_hash);
CREATE INDEX nonces_expiry ON nonces (expires_at);

-- The password of one app: a session that does not expire, of a device with the password's name, so it is listed and
-- ended like any other session. folder_key is the only folder it opens, or NULL for the whole drive.
CREATE TABLE app_passwords (
  secret_hash {bytes} PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  folder_key {key},
  can_write {int} NOT NULL,
  webdav_only {int} NOT NULL
){strict};
CREATE INDEX app_passwords_of_account ON app_passwords (account_id);

-- One-time links for setting the password of an account, at most one per account.
CREATE TABLE password_links (
  token_hash {bytes} PRIMARY KEY,
  account_id {int} NOT NULL UNIQUE REFERENCES accounts (account_id),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX password_links_expiry ON password_links (expires_at);

-- The authenticator's secret is derived from the salt and a secret of the server, and is in no table. confirmed_at is 0
-- until a first code has shown that the authenticator knows it. last_step is the newest time step whose code was
-- accepted: no code counts twice.
CREATE TABLE second_factors (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  salt {bytes} NOT NULL,
  begun_at {int} NOT NULL,
  confirmed_at {int} NOT NULL,
  last_step {int} NOT NULL
){strict};

-- Unused codes for the day on which the authenticator is lost.
CREATE TABLE recovery_codes (
  account_id {int} NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
  code_hash {bytes} NOT NULL,
  PRIMARY KEY (account_id, code_hash)
){strict};

-- Public keys that log an account in; the private ones never leave their owner's devices. A browser offers the passkey
-- to this host alone.
CREATE TABLE passkeys (
  passkey_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  credential_id {bytes} NOT NULL UNIQUE,
  public_key {bytes} NOT NULL,
  sign_count {int} NOT NULL,
  host {text} NOT NULL,
  name {text} NOT NULL,
  transports {text} NOT NULL,
  is_discoverable {int} NOT NULL,
  is_verifying {int} NOT NULL,
  can_be_backed_up {int} NOT NULL,
  is_backed_up {int} NOT NULL,
  created_at {int} NOT NULL,
  last_used_at {int} NOT NULL
){strict};
CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);

-- An account's identity at a provider of OpenID Connect, where issuer and subject name one person for good. email is what
-- the provider reported last, and is shown to the owner. An account has at most one identity per issuer.
CREATE TABLE identities (
  issuer {text} NOT NULL,
  subject {text} NOT NULL,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  email {text} NOT NULL,
  created_at {int} NOT NULL,
  last_used_at {int} NOT NULL,
  PRIMARY KEY (issuer, subject)
){strict};
CREATE UNIQUE INDEX identities_of_account ON identities (account_id, issuer);

-- The identity that opened a session. sid is what the provider calls its own session; empty if it did not name it.
CREATE TABLE identity_sessions (
  secret_hash {bytes} PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  issuer {text} NOT NULL,
  subject {text} NOT NULL,
  sid {text} NOT NULL
){strict};
CREATE INDEX identity_sessions_of_account ON identity_sessions (account_id);
CREATE INDEX identity_sessions_of_subject ON identity_sessions (issuer, subject);
CREATE INDEX identity_sessions_of_sid ON identity_sessions (issuer, sid);

-- Tokens that count once and were used, such as the state of a login, until they would be refused for their age anyway.
CREATE TABLE spent_tokens (
  token_hash {bytes} PRIMARY KEY,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX spent_tokens_expiry ON spent_tokens (expires_at);

-- How often something was tried. A bucket is the digest of an account or an address, never the thing itself.
CREATE TABLE throttles (
  bucket {bytes} PRIMARY KEY,
  failures {int} NOT NULL,
  last_failure_at {int} NOT NULL,
  closed_until {int} NOT NULL
){strict};
CREATE INDEX throttles_age ON throttles (last_failure_at);


-- ============================================================ Operating

-- What all instances of one service must agree on, such as the key that signs tokens.
CREATE TABLE settings (
  name {text} PRIMARY KEY,
  value {bytes} NOT NULL
){strict};

CREATE TABLE banners (
  banner_key {key} PRIMARY KEY,
  title {text} NOT NULL,
  text {text} NOT NULL,
  image_url {text} NOT NULL,
  action_url {text} NOT NULL,
  start_at {int} NOT NULL,
  end_at {int} NOT NULL
){strict};

-- The audit trail: rows are added, and deleted when they are old, but never changed. The account is known by its key,
-- without a reference: the record outlives the account, and no later account can have the same key.
CREATE TABLE audit_events (
  event_id {serial},
  happened_at {int} NOT NULL,
  kind {text} NOT NULL,
  account_key {key},
  actor {text} NOT NULL,
  address {text} NOT NULL,
  device_key {text} NOT NULL,
  object_key {text} NOT NULL,
  link_key {text} NOT NULL,
  times {int} NOT NULL,
  details {text} NOT NULL
){strict};
CREATE INDEX audit_events_of_account ON audit_events (account_key, event_id);
CREATE INDEX audit_events_age ON audit_events (happened_at);

-- Background jobs, written in the commit that made them necessary and claimed with a lease. While a lease is held, run_at
-- is its end: a job whose lease has expired is due like any other. again_at is set when the job was requested once more
-- in the meantime.
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


-- ============================================================ Content

-- Stored bytes, by the SHA-256 of their content. location is where the blob store has them; it is unique per put, so
-- removing one location can never hit another. refs counts the versions.
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

-- Unreferenced bytes: where they are, and since when. They stay there for a while, so a mistake can be undone; deleting
-- is 1 once it no longer can.
CREATE TABLE quarantine (
  location {text} PRIMARY KEY,
  kind {text} NOT NULL CHECK (kind IN ('blob', 'upload')),
  content {bytes},
  md5 {bytes},
  size {int} NOT NULL,
  reason {text} NOT NULL CHECK (reason IN ('released', 'orphan', 'repair', 'replaced')),
  since {int} NOT NULL,
  deleting {int} NOT NULL CHECK (deleting IN (0, 1))
){strict};
CREATE INDEX quarantine_age ON quarantine (since, location);
CREATE INDEX quarantine_of_reason ON quarantine (reason, since, location);
CREATE INDEX quarantine_of_content ON quarantine (content);
CREATE INDEX quarantine_deleting ON quarantine (location) WHERE deleting = 1;

-- Content whose stored bytes a read or the scrub found missing or wrong. A row counts while its content has that
-- location: replacing the content ends it, and no upload or deletion has to know of this table.
CREATE TABLE damaged_contents (
  content {bytes} PRIMARY KEY,
  location {text} NOT NULL,
  fault {text} NOT NULL,
  found_at {int} NOT NULL
){strict};

-- Thumbnails by account and content: one that another account has must not make a response faster. An empty location
-- says that the content has no thumbnail in any size (0) and form (''), until retry_at (0: never), and by which renderer.
-- idle_since is when the account deleted a version with that content, or 0. placeholder is a picture of a few pixels,
-- shown until the thumbnail has loaded.
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
  placeholder {bytes},
  PRIMARY KEY (account_id, content, size, form)
){strict};
CREATE INDEX thumbnails_location ON thumbnails (location) WHERE location <> '';
CREATE INDEX thumbnails_of_content ON thumbnails (content);
CREATE INDEX thumbnails_idle ON thumbnails (idle_since) WHERE idle_since > 0;

-- Uploads in progress. received is the truth about how far one has come.
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


-- ============================================================ The tree

-- kind: 0 folder, 1 file. status: A active, T trashed, P being purged (as is everything trashed up to the account's
-- trash_watermark). An object below a trashed folder keeps its own status: visibility is derived from the ancestors, so
-- trashing touches one row.
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
  -- The number of the change that created the object.
  created_seq {int} NOT NULL DEFAULT 0,
  updated_at {int} NOT NULL,
  arrived_at {int} NOT NULL,
  trashed_at {int} NOT NULL,
  taken_at {int},
  taken_day {int},
  -- The month of a picture or video, counted from year 0: when it was taken, by the camera's own clock, or else when the
  -- file was created, in UTC.
  timeline_month {int},
  -- For a folder, the levels of folders below it, and the bytes of the longest path of a folder below it. Neither is ever
  -- too small; both may be too large, because they do not shrink when something leaves. With them a move knows, without
  -- a walk through everything below a folder, whether it fits where it goes (sql/tree/depth.py).
  levels_below {int} NOT NULL DEFAULT 0,
  path_below {int} NOT NULL DEFAULT 0,
  -- The object as the interface shows it, already encoded from the other columns, and the encoding it is in
  -- (wire_cache.ENCODING_VERSION). Readers encode rows of any other version from their columns.
  wire_version {int} NOT NULL DEFAULT 0,
  wire {bytes} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, parent_key) REFERENCES objects (account_id, object_key),
  CHECK ((kind = 0) = (content IS NULL))
){strict};

-- Names are unique among the active objects of a folder, and only there.
CREATE UNIQUE INDEX objects_name ON objects (account_id, parent_key, name) WHERE status = 'A';
-- A page of a folder is one range of one of these four. The first holds objects of any status: a purge also finds there
-- what is left below a folder, and the foreign key to the parent uses it.
CREATE INDEX objects_by_name ON objects (account_id, parent_key, status, kind, name_order, object_key);
CREATE INDEX objects_by_created ON objects (account_id, parent_key, kind, file_created_at, object_key)
  WHERE status = 'A';
CREATE INDEX objects_by_modified ON objects (account_id, parent_key, kind, last_modified_at, object_key)
  WHERE status = 'A';
CREATE INDEX objects_by_size ON objects (account_id, parent_key, kind, size, object_key) WHERE status = 'A';
CREATE INDEX objects_trash ON objects (account_id, trashed_at, object_key) WHERE status = 'T';
CREATE INDEX objects_old_trash ON objects (trashed_at) WHERE status = 'T';
CREATE INDEX objects_purging ON objects (account_id, object_key) WHERE status = 'P';
CREATE INDEX objects_recent ON objects (account_id, is_media, arrived_at, object_key) WHERE status = 'A' AND kind = 1;
CREATE INDEX objects_taken_day ON objects (account_id, taken_day, taken_at, object_key)
  WHERE status = 'A' AND taken_day IS NOT NULL;
CREATE INDEX objects_of_app ON objects (account_id, app_code, arrived_at, object_key)
  WHERE status = 'A' AND app_code <> '';
CREATE INDEX objects_timeline ON objects
  (account_id, timeline_month, (coalesce(taken_at, file_created_at)), object_key, parent_key)
  WHERE status = 'A' AND timeline_month IS NOT NULL;
CREATE INDEX objects_favorites ON objects (account_id, arrived_at, object_key)
  WHERE status = 'A' AND is_favorite = 1;
CREATE INDEX objects_favorites_by_name ON objects (account_id, name_order, object_key)
  WHERE status = 'A' AND is_favorite = 1;

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
-- Content that the account already owns, by what a client knows about it before it uploads.
CREATE INDEX versions_by_md5 ON versions (account_id, md5, size);
CREATE INDEX versions_by_content ON versions (content);

-- The newest change of anything directly in a folder: a change writes here once, and not once per ancestor. The newest
-- change below a folder is the largest mark at or below it (sql/folder_marks.py). A mark is the change's number, and in
-- its lowest 20 bits the second at which it happened: after a restore from a backup, numbers are used again.
CREATE TABLE folder_marks (
  account_id {int} NOT NULL,
  folder_key {key} NOT NULL,
  mark {int} NOT NULL,
  PRIMARY KEY (account_id, folder_key),
  FOREIGN KEY (account_id, folder_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- The number of active pictures and videos of a month in each folder: months are counted without counting pictures, and
-- whatever is below a trashed folder is left out by one look at the folder.
CREATE TABLE timeline_months (
  account_id {int} NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  month {int} NOT NULL,
  parent_key {key} NOT NULL,
  files {int} NOT NULL CHECK (files >= 0),
  PRIMARY KEY (account_id, month, parent_key)
){strict};

-- Pictures and videos whose capture date a background job has yet to read.
CREATE TABLE undated (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- What one version of a picture or video says about itself: its size in pixels as it is shown, where it was taken, in
-- millionths of a degree, and the camera's offset from UTC in minutes.
CREATE TABLE media_facts (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  version {int} NOT NULL,
  width {int},
  height {int},
  latitude {int},
  longitude {int},
  utc_offset {int},
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX media_facts_located ON media_facts (account_id, object_key) WHERE latitude IS NOT NULL;

CREATE TABLE tags (
  tag_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  name {text} NOT NULL,
  name_folded {text} NOT NULL,
  created_at {int} NOT NULL,
  used_at {int} NOT NULL,
  UNIQUE (account_id, name_folded)
){strict};
CREATE INDEX tags_recent ON tags (account_id, used_at, tag_key);

CREATE TABLE object_tags (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  tag_key {key} NOT NULL REFERENCES tags (tag_key) ON DELETE CASCADE,
  created_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, tag_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX object_tags_of_tag ON object_tags (tag_key, created_at, object_key);

-- What a search can find: active objects other than roots. entry is account_id * 2^40 plus a number that grows with every
-- arrival of content, so one account is one range of it, and newest first is its order backwards. The terms themselves
-- (search/terms.py) are in a full-text index in SQLite, and in a column with a GIN index in PostgreSQL.
CREATE TABLE search_entries (
  entry {int} PRIMARY KEY,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL{search_terms},
  UNIQUE (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
{search_index};


-- ============================================================ Changes and history

-- The feed of an account's changes, in order; seq has no holes. before is the object as it was (history/records.py): it
-- is NULL for a new object, and once the history of that time is no longer kept. before_folder is its folder if it was
-- active: what a folder held is one range of an index.
CREATE TABLE changes (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  seq {int} NOT NULL,
  at {int} NOT NULL,
  kind {text} NOT NULL,
  object_key {key} NOT NULL,
  actor {text} NOT NULL DEFAULT '',
  before_folder {key},
  before {bytes},
  PRIMARY KEY (account_id, seq)
){strict};
CREATE INDEX changes_age ON changes (at);
CREATE INDEX changes_of_object ON changes (account_id, object_key, seq) WHERE before IS NOT NULL;
CREATE INDEX changes_of_folder ON changes (account_id, before_folder, seq) WHERE before_folder IS NOT NULL;

-- Objects that were deleted for good, as they were, while history is kept. folder_key is set for those that were active
-- below a folder that was deleted. links are the tags, share links and boards they were in.
CREATE TABLE purged_objects (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key} NOT NULL,
  purged_seq {int} NOT NULL,
  kept_at {int} NOT NULL,
  folder_key {key},
  state {bytes} NOT NULL,
  links {bytes} NOT NULL,
  PRIMARY KEY (account_id, object_key)
){strict};
CREATE INDEX purged_objects_of_folder ON purged_objects (account_id, folder_key, object_key)
  WHERE folder_key IS NOT NULL;
CREATE INDEX purged_objects_age ON purged_objects (account_id, kept_at);

-- Contents of deleted versions while history is kept: their bytes stay in quarantine for as long. They are not references
-- of files, and the quota does not count them.
CREATE TABLE kept_contents (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key} NOT NULL,
  version {int} NOT NULL,
  content {bytes} NOT NULL,
  size {int} NOT NULL,
  kept_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, version)
){strict};
CREATE INDEX kept_contents_age ON kept_contents (account_id, kept_at);
CREATE INDEX kept_contents_of_content ON kept_contents (content);

-- Tags, share links and boards that an object was added to (added = 1) or removed from. after_seq is the newest change at
-- that time.
CREATE TABLE link_changes (
  link_id {serial},
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  after_seq {int} NOT NULL,
  at {int} NOT NULL,
  actor {text} NOT NULL,
  kind {text} NOT NULL,
  object_key {key} NOT NULL,
  other_key {key} NOT NULL,
  name {text} NOT NULL,
  added {int} NOT NULL
){strict};
CREATE INDEX link_changes_of_object ON link_changes (account_id, object_key, link_id);
CREATE INDEX link_changes_in_order ON link_changes (account_id, link_id);

-- seq is the change to rewind to, upto the newest change when the rewind was requested. actor is whose changes are undone,
-- empty for everybody's. place is where the job stands, counts what it has done (history/rewinds.py).
CREATE TABLE rewinds (
  rewind_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  state {text} NOT NULL,
  seq {int} NOT NULL,
  at {int} NOT NULL,
  upto {int} NOT NULL,
  folder_key {key},
  actor {text} NOT NULL,
  asked_by {text} NOT NULL,
  undo_of {key},
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  place {bytes} NOT NULL,
  counts {bytes} NOT NULL
){strict};
CREATE INDEX rewinds_of_account ON rewinds (account_id, created_at);

-- What a rewind does to each object, in the order of rank: the object as it will be, and why it cannot.
CREATE TABLE rewind_items (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  rewind_key {key} NOT NULL,
  object_key {key} NOT NULL,
  rank {int} NOT NULL,
  what {text} NOT NULL,
  target {bytes},
  problem {text} NOT NULL,
  PRIMARY KEY (account_id, rewind_key, object_key)
){strict};
CREATE INDEX rewind_items_in_order ON rewind_items (account_id, rewind_key, rank, object_key);

-- The keys that sign heads of logs (wire/proofs/heads.py), in order. Each but the first is signed by its predecessor; only
-- the last has a private key and no retired_at.
CREATE TABLE history_keys (
  number {int} PRIMARY KEY,
  key_id {text} NOT NULL UNIQUE,
  public_key {bytes} NOT NULL,
  private_key {bytes},
  created_at {int} NOT NULL,
  retired_at {int} NOT NULL DEFAULT 0,
  signature {bytes} NOT NULL
){strict};

-- The log of an account's changes: a Merkle tree whose first leaf is the change start_seq. head is the signed head.
CREATE TABLE history_logs (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  log_key {key} NOT NULL,
  start_seq {int} NOT NULL,
  size {int} NOT NULL,
  head {text} NOT NULL
){strict};

-- The hashes of a log, 256 per row: first of leaves, then of full rows of leaves, and so on (history/log.py). They stay
-- when the objects of the changes are no longer kept.
CREATE TABLE history_tiles (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  place {int} NOT NULL,
  hashes {bytes} NOT NULL,
  PRIMARY KEY (account_id, place)
){strict};

-- Objects after the changes from first_seq to last_seq, as the leaves have them, while history is kept.
CREATE TABLE history_leaves (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  first_seq {int} NOT NULL,
  last_seq {int} NOT NULL,
  states {bytes} NOT NULL,
  PRIMARY KEY (account_id, first_seq)
){strict};


-- ============================================================ Boards

-- cover_key is the item that represents the board, as long as the board shows it.
CREATE TABLE boards (
  board_key {key} PRIMARY KEY,
  owner_id {int} NOT NULL REFERENCES accounts (account_id),
  name {text} NOT NULL,
  description {text} NOT NULL,
  board_type {text} NOT NULL,
  status {text} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  cover_key {key}
){strict};

-- role: O owner (exactly one), M member, V viewer. status: A active.
CREATE TABLE board_members (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  role {text} NOT NULL CHECK (role IN ('O', 'M', 'V')),
  status {text} NOT NULL CHECK (status IN ('A', 'I')),
  joined_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id)
){strict};
CREATE UNIQUE INDEX board_members_owner ON board_members (board_key) WHERE role = 'O';
CREATE INDEX board_members_of_account ON board_members (account_id, board_key);

-- Decisions of a board's owner about somebody, which a link does not undo: X removed, V at most a viewer. An invitation by
-- address does undo them.
CREATE TABLE board_restrictions (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  kind {text} NOT NULL CHECK (kind IN ('X', 'V')),
  PRIMARY KEY (board_key, account_id)
){strict};
CREATE INDEX board_restrictions_of_account ON board_restrictions (account_id);

-- Invitations by address, whether or not an account has it: the inviter cannot tell. Nobody is on a board before
-- accepting.
CREATE TABLE board_invitations (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  email_folded {text} NOT NULL,
  email {text} NOT NULL,
  role {text} NOT NULL CHECK (role IN ('M', 'V')),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  PRIMARY KEY (board_key, email_folded)
){strict};
CREATE INDEX board_invitations_of_address ON board_invitations (email_folded, created_at, board_key);

-- Links that bring everyone who has them onto a board.
CREATE TABLE board_links (
  link_key {key} PRIMARY KEY,
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  token_hash {bytes} NOT NULL UNIQUE,
  role {text} NOT NULL CHECK (role IN ('M', 'V')),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX board_links_of_board ON board_links (board_key, created_at, link_key);

-- A board shows files of several accounts, each put there by its owner. An item goes when its object is purged, and when
-- its owner is no longer a member.
CREATE TABLE board_items (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  added_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
-- By the object first: a member who requests somebody else's file knows its key and not its account.
CREATE INDEX board_items_of_object ON board_items (object_key, account_id, board_key);

-- object_key is the object that a comment is about. The comment outlives the item.
CREATE TABLE board_comments (
  comment_key {key} PRIMARY KEY,
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key},
  text {text} NOT NULL,
  created_at {int} NOT NULL,
  edited_at {int} NOT NULL DEFAULT 0
){strict};
CREATE INDEX board_comments_of_board ON board_comments (board_key, created_at, comment_key);
-- The rows of an account are counted, because their number is bounded.
CREATE INDEX board_comments_of_account ON board_comments (account_id);

-- The newest activity on each board, numbered under the board's lock. guest_name is set where a guest added files through
-- a link of the account.
CREATE TABLE board_events (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  seq {int} NOT NULL,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  kind {text} NOT NULL CHECK (kind IN ('created', 'joined', 'left', 'removed', 'added', 'withdrew', 'renamed')),
  files {int} NOT NULL,
  guest_name {text},
  at {int} NOT NULL,
  PRIMARY KEY (board_key, seq)
){strict};
CREATE INDEX board_events_of_account ON board_events (account_id, board_key);


-- ============================================================ Share links

-- Links that open objects, or a board while the link's account owns it, to everyone who has them. Zero means: not revoked,
-- without an end, without a limit; an empty password_hash means: no password. rights: V view, A view and add, U upload
-- without viewing. upload_limit and upload_bytes bound the number of files in all and the size of each; zero means: the
-- server's own limits. uploads_in_hour counts uploads since upload_hour, an hour of the epoch.
CREATE TABLE shares (
  share_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  token_hash {bytes} NOT NULL UNIQUE,
  name {text} NOT NULL,
  created_at {int} NOT NULL,
  revoked_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  password_hash {text} NOT NULL,
  download_limit {int} NOT NULL,
  downloads {int} NOT NULL,
  visits {int} NOT NULL,
  last_visit_at {int} NOT NULL,
  board_key {key} REFERENCES boards (board_key) ON DELETE CASCADE,
  rights {text} NOT NULL DEFAULT 'V' CHECK (rights IN ('V', 'A', 'U')),
  upload_limit {int} NOT NULL DEFAULT 0,
  upload_bytes {int} NOT NULL DEFAULT 0,
  uploads {int} NOT NULL DEFAULT 0,
  upload_hour {int} NOT NULL DEFAULT 0,
  uploads_in_hour {int} NOT NULL DEFAULT 0
){strict};
CREATE INDEX shares_of_account ON shares (account_id, created_at, share_key) WHERE revoked_at = 0;
-- The rows of an account are counted, because their number is bounded, and revoked ones are removed first.
CREATE INDEX shares_revoked ON shares (account_id) WHERE revoked_at > 0;
CREATE INDEX shares_of_board ON shares (board_key) WHERE board_key IS NOT NULL;

CREATE TABLE share_objects (
  share_key {key} NOT NULL REFERENCES shares (share_key) ON DELETE CASCADE,
  position {int} NOT NULL,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  PRIMARY KEY (share_key, position),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX share_objects_of_object ON share_objects (account_id, object_key);
CREATE INDEX share_objects_of_account ON share_objects (account_id);

-- Who sent a file through a link. The link may be gone by now.
CREATE TABLE guest_files (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  share_key {key} NOT NULL,
  guest_name {text} NOT NULL,
  added_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- The selection for a ZIP archive: the keys of the objects, 16 bytes each. It is kept for a day, so an interrupted
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


-- ============================================================ WebDAV

-- is_deep: the lock also holds for everything below the object.
CREATE TABLE locks (
  lock_key {key} PRIMARY KEY,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  is_exclusive {int} NOT NULL,
  is_deep {int} NOT NULL,
  owner {text} NOT NULL,
  expires_at {int} NOT NULL,
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX locks_of_object ON locks (account_id, object_key);
CREATE INDEX locks_expiry ON locks (expires_at);

-- Properties that mean nothing to the server: stored as the client sent them, in XML.
CREATE TABLE dead_properties (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  namespace {text} NOT NULL,
  name {text} NOT NULL,
  value {text} NOT NULL,
  PRIMARY KEY (account_id, object_key, namespace, name),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};


-- ============================================================ Contacts

-- details is the contact as the interface shows it, already encoded. A removed contact stays for a while as an inactive
-- one that has nothing but its name, so other devices learn of the removal.
CREATE TABLE contacts (
  contact_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  display_name {text} NOT NULL,
  name_order {bytes} NOT NULL,
  is_active {int} NOT NULL,
  updated_at {int} NOT NULL,
  details {bytes} NOT NULL
){strict};
CREATE INDEX contacts_by_name ON contacts (account_id, name_order, contact_key);
CREATE INDEX contacts_removed ON contacts (updated_at) WHERE is_active = 0;

CREATE TABLE contact_emails (
  contact_key {key} NOT NULL REFERENCES contacts (contact_key) ON DELETE CASCADE,
  position {int} NOT NULL,
  account_id {int} NOT NULL,
  email {text} NOT NULL,
  display_name {text} NOT NULL,
  name_order {bytes} NOT NULL,
  PRIMARY KEY (contact_key, position)
){strict};
CREATE INDEX contact_emails_by_name ON contact_emails (account_id, name_order, contact_key, position);
