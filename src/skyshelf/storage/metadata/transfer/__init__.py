"""All rows of one metadata store into another: for backups, for restoring them, and for a move to another database."""
