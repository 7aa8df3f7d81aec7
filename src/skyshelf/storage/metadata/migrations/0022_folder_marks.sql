-- The newest change of anything directly in a folder: a change writes here once, and not once per ancestor. What changed
-- last below a folder is the largest mark at or below it (sql/folder_marks.py). A mark is the change's number, and in its
-- lowest 20 bits the second at which it happened: after a restore from a backup, numbers are used again.
CREATE TABLE folder_marks (
  account_id {int} NOT NULL,
  folder_key {key} NOT NULL,
  mark {int} NOT NULL,
  PRIMARY KEY (account_id, folder_key),
  FOREIGN KEY (account_id, folder_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- @back: nothing; apps that sync look at every folder once
DROP TABLE folder_marks;
