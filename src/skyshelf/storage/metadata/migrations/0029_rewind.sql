-- @online: older servers know nothing of these tables, and nothing that they write has to be in them.

-- Rewinds: seq is the moment, upto the newest change when it was asked for. actor is whose changes are undone, empty
-- for everybody's. place is where the job stands, counts what it has done (history/rewinds.py).
CREATE TABLE rewinds (
  rewind_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  state {text} NOT NULL,
  seq {int} NOT NULL,
  at {int} NOT NULL,
  upto {int} NOT NULL,
  folder_key {key},
  actor {text} NOT NULL,
  asked_by {text} NOT NULL,
  undo_of {key},
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  place {bytes} NOT NULL,
  counts {bytes} NOT NULL
){strict};
CREATE INDEX rewinds_of_account ON rewinds (account_id, created_at);

-- What a rewind does to each object, in the order of rank: the object as it is to be, and why it cannot.
CREATE TABLE rewind_items (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  rewind_key {key} NOT NULL,
  object_key {key} NOT NULL,
  rank {int} NOT NULL,
  what {text} NOT NULL,
  target {bytes},
  problem {text} NOT NULL,
  PRIMARY KEY (account_id, rewind_key, object_key)
){strict};
CREATE INDEX rewind_items_in_order ON rewind_items (account_id, rewind_key, rank, object_key);

-- @back: rewinds that are running, and the list of those that have ended
DROP TABLE rewind_items;
DROP TABLE rewinds;
