-- History expires by what is due, and not by a look at every account.
--
-- @online: older servers do not know the column; it may then be too early, and costs one look more.

-- Nothing that the account's history keeps is older than this. A run that finds nothing to expire moves it on; 0 is due
-- at once.
ALTER TABLE account_counters ADD COLUMN history_since {int} NOT NULL DEFAULT 0;
CREATE INDEX account_counters_history ON account_counters (history_since);
-- Accounts with their own choice of days, by when it is next due.
CREATE INDEX account_counters_own_history ON account_counters ((history_since + history_days * 86400000))
  WHERE history_days IS NOT NULL;

-- @back: nothing
DROP INDEX account_counters_own_history;
DROP INDEX account_counters_history;
ALTER TABLE account_counters DROP COLUMN history_since;
