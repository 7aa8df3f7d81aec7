"""Stored wire JSON, kept in the encoding of this release: the contract of the background job that rewrites it.

Nothing here changes what a listing shows. Readers encode a stale row from its columns; rewriting it spares them that.
"""

from collections.abc import Sequence
from typing import Protocol

from skyshelf.storage.metadata.contracts.inspection import Walked, WalkPosition


class WireCache(Protocol):
    """Releases may run side by side during a rolling upgrade. Each rewrites older rows only, so they never undo each
    other's work, and each shows every object in its own encoding."""

    def settled_encoding(self) -> int:
        """The encoding that every row was last seen to be in; zero before the first time."""

    def settle(self) -> None:
        """Note that no row is in an older encoding than this release's."""

    def stale(self, after: WalkPosition | None, *, limit: int) -> Walked[WalkPosition]:
        """Of the next objects those that an older release encoded."""

    def re_encode(self, stale: Sequence[WalkPosition]) -> int:
        """Encode these objects again and return how many were.

        Objects that are gone or current are left out, and so are those that somebody is writing at the moment.
        """
