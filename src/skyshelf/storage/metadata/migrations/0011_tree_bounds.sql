-- For a folder, how many levels of folders are below it, and the bytes of the longest path of a folder below it. Neither
-- is ever too small; both may be too large, since they do not shrink when something leaves. A move needs them to know,
-- without a walk through everything below a folder, whether it fits where it goes (sql/tree/depth.py).
ALTER TABLE objects ADD COLUMN levels_below {int} NOT NULL DEFAULT 0;
ALTER TABLE objects ADD COLUMN path_below {int} NOT NULL DEFAULT 0;

-- What the owner of a board decided about somebody, which a link does not undo: X removed, V a viewer at most. An
-- invitation by address does undo it.
CREATE TABLE board_restrictions (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  kind {text} NOT NULL CHECK (kind IN ('X', 'V')),
  PRIMARY KEY (board_key, account_id)
){strict};
CREATE INDEX board_restrictions_of_account ON board_restrictions (account_id);
