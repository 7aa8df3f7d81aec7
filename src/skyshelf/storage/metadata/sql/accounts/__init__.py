"""Accounts in SQL: sessions, second factors, contacts, promotions, and the removal of an account."""
