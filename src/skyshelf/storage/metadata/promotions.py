"""Promotions: space that an account has for a while."""

from typing import Protocol

import msgspec


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
