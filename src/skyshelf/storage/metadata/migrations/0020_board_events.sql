-- What people did on a board: the newest of each board, numbered under the board's lock. guest_name is set where a guest
-- added files through a link of the account. What happened before is told by the rows that are left of it.
CREATE TABLE board_events (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  seq {int} NOT NULL,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  kind {text} NOT NULL CHECK (kind IN ('created', 'joined', 'left', 'removed', 'added', 'withdrew', 'renamed')),
  files {int} NOT NULL,
  guest_name {text},
  at {int} NOT NULL,
  PRIMARY KEY (board_key, seq)
){strict};
CREATE INDEX board_events_of_account ON board_events (account_id, board_key);
INSERT INTO board_events (board_key, seq, account_id, kind, files, at)
  SELECT e.board_key, row_number() OVER (PARTITION BY e.board_key ORDER BY e.at, e.account_id, e.kind DESC),
    e.account_id, e.kind, e.files, e.at
  FROM (
    SELECT m.board_key, m.account_id, CASE WHEN m.joined_at = b.created_at THEN 'created' ELSE 'joined' END AS kind,
      0 AS files, m.joined_at AS at
    FROM board_members m JOIN boards b ON b.board_key = m.board_key WHERE m.status = 'A'
    UNION ALL
    SELECT i.board_key, i.account_id, 'added' AS kind, count(*) AS files, max(i.added_at) AS at
    FROM board_items i GROUP BY i.board_key, i.account_id, i.added_at / 86400000
  ) e;

-- @back: the activity of albums, but for what their members and files still tell
DROP TABLE board_events;
