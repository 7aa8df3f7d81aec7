"""The interface as a protocol: endpoints, decoded calls, and the handlers that call the service."""
