-- What a change needs to be taken back, and who made it. `before` is the object as it was (history/records.py); it is
-- NULL for a new object, and once the history of that time is no longer kept. before_folder is its folder if it was
-- active: what a folder held is one range of an index.
ALTER TABLE changes ADD COLUMN actor {text} NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN before {bytes};
ALTER TABLE changes ADD COLUMN before_folder {key};
CREATE INDEX changes_of_object ON changes (account_id, object_key, seq) WHERE before IS NOT NULL;
CREATE INDEX changes_of_folder ON changes (account_id, before_folder, seq) WHERE before_folder IS NOT NULL;

-- The change that made an object; 0 where it is older than this column.
ALTER TABLE objects ADD COLUMN created_seq {int} NOT NULL DEFAULT 0;

-- History is whole after the change history_floor; what was before the columns existed is not known. Up to the change
-- history_swept, records were taken out of the changes; what was kept up to history_forgotten_at is no longer wanted.
-- history_days is the account's own choice, NULL for the operator's.
ALTER TABLE account_counters ADD COLUMN history_floor {int} NOT NULL DEFAULT 0;
ALTER TABLE account_counters ADD COLUMN history_swept {int} NOT NULL DEFAULT 0;
ALTER TABLE account_counters ADD COLUMN history_forgotten_at {int} NOT NULL DEFAULT 0;
ALTER TABLE account_counters ADD COLUMN history_days {int};
UPDATE account_counters SET history_floor = change_seq, history_swept = change_seq;

-- Objects that were deleted for good, as they were, while history is kept. folder_key is set for those that were active
-- below a folder that was deleted. links are tags, share links and boards that they were in.
CREATE TABLE purged_objects (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key} NOT NULL,
  purged_seq {int} NOT NULL,
  kept_at {int} NOT NULL,
  folder_key {key},
  state {bytes} NOT NULL,
  links {bytes} NOT NULL,
  PRIMARY KEY (account_id, object_key)
){strict};
CREATE INDEX purged_objects_of_folder ON purged_objects (account_id, folder_key, object_key)
  WHERE folder_key IS NOT NULL;
CREATE INDEX purged_objects_age ON purged_objects (account_id, kept_at);

-- Contents of versions that were deleted, while history is kept: their bytes stay in quarantine for as long. They are no
-- references of files, and the quota does not count them.
CREATE TABLE kept_contents (
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  object_key {key} NOT NULL,
  version {int} NOT NULL,
  content {bytes} NOT NULL,
  size {int} NOT NULL,
  kept_at {int} NOT NULL,
  PRIMARY KEY (account_id, object_key, version)
){strict};
CREATE INDEX kept_contents_age ON kept_contents (account_id, kept_at);
CREATE INDEX kept_contents_of_content ON kept_contents (content);

-- Tags, share links and boards that an object came into (added = 1) or left. after_seq is the newest change of that time.
CREATE TABLE link_changes (
  link_id {serial},
  account_id {int} NOT NULL REFERENCES accounts (account_id),
  after_seq {int} NOT NULL,
  at {int} NOT NULL,
  actor {text} NOT NULL,
  kind {text} NOT NULL,
  object_key {key} NOT NULL,
  other_key {key} NOT NULL,
  name {text} NOT NULL,
  added {int} NOT NULL
){strict};
CREATE INDEX link_changes_of_object ON link_changes (account_id, object_key, link_id);
CREATE INDEX link_changes_in_order ON link_changes (account_id, link_id);

-- @back: what objects were like before their changes, and contents that only history keeps
DROP TABLE link_changes;
DROP TABLE kept_contents;
DROP TABLE purged_objects;
ALTER TABLE account_counters DROP COLUMN history_days;
ALTER TABLE account_counters DROP COLUMN history_forgotten_at;
ALTER TABLE account_counters DROP COLUMN history_swept;
ALTER TABLE account_counters DROP COLUMN history_floor;
ALTER TABLE objects DROP COLUMN created_seq;
DROP INDEX changes_of_folder;
DROP INDEX changes_of_object;
ALTER TABLE changes DROP COLUMN before_folder;
ALTER TABLE changes DROP COLUMN before;
ALTER TABLE changes DROP COLUMN actor;
