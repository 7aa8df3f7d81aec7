"""Alarms: a device that suddenly deletes, replaces or scrambles very much, and what is counted to notice it."""
