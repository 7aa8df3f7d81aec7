-- @online: older servers know nothing of these tables. Changes that they make are added to the logs later, from the feed.

-- The keys that sign heads of logs (wire/proofs/heads.py), in order. Each but the first is signed by the one before it;
-- only the last has a private key and no retired_at.
CREATE TABLE history_keys (
  number {int} PRIMARY KEY,
  key_id {text} NOT NULL UNIQUE,
  public_key {bytes} NOT NULL,
  private_key {bytes},
  created_at {int} NOT NULL,
  retired_at {int} NOT NULL DEFAULT 0,
  signature {bytes} NOT NULL
){strict};

-- The log of an account's changes: a Merkle tree whose first leaf is the change start_seq. head is the signed head.
CREATE TABLE history_logs (
  account_id {int} PRIMARY KEY REFERENCES accounts (account_id),
  log_key {key} NOT NULL,
  start_seq {int} NOT NULL,
  size {int} NOT NULL,
  head {text} NOT NULL
){strict};

-- The hashes of a log, 256 in a row: of leaves, then of full rows of leaves, and so on (history/tiles.py). They stay
-- when what the changes were about is no longer kept.
CREATE TABLE history_tiles (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  place {int} NOT NULL,
  hashes {bytes} NOT NULL,
  PRIMARY KEY (account_id, place)
){strict};

-- Objects after the changes from first_seq to last_seq, as the leaves have them, while history is kept.
CREATE TABLE history_leaves (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  first_seq {int} NOT NULL,
  last_seq {int} NOT NULL,
  states {bytes} NOT NULL,
  PRIMARY KEY (account_id, first_seq)
){strict};

-- @back: the proofs of history; they begin again after another upgrade, and clients report that
DROP TABLE history_leaves;
DROP TABLE history_tiles;
DROP TABLE history_logs;
DROP TABLE history_keys;
