-- Thumbnails by the content they show. An empty location says that none can be made of it.
CREATE TABLE thumbnails (
  content {bytes} NOT NULL REFERENCES blobs (content),
  size {int} NOT NULL,
  form {text} NOT NULL,
  location {text} NOT NULL,
  bytes {int} NOT NULL,
  created_at {int} NOT NULL,
  PRIMARY KEY (content, size, form)
){strict};
CREATE INDEX thumbnails_location ON thumbnails (location) WHERE location <> '';
