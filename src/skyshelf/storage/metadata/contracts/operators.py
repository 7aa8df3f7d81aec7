"""Operators: the accounts that may manage the server, what they see of the others, and one-time password links."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Account, Device
from skyshelf.storage.metadata.contracts.quota import Quota


class AccountOverview(msgspec.Struct, frozen=True):
    """An account as an operator sees it in a list."""

    account: Account
    quota: Quota
    has_second_factor: bool
    passkeys: int
    last_seen_at: int
    """When one of its devices was in use last; 0 if nobody ever logged in."""
    link_expires_at: int
    """Until when a one-time link sets its password; 0 without one."""


class QuotaTotals(msgspec.Struct, frozen=True):
    """All accounts together; promotions are not counted."""

    accounts: int
    used: int
    allocated: int
    full: int
    """Accounts that have used nine tenths of their quota, or more."""


class OpenSession(msgspec.Struct, frozen=True):
    """A session that has not expired, and whose it is."""

    account_key: str
    device: Device
    email: str
    first_name: str
    last_name: str
    secret_hash: bytes
    created_at: int
    last_used_at: int
    expires_at: int


class Operators(Protocol):
    def is_operator(self, account_id: int) -> bool:
        """Whether the account is active and an operator. One statement."""

    def others(self, account_id: int) -> int:
        """How many other operators can log in and stay.

        All operators' rows are locked until the transaction ends, so two of them cannot remove each other.
        """

    def set(self, account_id: int, is_operator: bool, now: int) -> None:
        """AccountMissing when there is no such account, or it is being removed."""

    def accounts(
        self, now: int, *, after_id: int = 0, limit: int, text: str = "", account_id: int = 0
    ) -> list[AccountOverview]:
        """By account_id, those after the given one whose address or name contains the text; with account_id, that one
        alone. Promotions count while they run. One statement."""

    def totals(self) -> tuple[int, int]:
        """How many accounts there are, and how many bytes all of them use. One statement."""

    def quota_totals(self) -> QuotaTotals:
        """Accounts, and their bytes. One statement."""

    def sessions(self, now: int, *, limit: int, account_id: int = 0) -> list[OpenSession]:
        """The sessions of all accounts, or of one, the one used last at the front. One statement."""


class PasswordLinks(Protocol):
    """Links that set the password of an account, once. Only digests of their tokens come here."""

    def put(self, account_id: int, token_hash: bytes, now: int, expires_at: int) -> None:
        """The account's only link from now on. AccountMissing when there is no such account."""

    def find(self, token_hash: bytes, now: int) -> int | None:
        """The account of a link that has not expired, if the account is active. One statement."""

    def use(self, token_hash: bytes, now: int) -> int | None:
        """As find, and the link is gone; however many try at the same moment, one gets the account."""

    def revoke(self, account_id: int) -> None:
        """The account has no link from now on."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired links; how many went."""
