-- wire_version is the encoding that wire is in (wire_cache.ENCODING_VERSION). Zero is no version of any release: rows
-- from before this migration count as stale, so readers encode them from their columns until the background job has
-- rewritten them.
ALTER TABLE objects ADD COLUMN wire_version {int} NOT NULL DEFAULT 0;

ALTER TABLE account_counters RENAME COLUMN trash_floor TO trash_watermark;
