"""Rewinds in SQL."""
