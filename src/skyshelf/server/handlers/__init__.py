"""Handlers: from a decoded call to a use case of the service."""
