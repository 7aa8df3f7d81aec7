-- What happened: rows are added, and deleted when they are old, but never changed. The account is known by its key,
-- without a reference: the record outlives the account, and no later account can have the same key.
CREATE TABLE audit_events (
  event_id {serial},
  happened_at {int} NOT NULL,
  kind {text} NOT NULL,
  account_key {key},
  actor {text} NOT NULL,
  address {text} NOT NULL,
  device_key {text} NOT NULL,
  object_key {text} NOT NULL,
  link_key {text} NOT NULL,
  times {int} NOT NULL,
  details {text} NOT NULL
){strict};
CREATE INDEX audit_events_of_account ON audit_events (account_key, event_id);
CREATE INDEX audit_events_age ON audit_events (happened_at);

-- @back: the record of events
DROP TABLE audit_events;
