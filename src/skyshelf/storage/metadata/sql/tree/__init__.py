"""The tree in SQL: rows and their stored JSON, listings, batches of changes, visibility, timeline and purging."""
