"""Items of a board: files that members show to each other."""

from collections.abc import Sequence
from typing import Protocol

from skyshelf.storage.metadata.tree import SortBy


class BoardItems(Protocol):
    """An item is a file of the member who added it, and stays that member's. It is shown while it can be seen in
    its owner's tree and the owner is an active account; it goes when it is removed or purged, or when its owner
    is no longer a member.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(self, account_id: int, board_key: str, object_keys: Sequence[str], now: int) -> list[str]:
        """Put files of the caller on the board; those that were not there before. All or nothing: ObjectMissing
        when one cannot be seen, NotAFile for a folder."""

    def remove(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, only_own: bool
    ) -> list[str]:
        """Take files off the board, the caller's own or anybody's; those that were on it."""

    def page(
        self,
        account_id: int,
        board_key: str,
        *,
        sort: SortBy = SortBy.MODIFIED,
        descending: bool = True,
        limit: int,
        offset: int = 0,
    ) -> list[bytes]:
        """What is shown, encoded as in Tree.page. Ties break by object_key, in the same direction.

        Of somebody else's file there is only what encoded.encoded_for_others leaves: what is on the board, and
        nothing of where and how its owner keeps it.
        """

    def shown(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the keys that the board shows, encoded as in page."""

    def owner_of(self, account_id: int, object_key: str) -> int | None:
        """Whose object this is, if the caller may see it through a board; None otherwise. One statement."""
