"""The doctor: looks whether a store keeps its promises, one file per promise, and mends what can be mended."""
