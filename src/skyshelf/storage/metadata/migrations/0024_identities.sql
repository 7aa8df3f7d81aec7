-- @online: older servers know nothing of these tables, and nothing that they write has to be in them.

-- Who somebody is at a provider of OpenID Connect: there, issuer and subject name one person for good. email is what the
-- provider said last, and is shown to the owner. An account has at most one identity of an issuer.
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

-- Which identity opened a session, and what the provider calls its own session; empty where it gave no name.
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

-- Digests of what counts once and was used, such as the state of a login, until it would be refused for its age anyway.
CREATE TABLE spent_tokens (
  token_hash {bytes} PRIMARY KEY,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX spent_tokens_expiry ON spent_tokens (expires_at);

-- @back: links between accounts and identities at providers of OpenID Connect
DROP TABLE identity_sessions;
DROP TABLE identities;
DROP TABLE spent_tokens;
