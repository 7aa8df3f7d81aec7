"""A server, for its operator: `skyshelf serve` and `skyshelf admin`."""
