-- A picture of a few pixels, shown until the thumbnail has loaded.
ALTER TABLE thumbnails ADD COLUMN placeholder {bytes};
