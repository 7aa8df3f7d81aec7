"""The metadata store: contracts/ has the records, sql/ the nouns, sqlite/ and postgres/ run the SQL."""
