-- Content whose stored bytes a read or the scrub found missing or wrong. A row counts while its content has that location:
-- replacing the content ends it, and no upload or deletion has to know of this table.
CREATE TABLE damaged_contents (
  content {bytes} PRIMARY KEY,
  location {text} NOT NULL,
  fault {text} NOT NULL,
  found_at {int} NOT NULL
){strict};
