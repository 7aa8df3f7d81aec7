-- What a picture or video says about itself: its size in pixels as it is shown, where it was taken, in millionths of a
-- degree, and the camera's offset from UTC in minutes. They are those of one version; of another they are not read.
CREATE TABLE media_facts (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  version {int} NOT NULL,
  width {int},
  height {int},
  latitude {int},
  longitude {int},
  utc_offset {int},
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};
CREATE INDEX media_facts_located ON media_facts (account_id, object_key) WHERE latitude IS NOT NULL;

-- A background job reads the facts of everything that exists already, as it reads missing dates.
INSERT INTO undated (account_id, object_key)
  SELECT account_id, object_key FROM objects WHERE timeline_month IS NOT NULL AND status = 'A' AND mime_subtype <> 'svg+xml'
  ON CONFLICT (account_id, object_key) DO NOTHING;
INSERT INTO outbox (kind, subject, payload, run_at, attempts, lease, last_error)
  SELECT DISTINCT 'read-dates', CAST(account_id AS VARCHAR(20)), CAST('' AS {bytes}), 0, 0, '', '' FROM undated WHERE account_id >= 0
  ON CONFLICT DO NOTHING;

-- @back: nothing; a later upgrade reads again what pictures say about themselves
DROP TABLE media_facts;
