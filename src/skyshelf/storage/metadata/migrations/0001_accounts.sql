-- Who may come in. account_id is internal and short, since every other index starts with it;
-- account_key is what the interface calls userId.
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
  default_space {int} NOT NULL,
  paid_space {int} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL
){strict};

-- What changes with every write of an account. The row is also the account's lock: a writer takes it
-- first, so that two writers of one account never interleave, whatever the database.
CREATE TABLE account_counters (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  change_seq {int} NOT NULL,
  -- What was trashed up to this time is being purged: the whole trash is emptied by one update.
  trash_floor {int} NOT NULL,
  document_used {int} NOT NULL CHECK (document_used >= 0),
  photo_used {int} NOT NULL CHECK (photo_used >= 0),
  video_used {int} NOT NULL CHECK (video_used >= 0),
  audio_used {int} NOT NULL CHECK (audio_used >= 0),
  reserved {int} NOT NULL CHECK (reserved >= 0)
){strict};

CREATE TABLE devices (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  device_key {text} NOT NULL,
  device_name {text} NOT NULL,
  device_type {text} NOT NULL,
  platform_type {text} NOT NULL,
  created_at {int} NOT NULL,
  last_seen_at {int} NOT NULL,
  PRIMARY KEY (account_id, device_key)
){strict};
CREATE INDEX devices_age ON devices (last_seen_at);

-- One session per device: to log in again on a device replaces the session it had.
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

-- How often something was tried: a bucket is an account's or an address's digest, never the thing itself.
CREATE TABLE throttles (
  bucket {bytes} PRIMARY KEY,
  failures {int} NOT NULL,
  last_failure_at {int} NOT NULL,
  closed_until {int} NOT NULL
){strict};
CREATE INDEX throttles_age ON throttles (last_failure_at);

-- Space for a while. Without an account it is everybody's.
CREATE TABLE promotions (
  promotion_key {key} PRIMARY KEY,
  account_id {int} REFERENCES accounts (account_id),
  name {text} NOT NULL,
  space {int} NOT NULL,
  start_at {int} NOT NULL,
  end_at {int} NOT NULL
){strict};
CREATE INDEX promotions_of_account ON promotions (account_id, start_at);

-- What all instances of one service must agree on, such as the key that signs tokens.
CREATE TABLE settings (
  name {text} PRIMARY KEY,
  value {bytes} NOT NULL
){strict};
