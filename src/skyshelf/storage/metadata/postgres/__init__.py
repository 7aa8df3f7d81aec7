"""Metadata in PostgreSQL: the connection pool, bulk inserts and the index of search terms."""
