"""The handlers of all endpoints, one noun per file, by the name of the endpoint."""

from importlib import import_module

from skyshelf.server.http.call import Handler

NOUNS = ("account", "objects", "changes", "shares", "downloads", "boards", "contacts", "uploads")


def all_handlers() -> dict[str, Handler]:
    handlers: dict[str, Handler] = {}
    for module in (*(f"skyshelf.server.handlers.{noun}" for noun in NOUNS), "skyshelf.server.pages.share.views"):
        handlers |= import_module(module).HANDLERS
    return handlers
