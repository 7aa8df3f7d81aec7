"""The handlers of all endpoints, one noun per file, by the name of the endpoint."""

from importlib import import_module

from skyshelf.server.call import Handler

NOUNS = (
    "account",
    "own_account",
    "second_factor",
    "objects",
    "search",
    "changes",
    "feeds",
    "tags",
    "sharing",
    "shares",
    "downloads",
    "boards",
    "board_changes",
    "contacts",
    "messaging",
    "uploads",
)


def all_handlers() -> dict[str, Handler]:
    handlers: dict[str, Handler] = {}
    for noun in NOUNS:
        handlers |= import_module(f"skyshelf.server.handlers.{noun}").HANDLERS
    return handlers
