"""A demo account with generated pictures, a film and documents, to explore the service."""
