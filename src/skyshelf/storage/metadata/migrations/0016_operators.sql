-- Operators manage the server in the browser: accounts, sessions, banners. Nobody becomes one by an upgrade.
ALTER TABLE accounts ADD COLUMN is_operator {int} NOT NULL DEFAULT 0;
CREATE INDEX accounts_operators ON accounts (account_id) WHERE is_operator = 1;

-- A device that its owner has named keeps that name when it logs in again.
ALTER TABLE devices ADD COLUMN is_named {int} NOT NULL DEFAULT 0;

-- One-time links with which somebody sets the password of an account: at most one per account, and only its digest.
CREATE TABLE password_links (
  token_hash {bytes} PRIMARY KEY,
  account_id {int} NOT NULL UNIQUE REFERENCES accounts (account_id),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX password_links_expiry ON password_links (expires_at);
