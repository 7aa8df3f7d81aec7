"""Content: which bytes the service keeps, where, and how many versions refer to them."""

from typing import Protocol

import msgspec


class StoredContent(msgspec.Struct, frozen=True):
    """A row of the index of blobs; digests are lower-case hex."""

    sha256: str
    location: str
    size: int
    md5: str
    refs: int
    idle_since: int


class Content(Protocol):
    """The index of blobs. A version refers to content; nobody else does.

    A write goes like this: the blob becomes durable at a new location, then one commit (Files.put) refers to it.
    That commit takes the new location, or, where the content is known already, keeps the old one and says
    so, and the caller deletes the redundant blob. A location is never given out twice, so removing one can
    never hit content that a later upload relies on.
    """

    def get(self, sha256: str) -> StoredContent | None: ...

    def owned(self, account_id: int, md5: str, size: int) -> StoredContent | None:
        """Content that this account itself already holds in some version; never another account's."""

    def release_idle(self, idle_before: int, limit: int) -> list[str]:
        """Forget content without references since that time; returns the locations to delete, thumbnails included.

        The rows go in this transaction. The caller deletes the blobs after the commit; a crash in between
        leaves blobs without a row, which the sweeper finds through `known`.
        """

    def known(self, locations: list[str]) -> set[str]:
        """Those of the locations that some row refers to, as content or as a thumbnail."""

    def recount(self) -> list[tuple[str, int, int]]:
        """(sha256, refs as kept, refs as counted from the versions) where the two differ."""


# Thumbnails: where those of each content are stored.


class KeptThumbnail(msgspec.Struct, frozen=True):
    """An empty location means that the content has no thumbnail."""

    location: str
    size: int


class Thumbnails(Protocol):
    """Thumbnails live as long as the content they show: Content.release_idle gives their locations too."""

    def get(self, sha256: str, size: int, form: str) -> KeptThumbnail | None:
        """None when nobody has tried yet."""

    def keep(self, sha256: str, size: int, form: str, thumbnail: KeptThumbnail, now: int) -> KeptThumbnail:
        """Store a thumbnail, or return the one that was stored first.

        If the content no longer exists, nothing is stored and the location is empty.
        """
