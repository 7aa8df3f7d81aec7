"""The nouns in SQL, written once for both databases. Docstrings of their methods are obligations."""
