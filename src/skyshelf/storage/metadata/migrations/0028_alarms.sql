-- @online: older servers do not count, and what they write does not have to be counted.

-- What each device did lately (alarms/watch.py), in the row that every writer updates anyway.
ALTER TABLE account_counters ADD COLUMN alarm_watch {bytes};

-- A device did too much at once, and waits until its owner decides. number is that of the change which was too much.
CREATE TABLE alarms (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  number {int} NOT NULL,
  device_key {text} NOT NULL,
  raised_at {int} NOT NULL,
  since {int} NOT NULL,
  deleted {int} NOT NULL,
  overwritten {int} NOT NULL,
  moved {int} NOT NULL,
  scrambled {int} NOT NULL,
  state {text} NOT NULL,
  decided_at {int} NOT NULL,
  decided_by {text} NOT NULL,
  PRIMARY KEY (account_id, number)
){strict};

-- @back: alarms, and the limits that accounts have chosen for them
DROP TABLE alarms;
ALTER TABLE account_counters DROP COLUMN alarm_watch;
