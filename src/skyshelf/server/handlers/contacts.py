"""Placeholder until the endpoints of this noun are written."""

from skyshelf.server.call import Handler

HANDLERS: dict[str, Handler] = {}
