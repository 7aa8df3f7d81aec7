-- @online: older servers know nothing of these tables, and nothing that they write has to be in them.

-- A password of one app. It is a session that does not expire, of a device with the password's name, so that it is listed
-- and ended like any other session; folder_key is the only folder it opens, or null for the whole drive.
CREATE TABLE app_passwords (
  secret_hash {bytes} PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  folder_key {key},
  can_write {int} NOT NULL,
  webdav_only {int} NOT NULL
){strict};
CREATE INDEX app_passwords_of_account ON app_passwords (account_id);

-- WebDAV locks. is_deep: the lock holds for everything below the object, too.
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

-- WebDAV properties that mean nothing to the server: kept as the client sent them, in XML.
CREATE TABLE dead_properties (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  namespace {text} NOT NULL,
  name {text} NOT NULL,
  value {text} NOT NULL,
  PRIMARY KEY (account_id, object_key, namespace, name),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- @back: app passwords, WebDAV locks and properties that apps keep by WebDAV
-- A server that does not know app passwords would take one for the whole account's.
DELETE FROM sessions WHERE secret_hash IN (SELECT secret_hash FROM app_passwords);
DROP TABLE app_passwords;
DROP TABLE locks;
DROP TABLE dead_properties;
