-- Links that open objects to whoever has them. Only a digest of the link's token is kept. Zero means: not
-- revoked, without an end, without a limit; an empty password_hash means: no password.
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
CREATE INDEX shares_of_account ON shares (account_id, created_at, share_key) WHERE revoked_at = 0;

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
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL
){strict};

-- role: O owner (exactly one), M member, V viewer. status: A active, I invited.
CREATE TABLE board_members (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  role {text} NOT NULL CHECK (role IN ('O', 'M', 'V')),
  status {text} NOT NULL CHECK (status IN ('A', 'I')),
  joined_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id)
){strict};
CREATE UNIQUE INDEX board_members_owner ON board_members (board_key) WHERE role = 'O';
CREATE INDEX board_members_of_account ON board_members (account_id, board_key);

-- A board shows files of several accounts, each put there by its owner; an item goes when its object is
-- purged, and when its owner is no longer a member.
CREATE TABLE board_items (
  board_key {key} NOT NULL REFERENCES boards (board_key) ON DELETE CASCADE,
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  added_at {int} NOT NULL,
  PRIMARY KEY (board_key, account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
-- By the object first: a member who asks for somebody else's file knows its key and not its account.
CREATE INDEX board_items_of_object ON board_items (object_key, account_id, board_key);

-- object_key is what a comment is about; it outlives the item, as people's words do.
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
CREATE INDEX tags_recent ON tags (account_id, used_at, tag_key);

CREATE TABLE object_tags (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  tag_key {key} NOT NULL REFERENCES tags (tag_key) ON DELETE CASCADE,
  created_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, tag_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX object_tags_of_tag ON object_tags (tag_key, created_at, object_key);

-- details is the contact as the interface shows it, already encoded. A removed contact stays for a while as
-- an inactive one that has nothing but its name, so that other devices learn of it.
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
CREATE INDEX contacts_removed ON contacts (updated_at) WHERE is_active = 0;

CREATE TABLE contact_emails (
  contact_key {key} NOT NULL REFERENCES contacts (contact_key) ON DELETE CASCADE,
  position {int} NOT NULL,
  account_id {int} NOT NULL,
  email {text} NOT NULL,
  display_name {text} NOT NULL,
  name_order {bytes} NOT NULL,
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
