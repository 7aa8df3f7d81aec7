"""Flows through running servers. A package, so its fixtures can have package scope, and its servers end with it."""
