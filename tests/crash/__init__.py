"""The crash proof of the embedded store: a writer is killed again and again, and what it acknowledged is there."""
