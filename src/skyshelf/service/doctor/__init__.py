"""The doctor: checks that a store is consistent, and repairs what can be repaired.

check.py says what a check is, the *_checks.py modules hold them by subject, and run.py runs them all in order.
"""
