"""Content: which bytes the service keeps, where, and how many versions refer to them."""

from collections.abc import Sequence
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


class Released(msgspec.Struct, frozen=True):
    """Locations of contents, which are in quarantine now, and of thumbnails, which are to be deleted."""

    contents: list[str]
    thumbnails: list[str]


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

    def relocate(self, sha256: str, old_location: str, new_location: str, now: int) -> bool:
        """Refer to another copy of the same bytes, for all versions that have them; false if the old location is no
        longer the content's, or the new one is being deleted.

        The new location leaves the quarantine, if it was there; the old one goes there.
        """

    def release_idle(self, idle_before: int, limit: int, now: int) -> Released:
        """Move content without references since that time to the quarantine, and forget its thumbnails.

        Content that a version refers to stays, whatever its counter says. The caller deletes the thumbnails after the
        commit; a crash in between leaves blobs without a row, which the sweeper finds.
        """

    def miscounted(self, limit: int) -> list[str]:
        """Content whose counter is 0 although a version refers to it."""

    def known(self, locations: list[str]) -> set[str]:
        """Those of the locations that some row refers to, as content or as a thumbnail."""

    def recount(self) -> list[tuple[str, int, int]]:
        """(sha256, refs as kept, refs as counted from the versions) where the two differ."""


# Thumbnails: where those of each content are stored, for each account that has it.

ANY_SIZE = 0
ANY_FORM = ""


class ThumbnailKey(msgspec.Struct, frozen=True):
    """A thumbnail of an account's content."""

    account_id: int
    sha256: str
    size: int
    form: str


class KeptThumbnail(msgspec.Struct, frozen=True):
    """An empty location means that the content has no thumbnail of any size, as far as that renderer knows."""

    location: str
    size: int
    renderer: int = 0
    retry_at: int = 0
    """When to try again to make one; 0 for never."""
    placeholder: bytes = b""
    """A tiny WebP of the same picture; get and keep return it empty."""


class Thumbnails(Protocol):
    """Thumbnails belong to an account, and live as long as it has a version of the content they show.

    Nothing here depends on what other accounts have, or have had.
    """

    def get(self, key: ThumbnailKey) -> KeptThumbnail | None:
        """The thumbnail of that size and form, or that none can be made; None when nobody has tried yet."""

    def keep(self, key: ThumbnailKey, thumbnail: KeptThumbnail, now: int) -> KeptThumbnail:
        """Store a thumbnail, or return the one that was stored first. A new failure replaces an older one.

        A failure is one of all sizes and forms, and a thumbnail ends it. If the account no longer has the content,
        nothing is stored and the location is empty.
        """

    def placeholders(self, account_id: int, object_keys: Sequence[str]) -> dict[str, bytes]:
        """The placeholders of those of the account's files that have one, by key. One statement."""

    def release_idle(self, idle_before: int, limit: int) -> tuple[list[str], bool]:
        """Forget thumbnails of content whose last version the account deleted before that time.

        Returns the locations to delete, and whether there may be more.
        """
