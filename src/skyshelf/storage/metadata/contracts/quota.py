"""Quota: the space that an account may use, uses, and has reserved for uploads in progress."""

from typing import Protocol

import msgspec

CATEGORIES = ("document", "photo", "video", "audio")


class Quota(msgspec.Struct, frozen=True):
    default_space: int
    paid_space: int
    promotional_space: int
    document_used: int
    photo_used: int
    video_used: int
    audio_used: int
    reserved: int
    objects: int = 0

    @property
    def allocated(self) -> int:
        return self.default_space + self.paid_space + self.promotional_space

    @property
    def used(self) -> int:
        return self.document_used + self.photo_used + self.video_used + self.audio_used

    @property
    def free(self) -> int:
        """Room for new bytes; never negative."""
        return max(0, self.allocated - self.used - self.reserved)


class Quotas(Protocol):
    """The counters change in the same transaction as the rows they count, so they are exact at every moment.

    What is used is the size of every version of every file, trashed ones included, until it is purged.
    """

    def get(self, account_id: int, now: int) -> Quota:
        """AccountMissing when there is none. Promotions count while they run."""

    def at(self, account_id: int, now: int) -> tuple[int, Quota]:
        """The number of the account's newest change, and its quota at that moment."""

    def recount(self, account_id: int, now: int) -> Quota:
        """What the counters should say, summed up from the rows themselves."""


# Promotions: space that an account has for a while.


class Promotion(msgspec.Struct, frozen=True, kw_only=True):
    """It adds to the quota from start_at on, and no longer at end_at. Without an account it is everybody's."""

    promotion_key: str
    account_id: int | None = None
    name: str
    space: int
    start_at: int
    end_at: int


class Promotions(Protocol):
    def add(self, promotion: Promotion) -> None:
        """AccountMissing when it is for an account that is not there."""

    def of_account(self, account_id: int) -> list[Promotion]:
        """The account's own and everybody's, whether they run or not, the newest start first."""

    def everything(self) -> list[Promotion]:
        """Those of all accounts, whether they run or not, the newest start first."""

    def remove(self, promotion_key: str) -> bool:
        """False when there is none. An account that then holds more than it may keeps what it has."""
