"""Bringing back what was."""
