"""The web client in a real browser. A package, so that its fixtures can live as long as its tests."""
