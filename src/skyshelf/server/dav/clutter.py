"""Clutter: files that operating systems leave on network drives. Whether they are stored is a setting of the server."""

from typing import Final

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

_NAMES: Final = frozenset({".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".localized", ".trashes"})
_APPLE_DOUBLE: Final = "._"


def is_clutter(name: str) -> bool:
    """Whether a name is one of those that macOS and Windows give to files for themselves."""
    return name.startswith(_APPLE_DOUBLE) or name.casefold() in _NAMES


def refuse_clutter(ctx: ServiceContext, name: str) -> None:
    """FORBIDDEN for such a name, where the operator does not want it."""
    if ctx.rules.refuse_clutter and is_clutter(name):
        raise ServiceError(codes.FORBIDDEN, "This server does not store files such as ._*, .DS_Store and Thumbs.db")
