-- The second factor of an account. What its authenticator knows is derived from the salt and from a secret of the
-- server, and is in no table. confirmed_at is zero until a first code has shown that the authenticator knows it.
CREATE TABLE second_factors (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  salt {bytes} NOT NULL,
  begun_at {int} NOT NULL,
  confirmed_at {int} NOT NULL,
  -- The newest step of time whose code was taken: no code counts twice.
  last_step {int} NOT NULL
){strict};

-- What is left of the codes for the day on which the authenticator is lost, as digests.
CREATE TABLE recovery_codes (
  account_id {int} NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
  code_hash {bytes} NOT NULL,
  PRIMARY KEY (account_id, code_hash)
){strict};
