"""Feeds and discovery."""

from skyshelf.server.call import Call, Encoded, Handler
from skyshelf.service.files import listings, memories, tags, viewable_types


def recent(call: Call) -> object:
    return Encoded(listings.recent(call.house, call.caller, call.origin))


def spotlights(call: Call) -> object:
    return memories.spotlights(call.house, call.caller, call.query, call.origin)


def shared_by_me(call: Call) -> object:
    return Encoded(listings.shared_by_me(call.house, call.caller, call.query, call.origin))


def linked_app(call: Call) -> object:
    return Encoded(listings.of_linked_app(call.house, call.caller, call.query, call.origin))


def recent_tags(call: Call) -> object:
    return tags.recent_tags(call.house, call.caller)


def object_tags(call: Call) -> object:
    return tags.object_tags(call.house, call.caller, call.keys["object_key"])


def supported_documents(_: Call) -> object:
    return viewable_types.supported_documents()


HANDLERS: dict[str, Handler] = {
    "recent": recent,
    "spotlights": spotlights,
    "shared_by_me": shared_by_me,
    "linked_app": linked_app,
    "recent_tags": recent_tags,
    "object_tags": object_tags,
    "supported_documents": supported_documents,
}
