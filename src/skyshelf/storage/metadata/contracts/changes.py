"""Changes: what happened in an account, in order."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

CREATED = "created"
CONTENT = "content"
RENAMED = "renamed"
MOVED = "moved"
FAVORITE = "favorite"
TRASHED = "trashed"
RESTORED = "restored"
PURGED = "purged"
EMPTIED = "emptied"
"""The trash was emptied, wholly or of what was old; the object is the root."""
KINDS = frozenset({CREATED, CONTENT, RENAMED, MOVED, FAVORITE, TRASHED, RESTORED, PURGED, EMPTIED})


class Change(msgspec.Struct, frozen=True):
    seq: int
    at: int
    kind: str
    object_key: str


class Changes(Protocol):
    """An append-only feed per account. seq counts from 1 without holes, and a change is in the feed if and
    only if its cause is committed. A reader that has seen seq n never later finds a new change at or
    below n."""

    def newest(self, account_id: int) -> int:
        """The seq of the newest change; 0 where nothing ever happened."""

    def oldest(self, account_id: int) -> int:
        """The seq of the oldest change that is still kept; newest + 1 where none is."""

    def since(self, account_id: int, seq: int, limit: int) -> list[Change]:
        """The changes after seq, oldest first."""

    def of_object(self, account_id: int, object_key: str, *, among: int, limit: int) -> list[Change]:
        """The latest changes of one object, newest first, of the account's `among` newest ones."""

    def at(self, account_id: int, seq: int) -> int | None:
        """When the change with that seq happened; None where there is none, or it is no longer kept."""

    def newest_of(self, account_ids: Sequence[int]) -> dict[int, int]:
        """The seq of the newest change of each of several accounts, in one statement."""

    def objects(self, account_id: int, object_keys: Sequence[str]) -> list[bytes]:
        """Those of the objects that are still there, active or trashed, seen or not; encoded as in Tree.page."""

    def everything(self, account_id: int, *, after: str | None = None, limit: int) -> list[tuple[str, bytes]]:
        """What an account holds, active or trashed, seen or not, by key; those after a key. The root is not shown.

        With the changes since before the first call it makes a whole picture, whatever happens in the meantime.
        """

    def forget(self, account_id: int, up_to_seq: int) -> None:
        """Drop the changes up to and including that seq."""

    def forget_older(self, before: int, limit: int) -> int:
        """Drop changes of any account that happened before that time, the oldest `limit` of them at most; how many.

        What is kept of an account is always a feed without holes.
        """
