"""Attacks on running servers. A package, so its fixtures can have package scope."""
