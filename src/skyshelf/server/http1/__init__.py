"""HTTP/1.1 on the event loop of the application: connections, requests and responses, and the worker processes."""
