PRAGMA application_id = 1397446995;
CREATE TABLE account_counters (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  change_seq INTEGER NOT NULL,
  trash_watermark INTEGER NOT NULL,
  document_used INTEGER NOT NULL CHECK (document_used >= 0),
  photo_used INTEGER NOT NULL CHECK (photo_used >= 0),
  video_used INTEGER NOT NULL CHECK (video_used >= 0),
  audio_used INTEGER NOT NULL CHECK (audio_used >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  objects INTEGER NOT NULL DEFAULT 0,
  history_used INTEGER NOT NULL DEFAULT 0 CHECK (history_used >= 0),
  history_floor INTEGER NOT NULL DEFAULT 0,
  history_swept INTEGER NOT NULL DEFAULT 0,
  history_forgotten_at INTEGER NOT NULL DEFAULT 0,
  history_days INTEGER,
  alarm_watch BLOB
, held_at INTEGER NOT NULL DEFAULT 0, held_by TEXT NOT NULL DEFAULT '', held_for TEXT NOT NULL DEFAULT '', history_since INTEGER NOT NULL DEFAULT 0, links_counted INTEGER NOT NULL DEFAULT 0, links_counted_upto INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO account_counters (account_id, change_seq, trash_watermark, document_used, photo_used, video_used, audio_used, reserved, objects, history_used, history_floor, history_swept, history_forgotten_at, history_days, alarm_watch, held_at, held_by, held_for, history_since, links_counted, links_counted_upto) VALUES (1, 2, 5, 0, 24, 0, 0, 99, 3, 12, 0, 0, 0, NULL, NULL, 0, '', '', 0, 0, 0);
INSERT INTO account_counters (account_id, change_seq, trash_watermark, document_used, photo_used, video_used, audio_used, reserved, objects, history_used, history_floor, history_swept, history_forgotten_at, history_days, alarm_watch, held_at, held_by, held_for, history_since, links_counted, links_counted_upto) VALUES (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 1699999999999, 'command:root', 'case 12/2026', 0, 0, 0);
CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  account_key BLOB NOT NULL UNIQUE,
  root_key BLOB NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  auth_provider_id INTEGER NOT NULL,
  mobile_number TEXT NOT NULL,
  is_mobile_verified INTEGER NOT NULL,
  is_email_verified INTEGER NOT NULL,
  is_operator INTEGER NOT NULL DEFAULT 0,
  default_space INTEGER NOT NULL,
  paid_space INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  delete_at INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO accounts (account_id, account_key, root_key, email, email_folded, first_name, last_name, password_hash, status, auth_provider_id, mobile_number, is_mobile_verified, is_email_verified, is_operator, default_space, paid_space, created_at, updated_at, delete_at) VALUES (1, X'018BCFE568007000B000000000000065', X'018BCFE568007000B000000000000001', 'Ada@Example.org', 'ada@example.org', 'Žofie 🌿', 'O''Hara; --', '$argon2id$', 'A', 1, '', 0, 1, 1, 1099511627776, 0, 1699999999990, 1699999999991, 0);
INSERT INTO accounts (account_id, account_key, root_key, email, email_folded, first_name, last_name, password_hash, status, auth_provider_id, mobile_number, is_mobile_verified, is_email_verified, is_operator, default_space, paid_space, created_at, updated_at, delete_at) VALUES (2, X'018BCFE568007000B000000000000066', X'018BCFE568007000B000000000000005', 'grace@example.org', 'grace@example.org', 'Žofie 🌿', 'O''Hara; --', '$argon2id$', 'A', 1, '', 0, 1, 0, 1099511627776, 0, 1699999999990, 1699999999991, 0);
CREATE TABLE alarms (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  number INTEGER NOT NULL,
  device_key TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  overwritten INTEGER NOT NULL,
  moved INTEGER NOT NULL,
  scrambled INTEGER NOT NULL,
  marked INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  decided_by TEXT NOT NULL,
  PRIMARY KEY (account_id, number)
) STRICT;
INSERT INTO alarms (account_id, number, device_key, raised_at, since, deleted, overwritten, moved, scrambled, marked, state, decided_at, decided_by) VALUES (1, 2, '6b1f1f0e-0000-4000-8000-000000000001', 1699999999997, 1699999999996, 5, 6, 7, 8, 9, 'open', 0, '');
CREATE TABLE app_passwords (
  secret_hash BLOB PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  folder_key BLOB,
  can_write INTEGER NOT NULL,
  webdav_only INTEGER NOT NULL
, generation INTEGER NOT NULL DEFAULT 1) STRICT;
INSERT INTO app_passwords (secret_hash, account_id, folder_key, can_write, webdav_only, generation) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 1, X'018BCFE568007000B000000000000002', 0, 1, 1);
CREATE TABLE archives (
  archive_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  object_keys BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO archives (archive_key, account_id, name, object_keys, expires_at) VALUES (X'018BCFE568007000B000000000000016', 1, 'Everything', X'018BCFE568007000B000000000000002018BCFE568007000B000000000000003', 1701000000000);
CREATE TABLE audit_events (
  event_id INTEGER PRIMARY KEY,
  happened_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  account_key BLOB,
  actor TEXT NOT NULL,
  address TEXT NOT NULL,
  device_key TEXT NOT NULL,
  object_key TEXT NOT NULL,
  link_key TEXT NOT NULL,
  times INTEGER NOT NULL,
  details TEXT NOT NULL
) STRICT;
INSERT INTO audit_events (event_id, happened_at, kind, account_key, actor, address, device_key, object_key, link_key, times, details) VALUES (1, 1700000000000, 'login.failed', X'018BCFE568007000B000000000000001', '', '192.0.2.7', '', '', '', 3, '');
INSERT INTO audit_events (event_id, happened_at, kind, account_key, actor, address, device_key, object_key, link_key, times, details) VALUES (2, 1700000000000, 'admin.setting-changed', NULL, 'command:root', '', '', '', '', 1, '{"setting":"trash_days","value":60}');
CREATE TABLE banners (
  banner_key BLOB PRIMARY KEY,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  image_url TEXT NOT NULL,
  action_url TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL
) STRICT;
INSERT INTO banners (banner_key, title, text, image_url, action_url, start_at, end_at) VALUES (X'018BCFE568007000B000000000000050', 'Hello', '100% yours', '', 'https://example.org', 1699999999995, 1700000000005);
CREATE TABLE blobs (
  content BLOB PRIMARY KEY,
  location TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  md5 BLOB NOT NULL,
  refs INTEGER NOT NULL CHECK (refs >= 0),
  created_at INTEGER NOT NULL,
  idle_since INTEGER NOT NULL
, idle_by INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO blobs (content, location, size, md5, refs, created_at, idle_since, idle_by) VALUES (X'0505050505050505050505050505050505050505050505050505050505050505', 'b/05/one', 12, X'07070707070707070707070707070707', 2, 1699999999997, 0, 0);
INSERT INTO blobs (content, location, size, md5, refs, created_at, idle_since, idle_by) VALUES (X'0606060606060606060606060606060606060606060606060606060606060606', 'b/06/idle', 1, X'08080808080808080808080808080808', 0, 1699999999997, 1699999999998, 0);
CREATE TABLE board_comments (
  comment_key BLOB PRIMARY KEY,
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  object_key BLOB,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  edited_at INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO board_comments (comment_key, board_key, account_id, object_key, text, created_at, edited_at) VALUES (X'018BCFE568007000B000000000000033', X'018BCFE568007000B000000000000032', 2, X'018BCFE568007000B000000000000003', 'lovely 🌿', 1700000000000, 1700000000000);
CREATE TABLE board_events (
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  kind TEXT NOT NULL CHECK (kind IN ('created', 'joined', 'left', 'removed', 'added', 'withdrew', 'renamed')),
  files INTEGER NOT NULL,
  guest_name TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (board_key, seq)
) STRICT;
INSERT INTO board_events (board_key, seq, account_id, kind, files, guest_name, at) VALUES (X'018BCFE568007000B000000000000032', 1, 1, 'added', 1, 'Grace', 1699999999999);
CREATE TABLE board_invitations (
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  email_folded TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('M', 'V')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (board_key, email_folded)
) STRICT;
INSERT INTO board_invitations (board_key, email_folded, email, role, created_at, expires_at) VALUES (X'018BCFE568007000B000000000000032', 'grace@example.org', 'Grace@example.org', 'V', 1699999999999, 1700000000001);
CREATE TABLE board_items (
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (board_key, account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO board_items (board_key, account_id, object_key, added_at) VALUES (X'018BCFE568007000B000000000000032', 1, X'018BCFE568007000B000000000000003', 1699999999999);
CREATE TABLE board_links (
  link_key BLOB PRIMARY KEY,
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('M', 'V')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
, generation INTEGER NOT NULL DEFAULT 1) STRICT;
INSERT INTO board_links (link_key, board_key, token_hash, role, created_at, expires_at, generation) VALUES (X'018BCFE568007000B000000000000033', X'018BCFE568007000B000000000000032', X'0909090909090909090909090909090909090909090909090909090909090909', 'M', 1699999999999, 1700000000001, 1);
CREATE TABLE board_members (
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  role TEXT NOT NULL CHECK (role IN ('O', 'M', 'V')),
  status TEXT NOT NULL CHECK (status IN ('A', 'I')),
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (board_key, account_id)
) STRICT;
INSERT INTO board_members (board_key, account_id, role, status, joined_at) VALUES (X'018BCFE568007000B000000000000032', 1, 'O', 'A', 1699999999998);
INSERT INTO board_members (board_key, account_id, role, status, joined_at) VALUES (X'018BCFE568007000B000000000000032', 2, 'M', 'I', 1699999999999);
CREATE TABLE board_restrictions (
  board_key BLOB NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('X', 'V')),
  PRIMARY KEY (board_key, account_id)
) STRICT;
INSERT INTO board_restrictions (board_key, account_id, kind) VALUES (X'018BCFE568007000B000000000000032', 2, 'X');
CREATE TABLE boards (
  board_key BLOB PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  board_type TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  cover_key BLOB
) STRICT;
INSERT INTO boards (board_key, owner_id, name, description, board_type, status, created_at, updated_at, cover_key) VALUES (X'018BCFE568007000B000000000000032', 1, 'Family', 'ours', 'P', 'A', 1699999999998, 1699999999999, X'018BCFE568007000B000000000000003');
CREATE TABLE changes (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  object_key BLOB NOT NULL,
  actor TEXT NOT NULL DEFAULT '',
  before_folder BLOB,
  before BLOB,
  PRIMARY KEY (account_id, seq)
) STRICT;
INSERT INTO changes (account_id, seq, at, kind, object_key, actor, before_folder, before) VALUES (1, 1, 1699999999997, 'created', X'018BCFE568007000B000000000000003', '', NULL, NULL);
INSERT INTO changes (account_id, seq, at, kind, object_key, actor, before_folder, before) VALUES (1, 2, 1700000000000, 'trashed', X'018BCFE568007000B000000000000004', '', NULL, NULL);
CREATE TABLE contact_emails (
  contact_key BLOB NOT NULL REFERENCES contacts (contact_key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  display_name TEXT NOT NULL,
  name_order BLOB NOT NULL,
  PRIMARY KEY (contact_key, position)
) STRICT;
INSERT INTO contact_emails (contact_key, position, account_id, email, display_name, name_order) VALUES (X'018BCFE568007000B000000000000046', 0, 1, 'grace@example.org', 'Grace', X'6772616365');
CREATE TABLE contacts (
  contact_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  display_name TEXT NOT NULL,
  name_order BLOB NOT NULL,
  is_active INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  details BLOB NOT NULL
) STRICT;
INSERT INTO contacts (contact_key, account_id, display_name, name_order, is_active, updated_at, details) VALUES (X'018BCFE568007000B000000000000046', 1, 'Grace', X'6772616365', 1, 1699999999999, X'7B22646973706C61794E616D65223A224772616365227D');
CREATE TABLE damaged_contents (
  content BLOB PRIMARY KEY,
  location TEXT NOT NULL,
  fault TEXT NOT NULL,
  found_at INTEGER NOT NULL
) STRICT;
INSERT INTO damaged_contents (content, location, fault, found_at) VALUES (X'0505050505050505050505050505050505050505050505050505050505050505', 'b/05/one', 'is missing', 1700000000000);
CREATE TABLE dead_properties (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account_id, object_key, namespace, name),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO dead_properties (account_id, object_key, namespace, name, value) VALUES (1, X'018BCFE568007000B000000000000003', 'urn:x', 'ü', '<x:ü>1</x:ü>');
CREATE TABLE delegation_uses (
  secret_hash BLOB NOT NULL REFERENCES delegations (secret_hash) ON DELETE CASCADE,
  link BLOB NOT NULL,
  account_id INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  reads INTEGER NOT NULL,
  read_bytes INTEGER NOT NULL,
  writes INTEGER NOT NULL,
  written_bytes INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (secret_hash, link)
) STRICT;
INSERT INTO delegation_uses (secret_hash, link, account_id, minute, reads, read_bytes, writes, written_bytes, deletions, calls) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', X'', 1, 28333333, 12, 1000000000, 1, 5, 3, 2);
CREATE TABLE delegations (
  secret_hash BLOB PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  maker TEXT NOT NULL,
  generation INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  kinds TEXT NOT NULL,
  folder_key BLOB,
  reads INTEGER,
  read_bytes INTEGER,
  writes INTEGER,
  written_bytes INTEGER,
  deletions INTEGER,
  calls INTEGER
) STRICT;
INSERT INTO delegations (secret_hash, account_id, maker, generation, purpose, kinds, folder_key, reads, read_bytes, writes, written_bytes, deletions, calls) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 1, '6b1f1f0e-0000-4000-8000-000000000001', 1, 'Tidy up the photos', 'delete list read', X'018BCFE568007000B000000000000002', 1000, 1000000000000, NULL, NULL, 20, 60);
CREATE TABLE devices (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  device_key TEXT NOT NULL,
  device_name TEXT NOT NULL,
  is_named INTEGER NOT NULL DEFAULT 0,
  device_type TEXT NOT NULL,
  platform_type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_key)
) STRICT;
INSERT INTO devices (account_id, device_key, device_name, is_named, device_type, platform_type, created_at, last_seen_at) VALUES (1, '6b1f1f0e-0000-4000-8000-000000000001', 'Laptop', 1, 'W', 'Firefox', 1699999999992, 1699999999999);
CREATE TABLE folder_marks (
  account_id INTEGER NOT NULL,
  folder_key BLOB NOT NULL,
  mark INTEGER NOT NULL,
  PRIMARY KEY (account_id, folder_key),
  FOREIGN KEY (account_id, folder_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO folder_marks (account_id, folder_key, mark) VALUES (1, X'018BCFE568007000B000000000000002', 3145728);
CREATE TABLE guest_files (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  share_key BLOB NOT NULL,
  guest_name TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO guest_files (account_id, object_key, share_key, guest_name, added_at) VALUES (1, X'018BCFE568007000B000000000000003', X'018BCFE568007000B000000000000028', 'Grace', 1699999999999);
CREATE TABLE history_keys (
  number INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  private_key BLOB,
  created_at INTEGER NOT NULL,
  retired_at INTEGER NOT NULL DEFAULT 0,
  signature BLOB NOT NULL
) STRICT;
INSERT INTO history_keys (number, key_id, public_key, private_key, created_at, retired_at, signature) VALUES (1, '00112233445566778899aabbccddeeff', X'7070707070707070707070707070707070707070707070707070707070707070', X'7373737373737373737373737373737373737373737373737373737373737373', 1700000000000, 0, X'');
CREATE TABLE history_leaves (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  states BLOB NOT NULL,
  PRIMARY KEY (account_id, first_seq)
) STRICT;
INSERT INTO history_leaves (account_id, first_seq, last_seq, states) VALUES (1, 1, 2, X'92C0C0');
CREATE TABLE history_logs (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  log_key BLOB NOT NULL,
  start_seq INTEGER NOT NULL,
  size INTEGER NOT NULL,
  head TEXT NOT NULL
) STRICT;
INSERT INTO history_logs (account_id, log_key, start_seq, size, head) VALUES (1, X'018BCFE568007000B00000000000004B', 1, 2, 'skyshelf-history/…');
CREATE TABLE history_tiles (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  place INTEGER NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (account_id, place)
) STRICT;
INSERT INTO history_tiles (account_id, place, hashes) VALUES (1, 0, X'68686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868686868');
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
INSERT INTO identities (issuer, subject, account_id, email, created_at, last_used_at) VALUES ('https://login.example.org', '248289761001', 1, 'ada@example.org', 1699999999992, 1699999999999);
CREATE TABLE identity_sessions (
  secret_hash BLOB PRIMARY KEY REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  sid TEXT NOT NULL
) STRICT;
INSERT INTO identity_sessions (secret_hash, account_id, issuer, subject, sid) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 1, 'https://login.example.org', '248289761001', '08a5019c');
CREATE TABLE kept_contents (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  object_key BLOB NOT NULL,
  version INTEGER NOT NULL,
  content BLOB NOT NULL,
  size INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, object_key, version)
) STRICT;
INSERT INTO kept_contents (account_id, object_key, version, content, size, kept_at) VALUES (1, X'018BCFE568007000B000000000000046', 1, X'0808080808080808080808080808080808080808080808080808080808080808', 12, 1700000000000);
CREATE TABLE link_changes (
  link_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  after_seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_key BLOB NOT NULL,
  other_key BLOB NOT NULL,
  name TEXT NOT NULL,
  added INTEGER NOT NULL
) STRICT;
INSERT INTO link_changes (link_id, account_id, after_seq, at, actor, kind, object_key, other_key, name, added) VALUES (1, 1, 2, 1700000000000, 'device/0011223344556677', 'tag', X'018BCFE568007000B000000000000003', X'018BCFE568007000B000000000000047', 'Urlaub', 1);
CREATE TABLE locks (
  lock_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  is_exclusive INTEGER NOT NULL,
  is_deep INTEGER NOT NULL,
  owner TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO locks (lock_key, account_id, object_key, is_exclusive, is_deep, owner, expires_at) VALUES (X'018BCFE568007000B00000000000003C', 1, X'018BCFE568007000B000000000000002', 1, 1, '<D:href>Ada</D:href>', 1700001000000);
CREATE TABLE media_facts (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  version INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  latitude INTEGER,
  longitude INTEGER,
  utc_offset INTEGER,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO media_facts (account_id, object_key, version, width, height, latitude, longitude, utc_offset) VALUES (1, X'018BCFE568007000B000000000000003', 1, 4000, 3000, 38722300, -9139300, 60);
CREATE TABLE nonces (
  nonce_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  secret_hash BLOB NOT NULL REFERENCES sessions (secret_hash) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO nonces (nonce_hash, account_id, secret_hash, expires_at) VALUES (X'0202020202020202020202020202020202020202020202020202020202020202', 1, X'0101010101010101010101010101010101010101010101010101010101010101', 1700000600000);
CREATE TABLE object_tags (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  tag_key BLOB NOT NULL REFERENCES tags (tag_key) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, object_key, tag_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO object_tags (account_id, object_key, tag_key, created_at) VALUES (1, X'018BCFE568007000B000000000000003', X'018BCFE568007000B00000000000003C', 1699999999999);
CREATE TABLE objects (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  object_key BLOB NOT NULL,
  parent_key BLOB,
  kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('A', 'T', 'P')),
  name TEXT NOT NULL,
  name_order BLOB NOT NULL,
  size INTEGER NOT NULL,
  file_created_at INTEGER NOT NULL,
  last_modified_at INTEGER NOT NULL,
  content BLOB,
  md5 BLOB,
  version INTEGER NOT NULL,
  mime_type TEXT NOT NULL,
  mime_subtype TEXT NOT NULL,
  source_name TEXT NOT NULL,
  source_folder TEXT NOT NULL,
  app_code TEXT NOT NULL,
  is_media INTEGER NOT NULL,
  is_hidden INTEGER NOT NULL,
  is_locked INTEGER NOT NULL,
  is_readonly INTEGER NOT NULL,
  is_favorite INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  created_seq INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  trashed_at INTEGER NOT NULL,
  taken_at INTEGER,
  taken_day INTEGER,
  timeline_month INTEGER,
  levels_below INTEGER NOT NULL DEFAULT 0,
  path_below INTEGER NOT NULL DEFAULT 0,
  wire_version INTEGER NOT NULL DEFAULT 0,
  wire BLOB NOT NULL, is_executable INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, parent_key) REFERENCES objects (account_id, object_key),
  CHECK ((kind = 0) = (content IS NULL))
) STRICT;
INSERT INTO objects (account_id, object_key, parent_key, kind, status, name, name_order, size, file_created_at, last_modified_at, content, md5, version, mime_type, mime_subtype, source_name, source_folder, app_code, is_media, is_hidden, is_locked, is_readonly, is_favorite, created_at, created_seq, updated_at, arrived_at, trashed_at, taken_at, taken_day, timeline_month, levels_below, path_below, wire_version, wire, is_executable) VALUES (1, X'018BCFE568007000B000000000000001', NULL, 0, 'A', 'root', X'726F6F74', 0, 1699999999995, 1699999999996, NULL, NULL, 1, '', '', 'DRIVE', '/DCIM/Kamera ü', '', 0, 0, 0, 0, 1, 1699999999997, 0, 1699999999998, 1699999999997, 0, NULL, NULL, NULL, 0, 0, 1, X'7B226F626A6563744E616D65223A22C3BC222C2275726C223A22012F646F776E6C6F6164227D', 0);
INSERT INTO objects (account_id, object_key, parent_key, kind, status, name, name_order, size, file_created_at, last_modified_at, content, md5, version, mime_type, mime_subtype, source_name, source_folder, app_code, is_media, is_hidden, is_locked, is_readonly, is_favorite, created_at, created_seq, updated_at, arrived_at, trashed_at, taken_at, taken_day, timeline_month, levels_below, path_below, wire_version, wire, is_executable) VALUES (1, X'018BCFE568007000B000000000000002', X'018BCFE568007000B000000000000001', 0, 'A', 'Urlaub ü', X'75726C61756220C3BC', 0, 1699999999995, 1699999999996, NULL, NULL, 1, '', '', 'DRIVE', '/DCIM/Kamera ü', '', 0, 0, 0, 0, 1, 1699999999997, 0, 1699999999998, 1699999999997, 0, NULL, NULL, NULL, 0, 0, 1, X'7B226F626A6563744E616D65223A22C3BC222C2275726C223A22012F646F776E6C6F6164227D', 0);
INSERT INTO objects (account_id, object_key, parent_key, kind, status, name, name_order, size, file_created_at, last_modified_at, content, md5, version, mime_type, mime_subtype, source_name, source_folder, app_code, is_media, is_hidden, is_locked, is_readonly, is_favorite, created_at, created_seq, updated_at, arrived_at, trashed_at, taken_at, taken_day, timeline_month, levels_below, path_below, wire_version, wire, is_executable) VALUES (1, X'018BCFE568007000B000000000000003', X'018BCFE568007000B000000000000002', 1, 'A', 'Straße.jpg', X'737472617373652E6A7067', 12, 1699999999995, 1699999999996, X'0505050505050505050505050505050505050505050505050505050505050505', X'07070707070707070707070707070707', 1, 'image', 'jpeg', 'DRIVE', '/DCIM/Kamera ü', '', 1, 0, 0, 0, 1, 1699999999997, 0, 1699999999998, 1699999999997, 0, 1699999999991, 1114, 24286, 0, 0, 1, X'7B226F626A6563744E616D65223A22C3BC222C2275726C223A22012F646F776E6C6F6164227D', 1);
INSERT INTO objects (account_id, object_key, parent_key, kind, status, name, name_order, size, file_created_at, last_modified_at, content, md5, version, mime_type, mime_subtype, source_name, source_folder, app_code, is_media, is_hidden, is_locked, is_readonly, is_favorite, created_at, created_seq, updated_at, arrived_at, trashed_at, taken_at, taken_day, timeline_month, levels_below, path_below, wire_version, wire, is_executable) VALUES (1, X'018BCFE568007000B000000000000004', X'018BCFE568007000B000000000000001', 1, 'T', 'Straße.jpg', X'737472617373652E6A7067', 12, 1699999999995, 1699999999996, X'0505050505050505050505050505050505050505050505050505050505050505', X'07070707070707070707070707070707', 1, 'image', 'jpeg', 'DRIVE', '/DCIM/Kamera ü', '', 1, 0, 0, 0, 1, 1699999999997, 0, 1699999999998, 1699999999997, 1700000000000, 1699999999991, 1114, 24286, 0, 0, 1, X'7B226F626A6563744E616D65223A22C3BC222C2275726C223A22012F646F776E6C6F6164227D', 1);
INSERT INTO objects (account_id, object_key, parent_key, kind, status, name, name_order, size, file_created_at, last_modified_at, content, md5, version, mime_type, mime_subtype, source_name, source_folder, app_code, is_media, is_hidden, is_locked, is_readonly, is_favorite, created_at, created_seq, updated_at, arrived_at, trashed_at, taken_at, taken_day, timeline_month, levels_below, path_below, wire_version, wire, is_executable) VALUES (2, X'018BCFE568007000B000000000000005', NULL, 0, 'A', 'root', X'726F6F74', 0, 1699999999995, 1699999999996, NULL, NULL, 1, '', '', 'DRIVE', '/DCIM/Kamera ü', '', 0, 0, 0, 0, 1, 1699999999997, 0, 1699999999998, 1699999999997, 0, NULL, NULL, NULL, 0, 0, 1, X'7B226F626A6563744E616D65223A22C3BC222C2275726C223A22012F646F776E6C6F6164227D', 0);
CREATE TABLE outbox (
  job_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload BLOB NOT NULL,
  run_at INTEGER NOT NULL,
  again_at INTEGER,
  attempts INTEGER NOT NULL,
  lease TEXT NOT NULL,
  last_error TEXT NOT NULL,
  UNIQUE (subject, kind)
) STRICT;
INSERT INTO outbox (job_id, kind, subject, payload, run_at, again_at, attempts, lease, last_error) VALUES (1, 'purge', '1', X'7B7D', 1700000000000, NULL, 2, '', 'it rained');
CREATE TABLE passkeys (
  passkey_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  credential_id BLOB NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  sign_count INTEGER NOT NULL,
  host TEXT NOT NULL,
  name TEXT NOT NULL,
  transports TEXT NOT NULL,
  is_discoverable INTEGER NOT NULL,
  is_verifying INTEGER NOT NULL,
  can_be_backed_up INTEGER NOT NULL,
  is_backed_up INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;
INSERT INTO passkeys (passkey_key, account_id, credential_id, public_key, sign_count, host, name, transports, is_discoverable, is_verifying, can_be_backed_up, is_backed_up, created_at, last_used_at) VALUES (X'018BCFE568007000B000000000000019', 1, X'0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F', X'1010101010101010101010101010101010101010101010101010101010101010', 7, 'drive.example.org', 'Blue key', 'usb nfc', 1, 1, 1, 0, 1699999999992, 1699999999999);
CREATE TABLE password_links (
  token_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL UNIQUE REFERENCES accounts (account_id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO password_links (token_hash, account_id, created_at, expires_at) VALUES (X'0909090909090909090909090909090909090909090909090909090909090909', 2, 1699999999999, 1700000000001);
CREATE TABLE promotions (
  promotion_key BLOB PRIMARY KEY,
  account_id INTEGER REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  space INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL
) STRICT;
INSERT INTO promotions (promotion_key, account_id, name, space, start_at, end_at) VALUES (X'018BCFE568007000B000000000000014', 1, 'Welcome', 1073741824, 1699999999900, 1700000000100);
INSERT INTO promotions (promotion_key, account_id, name, space, start_at, end_at) VALUES (X'018BCFE568007000B000000000000015', NULL, 'All', 1, 0, 1700000000000);
CREATE TABLE purged_objects (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  object_key BLOB NOT NULL,
  purged_seq INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  folder_key BLOB,
  state BLOB NOT NULL,
  links BLOB NOT NULL,
  PRIMARY KEY (account_id, object_key)
) STRICT;
INSERT INTO purged_objects (account_id, object_key, purged_seq, kept_at, folder_key, state, links) VALUES (1, X'018BCFE568007000B000000000000046', 2, 1700000000000, X'018BCFE568007000B000000000000002', X'9101', X'90');
CREATE TABLE quarantine (
  location TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('blob', 'upload')),
  content BLOB,
  md5 BLOB,
  size INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('released', 'orphan', 'repair', 'replaced')),
  since INTEGER NOT NULL,
  deleting INTEGER NOT NULL CHECK (deleting IN (0, 1))
, account_id INTEGER NOT NULL DEFAULT 0, counts_from INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO quarantine (location, kind, content, md5, size, reason, since, deleting, account_id, counts_from) VALUES ('b/07/one', 'blob', X'0707070707070707070707070707070707070707070707070707070707070707', X'07070707070707070707070707070707', 12, 'released', 1699999999997, 0, 0, 0);
INSERT INTO quarantine (location, kind, content, md5, size, reason, since, deleting, account_id, counts_from) VALUES ('FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF', 'upload', NULL, NULL, 34, 'orphan', 1699999999998, 1, 0, 0);
CREATE TABLE recovery_codes (
  account_id INTEGER NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
  code_hash BLOB NOT NULL,
  PRIMARY KEY (account_id, code_hash)
) STRICT;
INSERT INTO recovery_codes (account_id, code_hash) VALUES (1, X'0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D');
CREATE TABLE rewind_consents (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  given_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO rewind_consents (account_id, given_at, expires_at) VALUES (2, 1699999999998, 1700000000002);
CREATE TABLE rewind_items (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  rewind_key BLOB NOT NULL,
  object_key BLOB NOT NULL,
  rank INTEGER NOT NULL,
  what TEXT NOT NULL,
  target BLOB,
  problem TEXT NOT NULL,
  PRIMARY KEY (account_id, rewind_key, object_key)
) STRICT;
INSERT INTO rewind_items (account_id, rewind_key, object_key, rank, what, target, problem) VALUES (1, X'018BCFE568007000B000000000000048', X'018BCFE568007000B000000000000003', 2, 'bring', NULL, 'contentGone');
CREATE TABLE rewinds (
  rewind_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  state TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  folder_key BLOB,
  actor TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  undo_of BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  place BLOB NOT NULL,
  counts BLOB NOT NULL
) STRICT;
INSERT INTO rewinds (rewind_key, account_id, state, seq, at, upto, folder_key, actor, asked_by, undo_of, created_at, updated_at, place, counts) VALUES (X'018BCFE568007000B000000000000048', 1, 'done', 1, 1700000000000, 2, X'018BCFE568007000B000000000000002', 'device/', 'device/0011223344556677', NULL, 1700000000000, 1700000000000, X'90', X'80');
CREATE TABLE schema_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
INSERT INTO schema_migrations (number, name, applied_at) VALUES (1, 'initial', 1700000000000);
INSERT INTO schema_migrations (number, name, applied_at) VALUES (2, 'rights', 1700000000000);
INSERT INTO schema_migrations (number, name, applied_at) VALUES (3, 'history_since', 1700000000000);
INSERT INTO schema_migrations (number, name, applied_at) VALUES (4, 'counted', 1700000000000);
INSERT INTO schema_migrations (number, name, applied_at) VALUES (5, 'executable', 1700000000000);
INSERT INTO schema_migrations (number, name, applied_at) VALUES (6, 'delegations', 1700000000000);
CREATE TABLE search_entries (
  entry INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  UNIQUE (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO search_entries (entry, account_id, object_key) VALUES (1099511627777, 1, X'018BCFE568007000B000000000000003');
CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE second_factors (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (account_id),
  salt BLOB NOT NULL,
  begun_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL
, generation INTEGER NOT NULL DEFAULT 1, codes_generation INTEGER NOT NULL DEFAULT 1, mask BLOB) STRICT;
INSERT INTO second_factors (account_id, salt, begun_at, confirmed_at, last_step, generation, codes_generation, mask) VALUES (1, X'0C0C0C0C0C0C0C0C0C0C0C0C0C0C0C0C', 1699999999991, 1699999999992, 56666666, 2, 1, X'0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E');
CREATE TABLE secret_generations (
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  retired_at INTEGER NOT NULL DEFAULT 0,
  former BLOB,
  PRIMARY KEY (name, number)
) STRICT;
INSERT INTO secret_generations (name, number, begun_at, retired_at, former) VALUES ('signing-key', 1, 0, 1699999999995, X'FF0020666F726D6572');
INSERT INTO secret_generations (name, number, begun_at, retired_at, former) VALUES ('signing-key', 2, 1699999999995, 0, NULL);
CREATE TABLE sessions (
  secret_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL,
  device_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, device_key),
  FOREIGN KEY (account_id, device_key) REFERENCES devices (account_id, device_key)
) STRICT;
INSERT INTO sessions (secret_hash, account_id, device_key, created_at, last_used_at, expires_at) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 1, '6b1f1f0e-0000-4000-8000-000000000001', 1699999999992, 1699999999999, 1701000000000);
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
INSERT INTO settings (name, value) VALUES ('signing-key', X'00FF20736563726574');
CREATE TABLE share_objects (
  share_key BLOB NOT NULL REFERENCES shares (share_key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  PRIMARY KEY (share_key, position),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO share_objects (share_key, position, account_id, object_key) VALUES (X'018BCFE568007000B000000000000028', 0, 1, X'018BCFE568007000B000000000000002');
CREATE TABLE shares (
  share_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  token_hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  password_hash TEXT NOT NULL,
  download_limit INTEGER NOT NULL,
  downloads INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  last_visit_at INTEGER NOT NULL,
  board_key BLOB REFERENCES boards (board_key) ON DELETE CASCADE,
  rights TEXT NOT NULL DEFAULT 'V' CHECK (rights IN ('V', 'A', 'U')),
  upload_limit INTEGER NOT NULL DEFAULT 0,
  upload_bytes INTEGER NOT NULL DEFAULT 0,
  uploads INTEGER NOT NULL DEFAULT 0,
  upload_hour INTEGER NOT NULL DEFAULT 0,
  uploads_in_hour INTEGER NOT NULL DEFAULT 0
, generation INTEGER NOT NULL DEFAULT 1) STRICT;
INSERT INTO shares (share_key, account_id, token_hash, name, created_at, revoked_at, expires_at, password_hash, download_limit, downloads, visits, last_visit_at, board_key, rights, upload_limit, upload_bytes, uploads, upload_hour, uploads_in_hour, generation) VALUES (X'018BCFE568007000B000000000000028', 1, X'0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B', '14Nov2023_221320', 1699999999999, 0, 1701000000000, '', 3, 1, 2, 1700000000000, NULL, 'V', 0, 0, 0, 0, 0, 1);
CREATE TABLE spent_tokens (
  token_hash BLOB PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO spent_tokens (token_hash, expires_at) VALUES (X'0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E0E', 1700000600000);
CREATE TABLE tags (
  tag_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  UNIQUE (account_id, name_folded)
) STRICT;
INSERT INTO tags (tag_key, account_id, name, name_folded, created_at, used_at) VALUES (X'018BCFE568007000B00000000000003C', 1, 'Sommer', 'sommer', 1699999999998, 1699999999999);
CREATE TABLE throttles (
  bucket BLOB PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  closed_until INTEGER NOT NULL
) STRICT;
INSERT INTO throttles (bucket, failures, last_failure_at, closed_until) VALUES (X'0303030303030303030303030303030303030303030303030303030303030303', 4, 1699999999999, 1700000000005);
CREATE TABLE thumbnails (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  content BLOB NOT NULL REFERENCES blobs (content),
  size INTEGER NOT NULL,
  form TEXT NOT NULL,
  location TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  renderer INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  idle_since INTEGER NOT NULL DEFAULT 0,
  placeholder BLOB,
  PRIMARY KEY (account_id, content, size, form)
) STRICT;
INSERT INTO thumbnails (account_id, content, size, form, location, bytes, renderer, retry_at, created_at, idle_since, placeholder) VALUES (1, X'0505050505050505050505050505050505050505050505050505050505050505', 512, 'jpeg', 't/05/one', 345, 1, 0, 1700000000000, 0, X'524946462074696E79');
CREATE TABLE timeline_months (
  account_id INTEGER NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  month INTEGER NOT NULL,
  parent_key BLOB NOT NULL,
  files INTEGER NOT NULL CHECK (files >= 0),
  PRIMARY KEY (account_id, month, parent_key)
) STRICT;
INSERT INTO timeline_months (account_id, month, parent_key, files) VALUES (1, 24286, X'018BCFE568007000B000000000000002', 1);
CREATE TABLE undated (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
) STRICT;
INSERT INTO undated (account_id, object_key) VALUES (1, X'018BCFE568007000B000000000000003');
CREATE TABLE upload_parts (
  upload_key BLOB NOT NULL REFERENCES uploads (upload_key) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  size INTEGER NOT NULL,
  md5 BLOB NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (upload_key, start)
) STRICT;
INSERT INTO upload_parts (upload_key, start, size, md5, token) VALUES (X'018BCFE568007000B00000000000001E', 0, 40, X'0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A', 'part-1');
CREATE TABLE uploads (
  upload_key BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (account_id),
  parent_key BLOB NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  md5 BLOB NOT NULL,
  received INTEGER NOT NULL CHECK (received >= 0 AND received <= size),
  details BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, parent_key, name, size, md5)
) STRICT;
INSERT INTO uploads (upload_key, account_id, parent_key, name, size, md5, received, details, created_at, updated_at) VALUES (X'018BCFE568007000B00000000000001E', 1, X'018BCFE568007000B000000000000002', 'film.mp4', 99, X'09090909090909090909090909090909', 40, X'7B22617070636F6465223A2264676C227D', 1699999999998, 1699999999999);
CREATE TABLE versions (
  account_id INTEGER NOT NULL,
  object_key BLOB NOT NULL,
  version INTEGER NOT NULL,
  content BLOB NOT NULL REFERENCES blobs (content),
  md5 BLOB NOT NULL,
  size INTEGER NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('document', 'photo', 'video', 'audio')),
  mime_type TEXT NOT NULL,
  mime_subtype TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  file_created_at INTEGER NOT NULL,
  last_modified_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, object_key, version),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key)
) STRICT;
INSERT INTO versions (account_id, object_key, version, content, md5, size, category, mime_type, mime_subtype, created_at, created_by, file_created_at, last_modified_at) VALUES (1, X'018BCFE568007000B000000000000003', 1, X'0505050505050505050505050505050505050505050505050505050505050505', X'07070707070707070707070707070707', 12, 'photo', 'image', 'jpeg', 1699999999997, 'Žofie', 1699999999995, 1699999999996);
INSERT INTO versions (account_id, object_key, version, content, md5, size, category, mime_type, mime_subtype, created_at, created_by, file_created_at, last_modified_at) VALUES (1, X'018BCFE568007000B000000000000004', 1, X'0505050505050505050505050505050505050505050505050505050505050505', X'07070707070707070707070707070707', 12, 'photo', 'image', 'jpeg', 1699999999997, 'Žofie', 1699999999995, 1699999999996);
CREATE INDEX account_counters_held ON account_counters (account_id) WHERE held_at > 0;
CREATE INDEX account_counters_history ON account_counters (history_since);
CREATE INDEX account_counters_own_history ON account_counters ((history_since + history_days * 86400000))
  WHERE history_days IS NOT NULL;
CREATE INDEX accounts_operators ON accounts (account_id) WHERE is_operator = 1;
CREATE INDEX alarms_open ON alarms (raised_at) WHERE state = 'open';
CREATE INDEX app_passwords_of_account ON app_passwords (account_id);
CREATE INDEX archives_expiry ON archives (expires_at);
CREATE INDEX archives_of_account ON archives (account_id, expires_at);
CREATE INDEX audit_events_age ON audit_events (happened_at);
CREATE INDEX audit_events_of_account ON audit_events (account_key, event_id);
CREATE INDEX blobs_idle ON blobs (idle_since) WHERE refs = 0;
CREATE INDEX board_comments_of_account ON board_comments (account_id);
CREATE INDEX board_comments_of_board ON board_comments (board_key, created_at, comment_key);
CREATE INDEX board_events_of_account ON board_events (account_id, board_key);
CREATE INDEX board_invitations_of_address ON board_invitations (email_folded, created_at, board_key);
CREATE INDEX board_items_of_object ON board_items (object_key, account_id, board_key);
CREATE INDEX board_links_of_board ON board_links (board_key, created_at, link_key);
CREATE INDEX board_members_of_account ON board_members (account_id, board_key);
CREATE UNIQUE INDEX board_members_owner ON board_members (board_key) WHERE role = 'O';
CREATE INDEX board_restrictions_of_account ON board_restrictions (account_id);
CREATE INDEX changes_age ON changes (at);
CREATE INDEX changes_of_folder ON changes (account_id, before_folder, seq) WHERE before_folder IS NOT NULL;
CREATE INDEX changes_of_object ON changes (account_id, object_key, seq) WHERE before IS NOT NULL;
CREATE INDEX contact_emails_by_name ON contact_emails (account_id, name_order, contact_key, position);
CREATE INDEX contacts_by_name ON contacts (account_id, name_order, contact_key);
CREATE INDEX contacts_removed ON contacts (updated_at) WHERE is_active = 0;
CREATE INDEX delegation_uses_of_account ON delegation_uses (account_id);
CREATE INDEX delegations_of_account ON delegations (account_id);
CREATE INDEX devices_age ON devices (last_seen_at);
CREATE UNIQUE INDEX identities_of_account ON identities (account_id, issuer);
CREATE INDEX identity_sessions_of_account ON identity_sessions (account_id);
CREATE INDEX identity_sessions_of_sid ON identity_sessions (issuer, sid);
CREATE INDEX identity_sessions_of_subject ON identity_sessions (issuer, subject);
CREATE INDEX kept_contents_age ON kept_contents (account_id, kept_at);
CREATE INDEX kept_contents_of_content ON kept_contents (content);
CREATE INDEX link_changes_in_order ON link_changes (account_id, link_id);
CREATE INDEX link_changes_of_object ON link_changes (account_id, object_key, link_id);
CREATE INDEX locks_expiry ON locks (expires_at);
CREATE INDEX locks_of_object ON locks (account_id, object_key);
CREATE INDEX media_facts_located ON media_facts (account_id, object_key) WHERE latitude IS NOT NULL;
CREATE INDEX nonces_expiry ON nonces (expires_at);
CREATE INDEX nonces_session ON nonces (secret_hash);
CREATE INDEX object_tags_of_tag ON object_tags (tag_key, created_at, object_key);
CREATE INDEX objects_by_created ON objects (account_id, parent_key, kind, file_created_at, object_key)
  WHERE status = 'A';
CREATE INDEX objects_by_modified ON objects (account_id, parent_key, kind, last_modified_at, object_key)
  WHERE status = 'A';
CREATE INDEX objects_by_name ON objects (account_id, parent_key, status, kind, name_order, object_key);
CREATE INDEX objects_by_size ON objects (account_id, parent_key, kind, size, object_key) WHERE status = 'A';
CREATE INDEX objects_favorites ON objects (account_id, arrived_at, object_key)
  WHERE status = 'A' AND is_favorite = 1;
CREATE INDEX objects_favorites_by_name ON objects (account_id, name_order, object_key)
  WHERE status = 'A' AND is_favorite = 1;
CREATE UNIQUE INDEX objects_name ON objects (account_id, parent_key, name) WHERE status = 'A';
CREATE INDEX objects_of_app ON objects (account_id, app_code, arrived_at, object_key)
  WHERE status = 'A' AND app_code <> '';
CREATE INDEX objects_old_trash ON objects (trashed_at) WHERE status = 'T';
CREATE INDEX objects_purging ON objects (account_id, object_key) WHERE status = 'P';
CREATE INDEX objects_recent ON objects (account_id, is_media, arrived_at, object_key) WHERE status = 'A' AND kind = 1;
CREATE INDEX objects_taken_day ON objects (account_id, taken_day, taken_at, object_key)
  WHERE status = 'A' AND taken_day IS NOT NULL;
CREATE INDEX objects_timeline ON objects
  (account_id, timeline_month, (coalesce(taken_at, file_created_at)), object_key, parent_key)
  WHERE status = 'A' AND timeline_month IS NOT NULL;
CREATE INDEX objects_trash ON objects (account_id, trashed_at, object_key) WHERE status = 'T';
CREATE INDEX outbox_due ON outbox (run_at, job_id);
CREATE INDEX outbox_failing ON outbox (attempts, job_id) WHERE last_error <> '';
CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);
CREATE INDEX password_links_expiry ON password_links (expires_at);
CREATE INDEX promotions_of_account ON promotions (account_id, start_at);
CREATE INDEX purged_objects_age ON purged_objects (account_id, kept_at);
CREATE INDEX purged_objects_of_folder ON purged_objects (account_id, folder_key, object_key)
  WHERE folder_key IS NOT NULL;
CREATE INDEX quarantine_age ON quarantine (since, location);
CREATE INDEX quarantine_deleting ON quarantine (location) WHERE deleting = 1;
CREATE INDEX quarantine_due ON quarantine (counts_from, location);
CREATE INDEX quarantine_of_account ON quarantine (account_id, since, location);
CREATE INDEX quarantine_of_content ON quarantine (content);
CREATE INDEX quarantine_of_reason ON quarantine (reason, since, location);
CREATE INDEX rewind_items_in_order ON rewind_items (account_id, rewind_key, rank, object_key);
CREATE INDEX rewinds_of_account ON rewinds (account_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX share_objects_of_account ON share_objects (account_id);
CREATE INDEX share_objects_of_object ON share_objects (account_id, object_key);
CREATE INDEX shares_of_account ON shares (account_id, created_at, share_key) WHERE revoked_at = 0;
CREATE INDEX shares_of_board ON shares (board_key) WHERE board_key IS NOT NULL;
CREATE INDEX shares_revoked ON shares (account_id) WHERE revoked_at > 0;
CREATE INDEX spent_tokens_expiry ON spent_tokens (expires_at);
CREATE INDEX tags_recent ON tags (account_id, used_at, tag_key);
CREATE INDEX throttles_age ON throttles (last_failure_at);
CREATE INDEX thumbnails_idle ON thumbnails (idle_since) WHERE idle_since > 0;
CREATE INDEX thumbnails_location ON thumbnails (location) WHERE location <> '';
CREATE INDEX thumbnails_of_content ON thumbnails (content);
CREATE INDEX uploads_age ON uploads (updated_at);
CREATE INDEX versions_by_content ON versions (content);
CREATE INDEX versions_by_md5 ON versions (account_id, md5, size);
