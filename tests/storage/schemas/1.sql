PRAGMA application_id = 1397446995;
CREATE TABLE account_counters (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  change_seq INTEGER NOT NULL,
  trash_floor INTEGER NOT NULL,
  document_used INTEGER NOT NULL CHECK (document_used >= 0),
  photo_used INTEGER NOT NULL CHECK (photo_used >= 0),
  video_used INTEGER NOT NULL CHECK (video_used >= 0),
  audio_used INTEGER NOT NULL CHECK (audio_used >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0)
) STRICT;
INSERT INTO account_counters (account_id, change_seq, trash_floor, document_used, photo_used, video_used, audio_used, reserved) VALUES (1, 2, 5, 0, 24, 0, 0, 99);
INSERT INTO account_counters (account_id, change_seq, trash_floor, document_used, photo_used, video_used, audio_used, reserved) VALUES (2, 0, 0, 0, 0, 0, 0, 0);
CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  account_key BLOB NOT NULL UNIQUE,
  root_key BLOB NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  auth_provider_id INTEGER NOT NULL,
  mobile_number TEXT NOT NULL,
  is_mobile_verified INTEGER NOT NULL,
  is_email_verified INTEGER NOT NULL,
  default_space INTEGER NOT NULL,
  paid_space INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO accounts (account_id, account_key, root_key, email, email_folded, first_name, last_name, password_hash, status, auth_provider_id, mobile_number, is_mobile_verified, is_email_verified, default_space, paid_space, created_at, updated_at) VALUES (1, X'018BCFE568007000B000000000000065', X'018BCFE568007000B000000000000001', 'Ada@Example.org', 'ada@example.org', 'Žofie 🌿', 'O''Hara; --', '$argon2id$', 'A', 1, '', 0, 1, 1099511627776, 0, 1699999999990, 1699999999991);
INSERT INTO accounts (account_id, account_key, root_key, email, email_folded, first_name, last_name, password_hash, status, auth_provider_id, mobile_number, is_mobile_verified, is_email_verified, default_space, paid_space, created_at, updated_at) VALUES (2, X'018BCFE568007000B000000000000066', X'018BCFE568007000B000000000000005', 'grace@example.org', 'grace@example.org', 'Žofie 🌿', 'O''Hara; --', '$argon2id$', 'A', 1, '', 0, 1, 1099511627776, 0, 1699999999990, 1699999999991);
CREATE TABLE devices (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  device_key TEXT NOT NULL,
  device_name TEXT NOT NULL,
  device_type TEXT NOT NULL,
  platform_type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_key)
) STRICT;
INSERT INTO devices (account_id, device_key, device_name, device_type, platform_type, created_at, last_seen_at) VALUES (1, '6b1f1f0e-0000-4000-8000-000000000001', 'Laptop', 'W', 'Firefox', 1699999999992, 1699999999999);
CREATE TABLE nonces (
  nonce_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  secret_hash BLOB NOT NULL REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO nonces (nonce_hash, account_id, secret_hash, expires_at) VALUES (X'0202020202020202020202020202020202020202020202020202020202020202', 1, X'0101010101010101010101010101010101010101010101010101010101010101', 1700000600000);
CREATE TABLE promotions (
  promotion_key BLOB PRIMARY KEY,
  account_id INTEGER REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  space INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL
) STRICT;
INSERT INTO promotions (promotion_key, account_id, name, space, start_at, end_at) VALUES (X'018BCFE568007000B000000000000014', 1, 'Welcome', 1073741824, 1699999999900, 1700000000100);
INSERT INTO promotions (promotion_key, account_id, name, space, start_at, end_at) VALUES (X'018BCFE568007000B000000000000015', NULL, 'All', 1, 0, 1700000000000);
CREATE TABLE schema_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
INSERT INTO schema_migrations (number, name, applied_at) VALUES (1, 'accounts', 1700000000000);
CREATE TABLE sessions (
  secret_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL,
  device_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, device_key),
  FOREIGN KEY (account_id, device_key) REFERENCES devices (account_id, device_key)
) STRICT;
INSERT INTO sessions (secret_hash, account_id, device_key, created_at, last_used_at, expires_at) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 1, '6b1f1f0e-0000-4000-8000-000000000001', 1699999999992, 1699999999999, 1701000000000);
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
INSERT INTO settings (name, value) VALUES ('signing-key', X'00FF20736563726574');
CREATE TABLE throttles (
  bucket BLOB PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  closed_until INTEGER NOT NULL
) STRICT;
INSERT INTO throttles (bucket, failures, last_failure_at, closed_until) VALUES (X'0303030303030303030303030303030303030303030303030303030303030303', 4, 1699999999999, 1700000000005);
CREATE INDEX devices_age ON devices (last_seen_at);
CREATE INDEX nonces_expiry ON nonces (expires_at);
CREATE INDEX nonces_session ON nonces (secret_hash);
CREATE INDEX promotions_of_account ON promotions (account_id, start_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX throttles_age ON throttles (last_failure_at);
