-- Links that open objects to whoever has them. Only a digest of the link's token is kept.
CREATE TABLE shares (
  share_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  token_hash {bytes} NOT NULL UNIQUE,
  name {text} NOT NULL,
  created_at {int} NOT NULL,
  revoked_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  password_hash {text} NOT NULL,
  download_limit {int} NOT NULL,
  downloads {int} NOT NULL,
  visits {int} NOT NULL,
  last_visit_at {int} NOT NULL
){strict};
CREATE INDEX shares_of_account ON shares (account_id, created_at, share_key);

CREATE TABLE share_objects (
  share_key {key} NOT NULL REFERENCES shares (share_key) ON DELETE CASCADE,
  position {int} NOT NULL,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  PRIMARY KEY (share_key, position),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX share_objects_of_object ON share_objects (account_id, object_key);

CREATE TABLE boards (
  board_key {key} PRIMARY KEY,
  owner_id {int} NOT NULL REFERENCES accounts (account_id),
  name {text} NOT NULL,
  description {text} NOT NULL,
  board_type {text} NOT NULL,
  status {text} NOT NULL,
  cover_key {key},
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL
){strict};

CREATE TABLE board_members (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  role {text} NOT NULL,
  status {text} NOT NULL,
  joined_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id)
){strict};
CREATE INDEX board_members_of_account ON board_members (account_id, board_key);

-- A board shows objects of several accounts; an item goes when its object is purged.
CREATE TABLE board_items (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  added_by {int} NOT NULL,
  added_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX board_items_of_object ON board_items (account_id, object_key);

CREATE TABLE board_comments (
  comment_key {key} PRIMARY KEY,
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key},
  text {text} NOT NULL,
  created_at {int} NOT NULL
){strict};
CREATE INDEX board_comments_of_board ON board_comments (board_key, created_at, comment_key);

CREATE TABLE tags (
  tag_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  name {text} NOT NULL,
  name_folded {text} NOT NULL,
  created_at {int} NOT NULL,
  used_at {int} NOT NULL,
  UNIQUE (account_id, name_folded)
){strict};

CREATE TABLE object_tags (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  tag_key {key} NOT NULL REFERENCES tags (tag_key) ON DELETE CASCADE,
  created_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, tag_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX object_tags_of_tag ON object_tags (tag_key);

CREATE TABLE contacts (
  contact_key {key} PRIMARY KEY,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  display_name {text} NOT NULL,
  name_order {bytes} NOT NULL,
  is_active {int} NOT NULL,
  updated_at {int} NOT NULL,
  details {bytes} NOT NULL
){strict};
CREATE INDEX contacts_by_name ON contacts (account_id, name_order, contact_key);

CREATE TABLE contact_emails (
  contact_key {key} NOT NULL REFERENCES contacts (contact_key) ON DELETE CASCADE,
  position {int} NOT NULL,
  account_id {int} NOT NULL,
  email {text} NOT NULL,
  display_name {text} NOT NULL,
  name_order {bytes} NOT NULL,
  is_active {int} NOT NULL,
  PRIMARY KEY (contact_key, position)
){strict};
CREATE INDEX contact_emails_by_name ON contact_emails (account_id, name_order, contact_key, position);

CREATE TABLE banners (
  banner_key {key} PRIMARY KEY,
  title {text} NOT NULL,
  text {text} NOT NULL,
  image_url {text} NOT NULL,
  action_url {text} NOT NULL,
  start_at {int} NOT NULL,
  end_at {int} NOT NULL
){strict};
