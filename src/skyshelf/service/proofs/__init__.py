"""Proofs of history: the logs of accounts, the keys that sign their heads, and what clients verify them with."""
