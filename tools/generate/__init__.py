"""Generators of everything that is derived from the code: pages, pictures, the OpenAPI description, sources."""
