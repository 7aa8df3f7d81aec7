"""Proofs of history: how server and clients hash an account's changes, and what a head says."""
