"""Accounts: who may come in."""

from typing import Protocol

import msgspec

ACTIVE = "A"
DISABLED = "D"
GOING = "G"
"""Its time is over, and it is being removed: nothing holds that up."""


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    account_key: str
    root_key: str
    email: str
    first_name: str
    last_name: str
    password_hash: str
    default_space: int
    paid_space: int = 0
    mobile_number: str = ""


class Account(msgspec.Struct, frozen=True):
    account_id: int
    account_key: str
    root_key: str
    email: str
    first_name: str
    last_name: str
    password_hash: str
    status: str
    auth_provider_id: int
    mobile_number: str
    is_mobile_verified: bool
    is_email_verified: bool
    default_space: int
    paid_space: int
    created_at: int
    updated_at: int
    delete_at: int
    """When it goes for good; 0 for an account that stays. Until then its links and what it has on boards are hidden."""


class Accounts(Protocol):
    def add(self, account: NewAccount, now: int) -> Account:
        """Open an account with its root folder and its counters at zero, all or nothing.

        EmailTaken when an account has that address, in whatever case.
        """

    def by_key(self, account_key: str) -> Account:
        """AccountMissing when there is none."""

    def by_email(self, email: str) -> Account:
        """Case does not count. AccountMissing when there is none."""

    def by_id(self, account_id: int) -> Account:
        """AccountMissing when there is none."""

    def list(self, *, after_id: int = 0, limit: int = 1000) -> list[Account]:
        """By account_id, those after the given one."""

    def count(self) -> int:
        """How many accounts there are, disabled ones included."""

    def set_password(self, account_id: int, password_hash: str, now: int) -> None: ...

    def set_status(self, account_id: int, status: str, now: int) -> None:
        """Let the account in, or keep it out; AccountMissing where it is GOING."""

    def set_space(self, account_id: int, *, default_space: int, paid_space: int, now: int) -> None:
        """Change what the account may hold. Less than it holds is allowed: it then cannot add anything."""

    def set_names(self, account_id: int, *, first_name: str, last_name: str, now: int) -> None: ...

    def set_deletion(self, account_id: int, delete_at: int, now: int) -> None:
        """Say when the account goes for good, or, with 0, that it stays; AccountMissing where it is GOING."""

    def close_due(self, account_id: int, now: int) -> bool:
        """Whether the time of the account is over; then it is GOING from now on.

        Of this and of set_deletion at the same moment, one comes first, and the other sees it.
        """

    def remove_some(self, account_id: int, limit: int, now: int) -> bool:
        """Remove an account that is GOING, with everything that it has; true while something of it is left.

        Each call is one small transaction, so others work in between and a crash loses nothing. Content is
        dereferenced, and boards pass on or go, as by leaving them; words on boards go too. Any other account
        stays as it is, and one that is not there is gone already.
        """
