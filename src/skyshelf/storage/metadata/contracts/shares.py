"""Shares: links that give anybody who has them access to objects or to a board, or let them send files."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol

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


class ShareEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What to change; None leaves it as it is."""

    name: str | None = None
    expires_at: int | None = None
    password_hash: str | None = None
    download_limit: int | None = None
    rights: Rights | None = None
    upload_limit: int | None = None
    upload_bytes: int | None = None


class GuestFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that somebody without an account has sent through a link."""

    account_id: int
    object_key: str
    share_key: str
    guest_name: str
    added_at: int


class Shares(Protocol):
    """A share is live until it is revoked or expires; a revoked one is, for every call, one that does not exist. One
    of a board is live while its account owns the board, and goes with the board.

    Keys of other accounts are keys that do not exist. Objects that are purged leave their shares.
    """

    def add(self, account_id: int, share: NewShare, now: int) -> Share:
        """All or nothing: ObjectMissing when one of the objects cannot be seen, Missing when the account is no member
        of the board. The same object twice is once."""

    def get(self, account_id: int, share_key: str) -> Share:
        """Expired ones too. Missing when there is none."""

    def by_token(self, token_hash: bytes, now: int) -> Share | None:
        """The live share of a link, whose account is active and stays."""

    def page(
        self, account_id: int, *, limit: int, after: tuple[int, str] | None = None, board_key: str | None = None
    ) -> list[Share]:
        """Newest first, expired ones too: their end can be moved. With a board, those of that board alone.

        after is (created_at, share_key) of the last one seen, which may have been revoked since: a walk by it
        meets every share that existed all along exactly once.
        """

    def edit(self, account_id: int, share_key: str, edit: ShareEdit) -> Share:
        """Missing when there is none."""

    def revoke(self, account_id: int, share_key: str, now: int) -> bool:
        """End a share for good; false when there is none."""

    def count_visit(self, share_key: str, now: int) -> None:
        """Note that somebody opened the link."""

    def take_download(self, share_key: str, now: int) -> bool:
        """Count one more download, if the share is live and its limit allows it.

        Of any number of takers at once, exactly as many succeed as downloads are left.
        """

    def take_upload(self, share_key: str, now: int, *, most: int, most_in_hour: int) -> bool:
        """Count one more file that is sent, if the share is live, lets files be sent and its limits allow it.

        most is the limit of shares without their own. As with take_download, exactly as many takers succeed as are
        left.
        """

    def give_back_upload(self, share_key: str) -> None:
        """A file that was counted did not arrive. In its hour it still counts."""

    def add_guest_file(self, file: GuestFile) -> None:
        """Note who sent a file. The file sent again keeps who sent it last."""

    def guest_files(self, object_keys: Sequence[tuple[int, str]]) -> dict[str, GuestFile]:
        """Those of the objects, named by account and key, that guests have sent."""

    def guest_files_on_board(self, board_key: str, *, limit: int) -> list[GuestFile]:
        """Those that guests have sent and that the board has, newest first; the service checks who may know."""

    def shared_objects(
        self, account_id: int, now: int, *, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[tuple[bytes, int]]:
        """Objects that a live share names and that can be seen, each once: (encoded object, date of its newest
        live share), by that date. A share whose downloads are all taken does not count."""
