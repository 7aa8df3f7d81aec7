"""History in SQL."""
