-- Invitations to a board by an address, whether or not an account has it: who invites cannot tell. Nobody is on
-- a board before they have accepted, so that members are active ones alone from now on.
CREATE TABLE board_invitations (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  email_folded {text} NOT NULL,
  email {text} NOT NULL,
  role {text} NOT NULL CHECK (role IN ('M', 'V')),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  PRIMARY KEY (board_key, email_folded)
){strict};
CREATE INDEX board_invitations_of_address ON board_invitations (email_folded, created_at, board_key);
INSERT INTO board_invitations (board_key, email_folded, email, role, created_at, expires_at)
  SELECT m.board_key, a.email_folded, a.email, m.role, m.joined_at, m.joined_at + 2592000000
  FROM board_members m JOIN accounts a ON a.account_id = m.account_id WHERE m.status = 'I' AND m.role <> 'O';
DELETE FROM board_members WHERE status = 'I';

-- Links that bring whoever has them onto a board. Only a digest of the link's token is kept.
CREATE TABLE board_links (
  link_key {key} PRIMARY KEY,
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  token_hash {bytes} NOT NULL UNIQUE,
  role {text} NOT NULL CHECK (role IN ('M', 'V')),
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL
){strict};
CREATE INDEX board_links_of_board ON board_links (board_key, created_at, link_key);

-- The item that stands for the board; it counts while the board shows it.
ALTER TABLE boards ADD COLUMN cover_key {key};
ALTER TABLE board_comments ADD COLUMN edited_at {int} NOT NULL DEFAULT 0;

-- The month of a picture or a video, counted from year 0: when it was taken, by the camera's own clock, or else
-- when the file was made, in UTC. The arithmetic is that of the calendar, with years that begin in March.
ALTER TABLE objects ADD COLUMN timeline_month {int};
UPDATE objects SET timeline_month = (
  SELECT m + CASE WHEN taken_day IS NULL THEN 0
    WHEN taken_day / 100 - m % 12 - 1 IN (1, -11) THEN 1
    WHEN taken_day / 100 - m % 12 - 1 IN (-1, 11) THEN -1 ELSE 0 END
  FROM (SELECT y * 12 + (5 * (doe - (365 * yoe + yoe / 4 - yoe / 100)) + 2) / 153 + 2 AS m
  FROM (SELECT yoe + era * 400 AS y, yoe, doe
  FROM (SELECT era, doe, (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365 AS yoe
  FROM (SELECT z / 146097 AS era, z % 146097 AS doe
  FROM (SELECT (coalesce(taken_at, file_created_at) + 62162035200000) / 86400000 AS z) e) d) c) b) a)
  WHERE is_media = 1 AND kind = 1;
CREATE INDEX objects_timeline ON objects
  (account_id, timeline_month, (coalesce(taken_at, file_created_at)), object_key, parent_key)
  WHERE status = 'A' AND timeline_month IS NOT NULL;

-- How many active pictures and videos of a month a folder has: months are counted without counting pictures, and
-- what is below a trashed folder is left out by one look at the folder.
CREATE TABLE timeline_months (
  account_id {int} NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  month {int} NOT NULL,
  parent_key {key} NOT NULL,
  files {int} NOT NULL CHECK (files >= 0),
  PRIMARY KEY (account_id, month, parent_key)
){strict};
INSERT INTO timeline_months (account_id, month, parent_key, files)
  SELECT account_id, timeline_month, parent_key, count(*) FROM objects
  WHERE status = 'A' AND timeline_month IS NOT NULL AND parent_key IS NOT NULL
  GROUP BY account_id, timeline_month, parent_key;

CREATE INDEX objects_favorites ON objects (account_id, arrived_at, object_key)
  WHERE status = 'A' AND is_favorite = 1;
CREATE INDEX objects_favorites_by_name ON objects (account_id, name_order, object_key)
  WHERE status = 'A' AND is_favorite = 1;
