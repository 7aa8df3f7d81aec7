-- A link to a board shows what is on the board, while the link's account owns it. rights: V look, A look and add, U send
-- files without looking. upload_limit and upload_bytes are the most files in all and the largest file; zero means: the
-- server's own limits. uploads_in_hour counts those since upload_hour, an hour of the epoch.
ALTER TABLE shares ADD COLUMN board_key {key} REFERENCES boards (board_key) ON DELETE CASCADE;
ALTER TABLE shares ADD COLUMN rights {text} NOT NULL DEFAULT 'V' CHECK (rights IN ('V', 'A', 'U'));
ALTER TABLE shares ADD COLUMN upload_limit {int} NOT NULL DEFAULT 0;
ALTER TABLE shares ADD COLUMN upload_bytes {int} NOT NULL DEFAULT 0;
ALTER TABLE shares ADD COLUMN uploads {int} NOT NULL DEFAULT 0;
ALTER TABLE shares ADD COLUMN upload_hour {int} NOT NULL DEFAULT 0;
ALTER TABLE shares ADD COLUMN uploads_in_hour {int} NOT NULL DEFAULT 0;
CREATE INDEX shares_of_board ON shares (board_key) WHERE board_key IS NOT NULL;

-- Who sent a file through a link. The link may be gone by now.
CREATE TABLE guest_files (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  share_key {key} NOT NULL,
  guest_name {text} NOT NULL,
  added_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
