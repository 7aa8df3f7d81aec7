"""Quarantine: unreferenced bytes, which stay where they are for a while."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol, get_args

import msgspec

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


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes at a location of the blob store, or of the upload with that id; digests are lower-case hex."""

    location: str
    kind: Kind = "blob"
    sha256: str | None = None
    md5: str | None = None
    size: int
    reason: Reason
    since: int


class QuarantineTotal(msgspec.Struct, frozen=True):
    """What is in quarantine for one reason."""

    reason: Reason
    count: int
    size: int
    oldest: int


class Quarantine(Protocol):
    """Nothing is moved: a row says that the bytes are unreferenced, and since when.

    So the right database, put back, still finds the bytes that it refers to. To delete, `begin_deleting` is
    committed, then the bytes are deleted, then `end_deleting` forgets them; a crash in between leaves rows that
    `being_deleted` returns.
    """

    def add(self, things: Sequence[Quarantined]) -> None:
        """Note that these are unreferenced. One that is in quarantine already stays as it is; content that is referred
        to is left out."""

    def known(self, locations: Sequence[str]) -> set[str]:
        """Those of the locations that are in quarantine."""

    def page(
        self, *, after: tuple[int, str] = ..., since_up_to: int | None = None, reason: Reason | None = None, limit: int
    ) -> list[Quarantined]:
        """By (since, location), oldest first."""

    def copies(self, sha256: str) -> list[Quarantined]:
        """Those that have this content and can be reinstated, the newest first."""

    def reinstate(self, location: str) -> bool:
        """Somebody refers to it again, in this transaction; false if it is not in quarantine, or being deleted."""

    def totals(self, since_up_to: int | None = None) -> list[QuarantineTotal]:
        """How much there is, by reason."""

    def referred(self, limit: int) -> list[str]:
        """Locations of blobs that are in quarantine although a row refers to them: something is wrong."""

    def begin_deleting(
        self, since_up_to: int, limit: int, reason: Reason | None = None, *, spare_history: bool = False
    ) -> list[Quarantined]:
        """The oldest ones, which cannot be reinstated from now on. What a row refers to is not among them, nor, if it
        is spared, what some account's history needs."""

    def being_deleted(self, limit: int) -> list[Quarantined]:
        """Those whose deletion has begun and not ended."""

    def end_deleting(self, locations: Sequence[str]) -> None:
        """Forget them: their bytes are gone."""
