"""Searching."""

from skyshelf.server.call import Call, Encoded, Handler
from skyshelf.service.files import search


def _search(call: Call) -> object:
    return Encoded(search.search(call.house, call.caller, call.query, call.origin))


HANDLERS: dict[str, Handler] = {"search": _search}
