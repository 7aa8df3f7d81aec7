-- What counts for whom: bytes in quarantine for the account that deleted them, and changes of links without a count.
--
-- @online: an older server leaves the columns of bytes at 0, for nobody, whose bytes go last. It leaves the count of
-- changes of links as it is; what it deletes of them counts until there are fewer.

-- The account that deleted the last version of an idle content, and of bytes that were released; 0 for nobody.
ALTER TABLE blobs ADD COLUMN idle_by {int} NOT NULL DEFAULT 0;
ALTER TABLE quarantine ADD COLUMN account_id {int} NOT NULL DEFAULT 0;
-- When its days begin: since, or when it was last found that a history needs it.
ALTER TABLE quarantine ADD COLUMN counts_from {int} NOT NULL DEFAULT 0;
CREATE INDEX quarantine_due ON quarantine (counts_from, location);
CREATE INDEX quarantine_of_account ON quarantine (account_id, since, location);
-- How many rows of link_changes the account has up to a number. Those behind it are few, and are counted.
ALTER TABLE account_counters ADD COLUMN links_counted {int} NOT NULL DEFAULT 0;
ALTER TABLE account_counters ADD COLUMN links_counted_upto {int} NOT NULL DEFAULT 0;

-- @back: nothing
ALTER TABLE account_counters DROP COLUMN links_counted_upto;
ALTER TABLE account_counters DROP COLUMN links_counted;
DROP INDEX quarantine_of_account;
DROP INDEX quarantine_due;
ALTER TABLE quarantine DROP COLUMN counts_from;
ALTER TABLE quarantine DROP COLUMN account_id;
ALTER TABLE blobs DROP COLUMN idle_by;
