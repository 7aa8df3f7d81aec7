"""What pictures and videos say about themselves: their shape, and where and when they were taken."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

MICRODEGREES = 1_000_000


class MediaFacts(msgspec.Struct, frozen=True):
    """None for what is unknown. The size is that of the picture as it is shown, turned upright."""

    width: int | None = None
    height: int | None = None
    latitude: int | None = None
    """In millionths of a degree, as the longitude; both or none."""
    longitude: int | None = None
    utc_offset: int | None = None
    """Of the camera's clock, in minutes."""


class PhotoFacts(NamedTuple):
    """The facts of an object's current version, and when it was taken."""

    object_key: str
    version: int
    taken_at: int | None
    """In epoch milliseconds, if the file says."""
    facts: MediaFacts


class PhotoPlaces(NamedTuple):
    """Some of those whose place is known, and the key after which the next ones follow; None at the end."""

    found: list[PhotoFacts]
    next_key: str | None


class PhotoFactsOf(Protocol):
    """Facts come with a file (NewFile.facts), or from the job that reads missing dates (contracts/undated.py)."""

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> list[PhotoFacts]:
        """Of those of the keys that are the account's pictures and videos, in any order; visible or not."""

    def located(self, account_id: int, *, limit: int, after: str | None = None) -> PhotoPlaces:
        """Visible ones whose place is known, by key. At most limit are looked at, so a page may have fewer."""
