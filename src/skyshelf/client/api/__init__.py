"""The client's methods, one noun per module; AsyncClient puts them together."""
