-- Unreferenced bytes: where they are, and since when. They stay there for a while, so that a mistake can
-- be undone; deleting is 1 from the moment on when it cannot.
CREATE TABLE quarantine (
  location {text} PRIMARY KEY,
  kind {text} NOT NULL CHECK (kind IN ('blob', 'upload')),
  content {bytes},
  md5 {bytes},
  size {int} NOT NULL,
  reason {text} NOT NULL CHECK (reason IN ('released', 'orphan', 'repair', 'replaced')),
  since {int} NOT NULL,
  deleting {int} NOT NULL CHECK (deleting IN (0, 1))
){strict};
CREATE INDEX quarantine_age ON quarantine (since, location);
CREATE INDEX quarantine_of_reason ON quarantine (reason, since, location);
CREATE INDEX quarantine_of_content ON quarantine (content);
CREATE INDEX quarantine_deleting ON quarantine (location) WHERE deleting = 1;
