"""Alarms in SQL: counting in the transaction of a change."""
