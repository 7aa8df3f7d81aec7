"""Thumbnails: which were made of which content, and where they are."""

from typing import Protocol

import msgspec


class KeptThumbnail(msgspec.Struct, frozen=True):
    """An empty location says that no thumbnail can be made of the content."""

    location: str
    size: int


class Thumbnails(Protocol):
    """Thumbnails live as long as the content they show: Content.release_idle gives their locations too."""

    def get(self, sha256: str, size: int, form: str) -> KeptThumbnail | None:
        """None when nobody has tried yet."""

    def keep(self, sha256: str, size: int, form: str, thumbnail: KeptThumbnail, now: int) -> KeptThumbnail:
        """Keep a thumbnail, or find the one that somebody else kept meanwhile; the answer is what counts.

        Where the content is gone by now, nothing is kept, and the answer has an empty location.
        """
