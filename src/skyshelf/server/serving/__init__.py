"""Serving: the supervisor, worker processes, the sockets they listen on, TLS and the PROXY protocol."""
