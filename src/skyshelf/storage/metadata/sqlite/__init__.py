"""Metadata in one SQLite file: the dialect, the file, group commit and the full-text index."""
