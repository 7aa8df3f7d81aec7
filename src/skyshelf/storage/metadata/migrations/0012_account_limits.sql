-- How many objects an account has, its root excepted: it is bounded, and counting them all for every new one is slow.
ALTER TABLE account_counters ADD COLUMN objects {int} NOT NULL DEFAULT 0;
UPDATE account_counters SET objects = (SELECT count(*) FROM objects o
  WHERE o.account_id = account_counters.account_id) - 1;

-- What a bound on an account's rows counts, and what is forgotten before it refuses.
CREATE INDEX board_comments_of_account ON board_comments (account_id);
CREATE INDEX shares_revoked ON shares (account_id) WHERE revoked_at > 0;
CREATE INDEX share_objects_of_account ON share_objects (account_id);
