"""Everything that must survive: metadata in a database, blobs on a disk or in a bucket. No HTTP, no use cases."""
