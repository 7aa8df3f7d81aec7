-- @online: older servers know nothing of this table, and nothing that they write has to be in it.

-- The public keys that log an account in; the private ones never leave the devices of their owner. host is the only one
-- that a browser offers the passkey to.
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

-- @back: passkeys
-- Logins that ask for a passkey would ask for a code that no app can give.
DELETE FROM second_factors WHERE confirmed_at > 0 AND last_step = 0;
DROP TABLE passkeys;
