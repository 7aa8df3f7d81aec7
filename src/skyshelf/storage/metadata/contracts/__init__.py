"""The contracts of the metadata store: records and a Protocol for each noun. The docstrings are binding."""
