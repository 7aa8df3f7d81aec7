-- Legal holds, rotation of secrets, and consent to a rewind by an operator.

-- @online: columns with defaults, tables and indexes alone. A server of version 0.2.0 that still runs does not know of
-- holds, and refuses codes and app passwords of secrets that were rotated: set holds and rotate after the last upgrade.


-- While held_at is not 0, nothing of the account is deleted for good (sql/holds.py). The hold is in the row that every
-- writer locks first: whoever deletes sees it, or comes before it.
ALTER TABLE account_counters ADD COLUMN held_at {int} NOT NULL DEFAULT 0;
ALTER TABLE account_counters ADD COLUMN held_by {text} NOT NULL DEFAULT '';
ALTER TABLE account_counters ADD COLUMN held_for {text} NOT NULL DEFAULT '';
CREATE INDEX account_counters_held ON account_counters (account_id) WHERE held_at > 0;

-- Generations of the secrets in settings (service/accounts/secret_table.py): a row for each that was made since version
-- 0.3.0, the value of one that was replaced only while something still depends on it. The one in use stays in settings.
CREATE TABLE secret_generations (
  name {text} NOT NULL,
  number {int} NOT NULL,
  begun_at {int} NOT NULL,
  retired_at {int} NOT NULL DEFAULT 0,
  former {bytes},
  PRIMARY KEY (name, number)
){strict};

-- Which generation a row depends on. mask turns what the secret of that generation derives into the key that the
-- authenticator app knows, for an app that was set up before that generation.
ALTER TABLE second_factors ADD COLUMN generation {int} NOT NULL DEFAULT 1;
ALTER TABLE second_factors ADD COLUMN codes_generation {int} NOT NULL DEFAULT 1;
ALTER TABLE second_factors ADD COLUMN mask {bytes};
ALTER TABLE app_passwords ADD COLUMN generation {int} NOT NULL DEFAULT 1;
ALTER TABLE shares ADD COLUMN generation {int} NOT NULL DEFAULT 1;
ALTER TABLE board_links ADD COLUMN generation {int} NOT NULL DEFAULT 1;

-- The owner lets an operator rewind the account, once and until then.
CREATE TABLE rewind_consents (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  given_at {int} NOT NULL,
  expires_at {int} NOT NULL
){strict};

-- Alarms that wait for a decision, for operators.
CREATE INDEX alarms_open ON alarms (raised_at) WHERE state = 'open';
