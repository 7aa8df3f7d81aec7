"""What WebDAV keeps besides files: locks, and properties without a meaning for the server."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

# Locks: who reserves which object, and until when.


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    lock_key: str
    object_key: str
    is_exclusive: bool
    is_deep: bool
    """Whether it holds for everything below the object, too."""
    owner: str
    """What the client said about itself, as XML; may be empty."""
    expires_at: int


class Locks(Protocol):
    """Which locks conflict is up to the caller, who holds the account's lock while looking and adding."""

    def hold_account(self, account_id: int) -> None:
        """Take the account's lock: what is read from here on stays so until the transaction ends."""

    def add(self, account_id: int, lock: Lock, now: int) -> None:
        """ObjectMissing where the account has no such object, LimitReached beyond the most that an account can have."""

    def of_account(self, account_id: int, now: int) -> list[Lock]:
        """All locks that have not expired. One statement, and few rows: most accounts have none."""

    def extend(self, account_id: int, lock_key: str, expires_at: int, now: int) -> bool:
        """Let a lock that has not expired last until that time; false where there is none."""

    def remove(self, account_id: int, lock_keys: Sequence[str]) -> int:
        """Release locks; how many there were."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired locks; how many went."""


# Folder marks: how clients find out where something has changed.


class FolderMarks(Protocol):
    """Every change of the feed marks the folder that it happens in, in the same transaction."""

    def newest(self, account_id: int, folder_keys: Sequence[str]) -> dict[str, int]:
        """The mark of the newest change in each of these folders, or in a folder below it that can be seen.

        A folder without any change since marks exist is missing. The mark of a folder never falls, and grows with
        everything that is made, changed, moved, trashed or restored below it. One statement, whose cost is the number
        of folders below.
        """


# Dead properties: kept for clients, without a meaning for the server.


class DeadProperty(msgspec.Struct, frozen=True):
    namespace: str
    name: str
    value: str
    """The whole element as XML."""


class DeadProperties(Protocol):
    """Properties of visible objects; the caller has looked these up."""

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> dict[str, list[DeadProperty]]:
        """Those of the objects that have some, by key, each list in the order of namespace and name. One statement."""

    def any_of(self, account_id: int) -> bool:
        """Whether the account has any at all; one look at an index."""

    def set(self, account_id: int, object_key: str, properties: Sequence[DeadProperty]) -> None:
        """Set properties; others stay. ObjectMissing where the account has no such object, LimitReached beyond the
        most that an object or the account can have."""

    def remove(self, account_id: int, object_key: str, named: Sequence[tuple[str, str]]) -> int:
        """Remove properties by namespace and name; how many there were."""

    def copy(self, account_id: int, copies: Sequence[tuple[str, str]]) -> int:
        """Give the second object of each pair, which is new, the properties of the first; how many were copied."""
