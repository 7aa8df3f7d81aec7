"""Shares: links that give anybody who has them access to objects or to a board, or let them send files."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

LOOK: Final = "V"
ADD: Final = "A"
"""Look, and add to the board."""
SEND: Final = "U"
"""Send files into a folder without seeing what is in it."""

Rights = Literal["V", "A", "U"]


class NewShare(msgspec.Struct, frozen=True, kw_only=True):
    share_key: str
    token_hash: bytes
    """A digest of the link's token; the token itself never comes here."""
    name: str
    object_keys: list[str]
    expires_at: int = 0
    password_hash: str = ""
    download_limit: int = 0
    board_key: str | None = None
    """The board that is shown instead of objects."""
    rights: Rights = "V"
    upload_limit: int = 0
    upload_bytes: int = 0
    generation: int = 1
    """The generation of the server's secret that derives the token."""


class Share(msgspec.Struct, frozen=True):
    """expires_at 0 is never, a limit of 0 is none, an empty password_hash is no password."""

    share_key: str
    account_id: int
    name: str
    created_at: int
    expires_at: int
    password_hash: str
    download_limit: int
    downloads: int
    visits: int
    last_visit_at: int
    rights: Rights
    upload_limit: int
    """How many files can be sent in all."""
    upload_bytes: int
    """The largest file that can be sent."""
    uploads: int
    board_key: str | None
    board_name: str | None
    """None where the account no longer owns the board: such a link is dead."""
    object_keys: list[str]
    """In the given order. Some may be in the trash; the tree knows which are visible."""
    generation: int = 1
    """The generation of the server's secret that derives the token."""


class ShareEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What to change; None leaves it as it is."""

    name: str | None = None
    expires_at: int | None = None
    password_hash: str | None = None
    download_limit: int | None = None
    rights: Rights | None = None
    upload_limit: int | None = None
    upload_bytes: int | None = None


class GuestFile(msgspec.Struct, frozen=True):
    """A file that somebody without an account has sent through a link."""

    account_id: int
    object_key: str
    share_key: str
    guest_name: str
    added_at: int


class ChosenObjects(msgspec.Struct, frozen=True, kw_only=True):
    """The objects of an archive, in the order of its entries. Whether they can be seen is checked at each download."""

    archive_key: str
    name: str
    """The archive's file name without its extension."""
    object_keys: Sequence[str]
    expires_at: int
