"""Damaged content: what a read or the scrub has found, until it is right again."""

from typing import Protocol

import msgspec


class DamagedContent(msgspec.Struct, frozen=True):
    """Content whose stored bytes are missing or wrong; `fault` says which, in words."""

    sha256: str
    location: str
    fault: str
    found_at: int


class Damage(Protocol):
    """The list that all instances share. Content that has another location now, or no reference, is not in it."""

    def note(self, sha256: str, location: str, fault: str, now: int) -> None:
        """Add content; one that is listed with this location keeps the time when it was found."""

    def clear(self, sha256: str) -> bool:
        """Remove content that is right again; whether it was listed."""

    def list(self, after: str, limit: int) -> list[DamagedContent]:
        """Damaged content, in the order of its hashes, after that one."""

    def is_listed(self, sha256: str, location: str | None = None) -> bool:
        """Whether content was noted, at this location if one is given."""

    def count(self) -> int: ...

    def forget_healed(self) -> int:
        """Remove what is no longer damaged because its content was replaced or deleted; how many."""
