"""Content: which bytes the service keeps, where, and how many versions refer to them; and what is in quarantine."""

from typing import Final, Literal, NamedTuple, get_args

import msgspec


class StoredContent(msgspec.Struct, frozen=True):
    """A row of the index of blobs; digests are lower-case hex."""

    sha256: str
    location: str
    size: int
    md5: str
    refs: int
    idle_since: int


class ReleasedLocations(msgspec.Struct, frozen=True):
    """Locations of contents that are now in quarantine, and of thumbnails to delete."""

    contents: list[str]
    thumbnails: list[str]


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


class DamagedContent(msgspec.Struct, frozen=True):
    """Content whose stored bytes are missing or wrong; `fault` says which, in words."""

    sha256: str
    location: str
    fault: str
    found_at: int


Kind = Literal["blob", "upload"]
Reason = Literal["released", "orphan", "repair", "replaced"]
"""Why it is unreferenced.

- released: accounts deleted all files that had the content
- orphan: no row knows it, as after a crash
- repair: `skyshelf admin doctor --repair` set it aside
- replaced: it was damaged, and a good copy took its place
"""
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
UNEXPLAINED: Final[tuple[Reason, ...]] = ("orphan", "repair", "replaced")
"""No account asked for these deletions."""


class QuarantineEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes at a location of the blob store, or of the upload with that id; digests are lower-case hex."""

    location: str
    kind: Kind = "blob"
    sha256: str | None = None
    md5: str | None = None
    size: int
    reason: Reason
    since: int
    account_id: int = 0
    """Whose deletion released it; 0 for nobody's."""


class ReleasedBytes(NamedTuple):
    """How much of what an account deleted could go early."""

    account_id: int
    size: int
    quota: int
    """0 for nobody, or an account that no longer exists."""


class QuarantineTotal(msgspec.Struct, frozen=True):
    """What is in quarantine for one reason."""

    reason: Reason
    count: int
    size: int
    oldest: int
