"""Expiry: how much jobs that delete by age, or by number, would delete."""

from typing import Protocol

import msgspec


class Due(msgspec.Struct, frozen=True):
    """So many things, and their bytes as far as they are known."""

    count: int
    size: int = 0


class Expiry(Protocol):
    def trash(self, trashed_up_to: int) -> Due:
        """Objects that were trashed up to that time and are not being purged; without what is below folders."""

    def uploads(self, updated_before: int) -> Due:
        """Unfinished uploads that have not advanced since that time; the size is what has arrived."""

    def changes(self, before: int) -> Due:
        """Entries of change feeds from before that time."""

    def versions(self, kept: int) -> Due:
        """Versions beyond the newest so many of each file."""

    def quarantine(self, since_up_to: int) -> Due:
        """What has been in quarantine since that time, without what some account's history needs."""

    def history(self, before: int) -> Due:
        """Contents that history alone keeps, of versions that were deleted before that time."""

    def quarantine_beyond(self, size: int) -> Due:
        """The oldest released contents in quarantine, without which the others have at most that size."""

    def audit(self, before: int) -> Due:
        """Events of the audit trail from before that time."""

    def contents(self) -> int:
        """All contents that files refer to."""

    def accounts(self, now: int) -> tuple[int, int]:
        """The accounts whose date of deletion is over, and all accounts."""
