"""The metadata store: contracts/ says what it guarantees, sql/ implements it, sqlite/ and postgres/ run the SQL."""
