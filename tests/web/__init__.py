"""The web client in a real browser. A package, so its fixtures can have package scope."""
