"""Usage: what takes up an account's space."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import PageCursor, StoredObject


class BytesUsed(msgspec.Struct, frozen=True):
    """Bytes by category (contracts/quota.py), as counted now."""

    old_versions: dict[str, int]
    """Earlier versions of files outside the trash."""
    trash: dict[str, int]
    """All versions of what is in the trash, or is being purged."""
    is_complete: bool
    """False where the trash has too many objects to be added up."""


class FilesPage(msgspec.Struct, frozen=True):
    """Visible files, and where the next page begins; None after the last one. A page may be short."""

    files: list[StoredObject]
    next: PageCursor | None


class GroupsPage(msgspec.Struct, frozen=True):
    """Groups of two or more visible files with the same content, oldest arrival first."""

    groups: list[list[StoredObject]]
    next: PageCursor | None


class OldVersionsOf(msgspec.Struct, frozen=True):
    file: StoredObject
    versions: int
    size: int


class OldVersionsPage(msgspec.Struct, frozen=True):
    files: list[OldVersionsOf]
    next: PageCursor | None


class Usage(Protocol):
    """Each call reads an index of the account from end to end, so its cost grows with the account, not with others."""

    def used(self, account_id: int) -> BytesUsed: ...

    def largest(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> FilesPage:
        """Files by size, the largest first; ties by key."""

    def duplicates(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> GroupsPage:
        """Groups by the size of their files, the largest first; empty files are not duplicates."""

    def old_versions(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> OldVersionsPage:
        """Visible files with earlier versions, by the bytes of these, most first."""

    def remove_old_versions(self, account_id: int, object_keys: Sequence[str], now: int) -> tuple[int, int]:
        """Delete the earlier versions of those that are visible files; how many, and their bytes."""
