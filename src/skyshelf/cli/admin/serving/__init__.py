"""The options of `skyshelf serve`: their values and limits, and what it prints."""
