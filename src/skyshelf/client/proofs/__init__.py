"""Verification of history: heads that were seen are kept on this machine, and later ones must continue them."""
