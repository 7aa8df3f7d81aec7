"""What a delegation, or a limited app password, can allow: kinds of calls, and numbers that are used up."""

from enum import StrEnum
from typing import Final


class CallKind(StrEnum):
    """A kind of calls; the value is its name in tokens and in the interface."""

    LIST = "list"
    """Names, folders, properties, searches."""
    READ = "read"
    """Contents, thumbnails included."""
    WRITE = "write"
    """New files and folders, new contents, names, places, marks; and back from the trash."""
    DELETE = "delete"
    """To the trash."""
    PURGE = "purge"
    """Out of the trash, for good."""
    SHARE = "share"
    """Share links."""


TOKEN_PREFIX: Final = "skyd1."  # noqa: S105 - how all tokens begin
"""The beginning of the token of a delegation."""
ALL_KINDS: Final = frozenset(CallKind)
READING: Final = frozenset({CallKind.LIST, CallKind.READ})


def is_token(text: str) -> bool:
    """Return whether a text is meant as the token of a delegation."""
    return text.startswith(TOKEN_PREFIX)
