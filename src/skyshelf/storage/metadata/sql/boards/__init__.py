"""Boards in SQL: access, members, invitations, items and comments."""
