"""Uploads in progress: how far each one is, and the space reserved for it."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import PageCursor


class NewUpload(msgspec.Struct, frozen=True, kw_only=True):
    upload_key: str
    parent_key: str
    name: str
    size: int
    md5: str
    details: bytes
    """What the client said about the file, as the service encoded it; kept for the end of the upload."""


class Upload(msgspec.Struct, frozen=True):
    upload_key: str
    account_id: int
    parent_key: str
    name: str
    size: int
    md5: str
    received: int
    details: bytes
    created_at: int
    updated_at: int


class UploadPart(msgspec.Struct, frozen=True):
    """An acknowledged chunk; token is the blob store's own note about where it put the bytes."""

    start: int
    size: int
    md5: str
    token: str


class Uploads(Protocol):
    def begin(self, account_id: int, upload: NewUpload, now: int, *, bytes_freed_by_next_version: int = 0) -> Upload:
        """Start an upload and reserve its space, or return the one that was started before.

        The same account, folder, name, size and MD5 are the same upload: it continues where it was, with the
        details given now. QuotaExceeded when there is no space, even with the bytes that will be given
        back when the file is put; ObjectMissing or NotAFolder for the folder.
        """

    def get(self, account_id: int, upload_key: str) -> Upload:
        """Missing when the account has no such upload."""

    def named(self, account_id: int, name: str) -> Upload | None:
        """The oldest upload of that name into the account's root folder; None where there is none."""

    def extend(self, account_id: int, upload_key: str, size: int, details: bytes, now: int) -> Upload:
        """Announce a larger size, whose space is reserved, and replace the details.

        Missing when the account has no such upload, QuotaExceeded when there is no space.
        """

    def release(self, account_id: int, upload_key: str, size: int) -> None:
        """Give back so many of the reserved bytes, as far as they have not come. Missing as for extend."""

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[Upload]:
        """Uploads of the account, begun last first; a place has the time of the beginning and the upload's key."""

    def parts(self, account_id: int, upload_key: str) -> list[UploadPart]:
        """The acknowledged chunks, in order and without a gap."""

    def last_part(self, account_id: int, upload_key: str) -> UploadPart | None:
        """The last of the parts, at a cost that does not grow with their number; None before the first."""

    def advance(self, account_id: int, upload_key: str, part: UploadPart, now: int) -> Upload:
        """Acknowledge a chunk whose bytes are durable; an empty one is acknowledged and not kept.

        OffsetConflict, which has the right offset, when the chunk does not start at the upload's offset: of
        two writers at one offset, one wins. SizeMismatch when it ends beyond the announced size.
        """

    def discard(self, account_id: int, upload_key: str) -> bool:
        """Forget an upload and release its space; false when there was none."""

    def stale(self, updated_before: int, limit: int) -> list[tuple[int, str]]:
        """(account_id, upload_key) of uploads untouched since that time, oldest first."""

    def known(self, upload_keys: list[str]) -> set[str]:
        """Those of the keys that are uploads in progress, of any account."""
