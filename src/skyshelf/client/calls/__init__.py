"""The methods of the client, one noun per file; AsyncClient is all of them together."""
