"""Shares: links that give anybody who has them access to objects."""

from typing import Protocol

import msgspec


class NewShare(msgspec.Struct, frozen=True, kw_only=True):
    share_key: str
    token_hash: bytes
    """A digest of the link's token; the token itself never comes here."""
    name: str
    object_keys: list[str]
    expires_at: int = 0
    password_hash: str = ""
    download_limit: int = 0


class Share(msgspec.Struct, frozen=True):
    """expires_at 0 is never, download_limit 0 is none, an empty password_hash is no password."""

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
    object_keys: list[str]
    """In the given order. Some may be in the trash; the tree knows which are visible."""


class ShareEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What to change; None leaves it as it is."""

    name: str | None = None
    expires_at: int | None = None
    password_hash: str | None = None
    download_limit: int | None = None


class Shares(Protocol):
    """A share is live until it is revoked or expires; a revoked one is, for every call, one that does not exist.

    Keys of other accounts are keys that do not exist. Objects that are purged leave their shares.
    """

    def add(self, account_id: int, share: NewShare, now: int) -> Share:
        """All or nothing: ObjectMissing when one of the objects cannot be seen. The same object twice is once."""

    def get(self, account_id: int, share_key: str) -> Share:
        """Expired ones too. Missing when there is none."""

    def by_token(self, token_hash: bytes, now: int) -> Share | None:
        """The live share of a link, whose account is active and stays."""

    def page(self, account_id: int, *, limit: int, after: tuple[int, str] | None = None) -> list[Share]:
        """Newest first, expired ones too: their end can be moved.

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

    def shared_objects(
        self, account_id: int, now: int, *, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[tuple[bytes, int]]:
        """Objects that a live share names and that can be seen, each once: (encoded object, date of its newest
        live share), by that date. A share whose downloads are all taken does not count."""
