-- Delegations: tokens that may do less than the session that made them, with what of it is used up.
--
-- @online: new tables, which older servers do not know. To them, a delegation is a session that no token opens.

-- A session of a device with the delegation's purpose, so it is listed and ended like any other session. Its digest is of
-- what its tokens begin with, keyed by a secret of the server (service/accounts/delegations.py), of this generation. A
-- number that is NULL is not limited; folder_key is the only folder that it opens, or NULL for the whole drive. maker is
-- the device whose session made it: alarms count for that device, and it ends with the device's session if that is revoked.
CREATE TABLE delegations (
  secret_hash {bytes} PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  maker {text} NOT NULL,
  generation {int} NOT NULL,
  purpose {text} NOT NULL,
  kinds {text} NOT NULL,
  folder_key {key},
  reads {int},
  read_bytes {int},
  writes {int},
  written_bytes {int},
  deletions {int},
  calls {int}
){strict};
CREATE INDEX delegations_of_account ON delegations (account_id);

-- What is used up: of the delegation itself, where link is empty, and of each token that was made from it with fewer,
-- once it is used. calls are those of a minute.
CREATE TABLE delegation_uses (
  secret_hash {bytes} NOT NULL REFERENCES delegations (secret_hash) ON DELETE CASCADE,
  link {bytes} NOT NULL,
  account_id {int} NOT NULL,
  minute {int} NOT NULL,
  reads {int} NOT NULL,
  read_bytes {int} NOT NULL,
  writes {int} NOT NULL,
  written_bytes {int} NOT NULL,
  deletions {int} NOT NULL,
  calls {int} NOT NULL,
  PRIMARY KEY (secret_hash, link)
){strict};
CREATE INDEX delegation_uses_of_account ON delegation_uses (account_id);

-- @back: nothing
DROP TABLE delegation_uses;
DROP TABLE delegations;
